package engine

import (
	"context"
	"errors"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// newNative starts this test binary as a child of that behaviour.
func newNative(t *testing.T, behaviour string, kill <-chan struct{}) *Native {
	t.Helper()
	t.Setenv(childVariable, behaviour)
	// The race detector would hold each child for a second at its end.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	n, err := NewNative(kill)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// graces are short for what does not end by itself. Any other behaviour has the time that it needs.
var graces = map[string]time.Duration{
	"stuck": 50 * time.Millisecond, "hang-after-result": 50 * time.Millisecond, "error-flood": 50 * time.Millisecond,
	"leaves-a-process": time.Second,
}

// run runs the test job in a child of that behaviour.
func run(t *testing.T, ctx context.Context, behaviour string, kill <-chan struct{}, observe func(modes.Event)) record.Run {
	t.Helper()
	n := newNative(t, behaviour, kill)
	n.grace = time.Minute
	if short, ok := graces[behaviour]; ok {
		n.grace = short
	}
	return n.Run(ctx, testJob(), observe)
}

func TestNativeReturnsTheResultOfItsChildAndPassesEventsOn(t *testing.T) {
	var events []modes.Event
	got := run(t, t.Context(), "complete", nil, func(e modes.Event) { events = append(events, e) })
	want := record.Run{Mode: "fit", Execution: "compiled", Engine: "fitbench", Round: 2, Steps: 9, WeightsDigest: "abc"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("run %+v, want %+v", got, want)
	}
	var story []modes.Event
	tellStory(modes.Job{Plan: testJob().Plan}, func(e modes.Event) { story = append(story, e) })
	if !reflect.DeepEqual(events, story) {
		t.Errorf("events %+v, want %+v", events, story)
	}
}

func TestNativePassesOnAFailureThatItsChildReports(t *testing.T) {
	if got := run(t, t.Context(), "failing", nil, nil); got.Error != "no memory for the array" || got.Steps != 9 {
		t.Errorf("error %q after %d steps, want the child's own", got.Error, got.Steps)
	}
}

func TestNativeKeepsWhatADeadChildHadReported(t *testing.T) {
	skipWithoutSignals(t)
	got := run(t, t.Context(), "killed", nil, nil)
	want := record.Run{
		Mode: "fit", Feed: "array", Execution: "compiled", Engine: "fitbench", Threads: 2, Round: 2, BatchSize: 8,
		Steps: 7, SamplesTrained: 56,
		// 1.25 s of generating, then the feed to 1.75 and the model to 2; shuffles from 2 to 2.5 and from 4 to 4.25; training from 2.5 to 4 and from 4.25 to 5.
		Phases: record.Phases{
			Generate: record.Of(1.25), Build: record.Of(0.5), Model: record.Of(0.25), Shuffle: record.Of(0.75), Train: record.Of(2.25),
		},
		Epochs: []record.Epoch{{Steps: 5, WallSeconds: 1.5, Loss: 0.5, Accuracy: 0.875}},
		Error:  "after step 7 of 40 the worker was killed by SIGKILL, usually because memory ran out",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("run %+v\nwant %+v", got, want)
	}
}

func TestNativeSaysHowItsChildFailed(t *testing.T) {
	for _, c := range []struct{ behaviour, want string }{
		{"no-result", "before its first event the worker ended without a result"},
		{"silent", "before its first event the worker ended without a result"},
		{"exit-3", "before its first event the worker ended with exit status 3; standard error: line 2 | line 3 | line 4 | line 5 | [31mline 6"},
		{"panicking", "after step 7 of 40 the worker ended with exit status 2; standard error: panic: the queue is broken"},
		{"noise", "noise 19998 | noise 19999"},
		{"no-hello", `broke the protocol and was ended: the first line is "{\"event\":\"result\"`},
		{"other-protocol", "it speaks protocol 2; this program speaks 1"},
		{"garbage", `"step 1 of 2" is no event in JSON`},
		{"unknown-event", `event "lunch" is unknown; known after hello: phase, progress, epoch, result`},
		{"other-round", "the result is of fit@compiled round 1; asked for was fit@compiled round 2"},
		{"empty-result", "the result has no run"},
		{"empty-epoch", "an epoch event has no epoch"},
		{"after-result", "comes after the result"},
		{"exit-4-after-result", "after its result the worker ended with exit status 4"},
		{"long-line", "a line is longer than"},
		{"flood", "which is a flood for a run of 40 steps"},
		{"hang-after-result", "after its result the worker did not end within 50ms of being told to and was killed"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			got := run(t, t.Context(), c.behaviour, nil, nil)
			if !strings.Contains(got.Error, c.want) {
				t.Errorf("error %q does not contain %q", got.Error, c.want)
			}
			if got.Mode != "fit" || got.Execution != "compiled" || got.Round != 2 || got.Engine != "fitbench" {
				t.Errorf("the failed run does not say whose it is: %+v", got)
			}
		})
	}
}

func TestNativeStopsAnObedientChildByClosingItsInput(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := run(t, ctx, "obedient", nil, func(e modes.Event) {
		if e.Step == 7 {
			cancel(errors.New("Ctrl-C"))
		}
	})
	if want := "interrupted (standard input was closed): stopped"; got.Error != want || got.Steps != 9 {
		t.Errorf("error %q after %d steps, want %q from the child's result", got.Error, got.Steps, want)
	}
}

func TestNativeKillsAStuckChildWhenItsGraceIsOver(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := run(t, ctx, "stuck", nil, func(modes.Event) { cancel(errors.New("Ctrl-C")) })
	if want := "interrupted (Ctrl-C): after step 3 of 40 the worker did not end within 50ms of being told to and was killed"; got.Error != want {
		t.Errorf("error %q, want %q", got.Error, want)
	}
}

func TestAnEndlessErrorOutputIsCutToWords(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := run(t, ctx, "error-flood", nil, func(modes.Event) { cancel(errors.New("Ctrl-C")) })
	want := "interrupted (Ctrl-C): after step 3 of 40 the worker did not end within 50ms of being told to and was killed; standard error: xxx"
	if !strings.HasPrefix(got.Error, want) || len(got.Error) > len(want)+lineLength {
		t.Errorf("error of %d bytes: %.300q, want %q and some more", len(got.Error), got.Error, want)
	}
}

func TestAProcessThatAChildLeavesBehindHoldsNothingUp(t *testing.T) {
	got := run(t, t.Context(), "leaves-a-process", nil, nil)
	left, err := os.FindProcess(got.Steps) // in place of the steps the child tells its number
	if err == nil {
		err = left.Kill()
	}
	if err != nil || got.Error != "" {
		t.Errorf("the process left behind: %v; error %q, want a whole run", err, got.Error)
	}
}

func TestAWorkerWhoseTrainingIsDeafEndsWithoutIt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := run(t, ctx, "deaf", nil, func(e modes.Event) {
		if e.Step == 7 {
			cancel(errors.New("Ctrl-C"))
		}
	})
	want := "interrupted (Ctrl-C): after step 7 of 40 the worker ended with exit status 1; " +
		"standard error: fitbench worker: training did not stop within 100ms after standard input was closed"
	if got.Error != want || len(got.Epochs) != 1 {
		t.Errorf("error %q, want %q; epochs %v, want the one reported", got.Error, want, got.Epochs)
	}
}

