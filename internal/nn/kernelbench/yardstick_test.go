package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// answering is a yardstick that has these lines to say; what it is asked for goes to the buffer.
func answering(lines ...string) (*yardstick, *bytes.Buffer) {
	var requests bytes.Buffer
	return &yardstick{requests: &requests, answers: bufio.NewScanner(strings.NewReader(strings.Join(lines, "\n")))}, &requests
}

func TestAYardstickIsAskedForStepsAndAnswersInNanoseconds(t *testing.T) {
	y, requests := answering("1 2 3.5 4 5 6 7 80")
	got, err := y.measure(stepParts, 64, 10, partCount)
	if err != nil || !slices.Equal(got, []float64{1, 2, 3.5, 4, 5, 6, 7, 80}) || requests.String() != "parts 64 10\n" {
		t.Errorf("asked %q, got %v, %v", requests, got, err)
	}
}

func TestAnAnswerThatIsNoMeasurementIsAnError(t *testing.T) {
	for _, line := range []string{"", "1 2", "fast", "NaN", "-1"} {
		y, _ := answering(line, "")
		if got, err := y.measure(wholeStep, 64, 10, 1); err == nil {
			t.Errorf("the answer %q was taken as %v", line, got)
		}
	}
	y, _ := answering()
	if _, err := y.measure(wholeStep, 64, 10, 1); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a yardstick that has ended gives the error %v", err)
	}
}

// By hand: 20 ms are 312 steps of 64 samples at 1000 ns.
func TestABurstIsAsManyStepsAsFitIntoIt(t *testing.T) {
	y, requests := answering("1000")
	steps, err := y.stepsIn(20*time.Millisecond, 64)
	if err != nil || steps != 313 || requests.String() != "step 64 1\n" {
		t.Errorf("after %q a burst has %d steps (%v), want 313", requests, steps, err)
	}
}

// By hand: one sample in 1000 ns and one in 3000 ns are four in 3000 ns.
func TestTwoAtOnceAddUpTheirRates(t *testing.T) {
	a, asked := answering("1000")
	b, _ := answering("3000")
	got, err := together([]*yardstick{a, b}, 512, 7)
	if err != nil || !(got[0] > 749.99 && got[0] < 750.01) || asked.String() != "step 512 7\n" {
		t.Errorf("after %q together they take %v (%v), want 750", asked, got, err)
	}
}

// fakeYardstick is a program that speaks as the yardstick does.
func fakeYardstick(t *testing.T, body string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell to write a program for")
	}
	path := filepath.Join(t.TempDir(), "yardstick")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const obedient = `echo ready
while read what batch steps; do
  if [ $what = parts ]; then echo 80 460 210 20 210 290 400 60; else echo 1750; fi
done
`

func TestAYardstickEndsWithItsRequests(t *testing.T) {
	y, err := startYardstick(context.Background(), fakeYardstick(t, obedient), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := y.measure(wholeStep, 64, 10, 1); err != nil || got[0] != 1750 {
		t.Errorf("it answered %v, %v", got, err)
	}
	if err := y.end(); err != nil {
		t.Errorf("its end: %v", err)
	}
}

func TestAProgramThatIsNoYardstickIsRefused(t *testing.T) {
	for _, body := range []string{"exit 0", "echo hello; cat"} {
		if _, err := startYardstick(context.Background(), fakeYardstick(t, body), nil); err == nil {
			t.Errorf("a program that does %q was taken for a yardstick", body)
		}
	}
	if _, err := startYardstick(context.Background(), filepath.Join(t.TempDir(), "none"), nil); err == nil {
		t.Error("a program that does not exist was started")
	}
}
