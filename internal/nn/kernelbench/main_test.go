package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fitbench/internal/nn/kernel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestColumnsAreAlignedAndLinesEndWithoutBlanks(t *testing.T) {
	got := table{{"kernel", "ns", ""}, {"go", "24000", "±5"}, {"avx512", "1", "±10"}}.String()
	want := "" +
		"  kernel     ns\n" +
		"  go      24000   ±5\n" +
		"  avx512      1  ±10\n"
	if got != want {
		t.Errorf("table is\n%swant\n%s", got, want)
	}
}

func TestAWrongCommandLineIsAUsageError(t *testing.T) {
	for _, args := range [][]string{{"-nonsense"}, {"stray"}, {"-duration", "fast"}} {
		var out, err bytes.Buffer
		if code := execute(context.Background(), args, &out, &err); code != 2 || err.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit code %d, out %q, err %q", args, code, &out, &err)
		}
	}
}

func TestWithoutAYardstickThereAreFiguresButNoRatiosToIt(t *testing.T) {
	text := printed(t, options{})
	for _, name := range kernel.Names() {
		if !strings.Contains(text, "\n  "+name+" ") {
			t.Errorf("%s has no line in\n%s", name, text)
		}
	}
	if !strings.Contains(text, "no yardstick") || strings.Contains(text, "\n  yardstick ") || strings.Contains(text, "NaN") {
		t.Errorf("text is\n%s", text)
	}
}

func TestTheYardsticksFiguresStandBesideOurs(t *testing.T) {
	text := printed(t, options{yardstick: fakeYardstick(t, obedient)})
	if !strings.Contains(text, "\n  yardstick     64       1750") && !strings.Contains(text, "\n  yardstick     64  1750") {
		t.Errorf("the yardstick's 1750 ns/sample are not in\n%s", text)
	}
}

func TestAYardstickThatDiesIsAnError(t *testing.T) {
	var out bytes.Buffer
	dying := fakeYardstick(t, "echo ready; read what; exit 3")
	if err := run(context.Background(), options{yardstick: dying, samples: fewSamples}, &out); err == nil || !strings.Contains(err.Error(), "3") || out.Len() > 0 {
		t.Errorf("the error is %v, want the exit status 3; printed: %s", err, &out)
	}
}

func TestAnInterruptedRunPrintsNothingAndSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	args := []string{"-yardstick", fakeYardstick(t, obedient)}
	if code := execute(ctx, args, &out, &err); code != 1 || !strings.HasPrefix(err.String(), "kernelbench: interrupted") || out.Len() > 0 {
		t.Errorf("exit code %d, out %q, err %q", code, &out, &err)
	}
}

func printed(t *testing.T, o options) string {
	t.Helper()
	o.samples, o.burst = fewSamples, time.Nanosecond
	var out bytes.Buffer
	if err := run(context.Background(), o, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