func TestNativeKillsAtOnceWhenAskedTo(t *testing.T) {
	kill := make(chan struct{})
	n := newNative(t, "deaf", kill)
	n.grace = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	got := n.Run(ctx, testJob(), func(e modes.Event) {
		switch {
		case e.Step == 5 && e.Kind == modes.KindEpoch:
			cancel(errors.New("Ctrl-C"))
		case e.Step == 7:
			close(kill)
		}
	})
	if want := "interrupted (Ctrl-C): after step 7 of 40 the worker was killed at once, as asked for"; got.Error != want {
		t.Errorf("error %q, want %q", got.Error, want)
	}
	if got := run(t, t.Context(), "deaf", kill, nil); !strings.Contains(got.Error, "killed at once") {
		t.Errorf("error %q where Kill was closed before the start", got.Error)
	}
}

func TestNativeStartsNothingUnderACancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := &Native{Path: "/nonexistent/fitbench"}
	if got := n.Run(ctx, testJob(), nil); got.Error != "interrupted (context canceled): the worker was not started" {
		t.Errorf("error %q", got.Error)
	}
}

func TestNativeSaysWhichProgramCouldNotBeStarted(t *testing.T) {
	n := &Native{Path: "/nonexistent/fitbench"}
	got := n.Run(t.Context(), testJob(), nil)
	if !strings.Contains(got.Error, "could not be started") || !strings.Contains(got.Error, "/nonexistent/fitbench") {
		t.Errorf("error %q", got.Error)
	}
}

func TestAChildIgnoresAnInterruptAndStopsOnSIGTERM(t *testing.T) {
	skipWithoutSignals(t)
	if got := run(t, t.Context(), "interrupted", nil, nil); got.Error != "" || got.Steps != 9 {
		t.Errorf("after SIGINT: error %q, steps %d; want a whole run", got.Error, got.Steps)
	}
	got := run(t, t.Context(), "terminated", nil, nil)
	if !strings.HasPrefix(got.Error, "interrupted (") || !strings.Contains(got.Error, "terminated") {
		t.Errorf("after SIGTERM: error %q does not name the signal", got.Error)
	}
}

func TestNativeLeavesNoFileOpen(t *testing.T) {
	before := openFiles(t)
	ctx, cancel := context.WithCancel(t.Context())
	for _, behaviour := range []string{"complete", "killed", "garbage", "exit-3", "hang-after-result"} {
		run(t, ctx, behaviour, nil, nil)
	}
	(&Native{Path: "/nonexistent/fitbench"}).Run(ctx, testJob(), nil)
	run(t, ctx, "obedient", nil, func(modes.Event) { cancel() })
	if after := openFiles(t); len(after) > len(before) {
		t.Errorf("open files %v before, %v after", before, after)
	}
}

func openFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list a process's open files:", err)
	}
	var names []string
	for _, e := range entries {
		target, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil {
			names = append(names, e.Name()+" "+target)
		}
	}
	slices.Sort(names)
	return names
}

func skipWithoutSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
}
