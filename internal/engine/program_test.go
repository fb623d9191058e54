package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// newNative starts this test binary as a child of that behaviour.
func newNative(t *testing.T, behaviour string, kill <-chan struct{}) *Program {
	t.Helper()
	t.Setenv(childVariable, behaviour)
	// The race detector would hold each child for a second at its end.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	n, err := Parse("native", Options{Kill: kill})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// absent is an engine whose program is not there.
func absent() *Program {
	return &Program{name: modes.EngineName, called: "the worker", path: "/nonexistent/fitbench"}
}

// graces are short for what does not end by itself. Any other behaviour has the time that it needs.
var graces = map[string]time.Duration{
	"stuck": 50 * time.Millisecond, "hang-after-result": 50 * time.Millisecond, "error-flood": 50 * time.Millisecond,
	"leaves-a-process": time.Second, "leaves-its-group": time.Second, "terminal-noise": 50 * time.Millisecond,
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
	want := record.Run{Mode: "fit", Execution: "compiled", Engine: "fitbench", EngineVersion: "1.2.3", Round: 2, BatchSize: 8, Steps: 40, SamplesTrained: 320,
		WeightsDigest: testDigest}
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
	if got := run(t, t.Context(), "failing", nil, nil); got.Error != "no memory for the array" || got.Steps != 40 {
		t.Errorf("error %q after %d steps, want the child's own", got.Error, got.Steps)
	}
}

func TestNativeKeepsWhatADeadChildHadReported(t *testing.T) {
	skipWithoutSignals(t)
	got := run(t, t.Context(), "killed", nil, nil)
	want := record.Run{
		Mode: "fit", Feed: "array", Execution: "compiled", Engine: "fitbench", EngineVersion: "1.2.3", Threads: 2, Round: 2, BatchSize: 8,
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
		{"other-round", "the result is of fit@compiled round 1 with batch size 8; asked for was fit@compiled round 2 with batch size 8"},
		{"other-batch-size", "the result is of fit@compiled round 2 with batch size 16; asked for"},
		{"fewer-steps", "the result has no error, but 4 steps; the job has 40"},
		{"other-samples", "samples_trained is 40; 40 steps of batch size 8 are 320"},
		{"negative-figure", "phases.train is -0.5; 0 or more is accepted"},
		{"infinite-figure", "no event in JSON"},
		{"bad-digest", `order_digest is "abc"; a SHA-256 in 64 hexadecimal digits is accepted`},
		{"step-back", "after step 3 of 40 the worker broke the protocol and was ended: an event progress is of step 2; after step 3 a step up to 40 is accepted"},
		{"step-beyond", "an event progress is of step 41; after step 0 a step up to 40"},
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

func TestAnotherEngineIsNamedInItsRunsAndErrors(t *testing.T) {
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spec := "exec:'" + exe + "' --any"
	p, err := Parse(spec, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.grace = time.Minute
	t.Setenv(childVariable, "complete")
	if got := p.Run(t.Context(), testJob(), nil); got.Error != "" || got.Engine != spec || got.EngineVersion != "1.2.3" {
		t.Errorf("error %q, engine %q, version %q; want a run of %q", got.Error, got.Engine, got.EngineVersion, spec)
	}
	t.Setenv(childVariable, "exit-3")
	want := fmt.Sprintf("before its first event engine %q ended with exit status 3; standard error: ", spec)
	if got := p.Run(t.Context(), testJob(), nil); got.Engine != spec || !strings.HasPrefix(got.Error, want) {
		t.Errorf("engine %q, error %q; want %q", got.Engine, got.Error, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := p.Run(ctx, testJob(), nil); got.Error != fmt.Sprintf("interrupted (context canceled): engine %q was not started", spec) {
		t.Errorf("error %q", got.Error)
	}
}

func TestNativeStopsAnObedientChildByClosingItsInput(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	got := run(t, ctx, "obedient", nil, func(e modes.Event) {
		if e.Step == 7 {
			cancel(errors.New("Ctrl-C"))
		}
	})
	if want := "interrupted (standard input was closed): stopped"; got.Error != want || got.Steps != 40 {
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
	left, err := os.FindProcess(int(*got.FeedBytes)) // there the child tells its number
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

func TestAChildThatWritesNothingIsKilledWhenTheLimitIsOver(t *testing.T) {
	n := newNative(t, "speechless", nil)
	n.grace, n.silence = 50*time.Millisecond, 50*time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for a limit that is none
	defer cancel()
	got := n.Run(ctx, testJob(), nil)
	// 40 samples, 480 values and 8 samples a batch allow 16 ms more.
	if want := "before its first event the worker wrote nothing to standard output for 66ms and was killed"; got.Error != want {
		t.Errorf("error %q, want %q", got.Error, want)
	}
}

func TestWhatCouldDisturbATerminalIsTakenFromAResult(t *testing.T) {
	got := run(t, t.Context(), "terminal-noise", nil, nil)
	if got.Error != " [2Jgone next" || got.Kernel != " k" || got.EngineVersion != " [31mred 7" {
		t.Errorf("error %q, kernel %q, version %q", got.Error, got.Kernel, got.EngineVersion)
	}
}

func TestNativeStartsNothingUnderACancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := absent().Run(ctx, testJob(), nil); got.Error != "interrupted (context canceled): the worker was not started" {
		t.Errorf("error %q", got.Error)
	}
}

func TestNativeSaysWhichProgramCouldNotBeStarted(t *testing.T) {
	got := absent().Run(t.Context(), testJob(), nil)
	if !strings.Contains(got.Error, "could not be started") || !strings.Contains(got.Error, "/nonexistent/fitbench") {
		t.Errorf("error %q", got.Error)
	}
}

func TestAChildIgnoresAnInterruptAndStopsOnSIGTERM(t *testing.T) {
	skipWithoutSignals(t)
	if got := run(t, t.Context(), "interrupted", nil, nil); got.Error != "" || got.Steps != 40 {
		t.Errorf("after SIGINT: error %q, steps %d; want a whole run", got.Error, got.Steps)
	}
	got := run(t, t.Context(), "terminated", nil, nil)
	if !strings.HasPrefix(got.Error, "interrupted (") || !strings.Contains(got.Error, "terminated") {
		t.Errorf("after SIGTERM: error %q does not name the signal", got.Error)
	}
}

func skipWithoutSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
}
