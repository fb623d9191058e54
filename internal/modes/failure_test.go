package modes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"fitbench/internal/meter"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

func TestALossThatIsNotFiniteEndsTheRun(t *testing.T) {
	for _, loss := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		f := &fakeExecution{at: lossAt(9, loss)}
		run := fakeParts(f).train(t.Context(), smallJob(40), nil)
		if want := fmt.Sprintf("step 9 of 40: the loss is %v; training needs a finite one", loss); run.Error != want {
			t.Errorf("got %q, want %q", run.Error, want)
		}
		if run.Steps != 8 || len(run.Epochs) != 2 || run.Epochs[1].Steps != 2 || f.steps != 9 {
			t.Errorf("%d steps kept in %d epochs, %d made", run.Steps, len(run.Epochs), f.steps)
		}
		if _, err := json.Marshal(run); err != nil {
			t.Errorf("the record cannot be written: %v", err)
		}
	}
}

func TestALossThatIsNotFiniteAtOnceLeavesFiguresAbsent(t *testing.T) {
	run := fakeParts(&fakeExecution{at: lossAt(1, math.NaN())}).train(t.Context(), smallJob(40), nil)
	if run.Steps != 0 || run.Loss != nil || run.StepMilliseconds != nil || run.FirstStepSeconds != nil || run.OpsPerStep != nil ||
		run.OrderDigest != "" || run.WeightsDigest != "" || len(run.Epochs) != 0 || run.SteadyCPUPercent != nil {
		t.Errorf("%+v", run)
	}
	if run.WallSeconds == nil || run.Phases.Build == nil || run.FeedBytes == nil {
		t.Error("what was measured is absent")
	}
	if _, err := json.Marshal(run); err != nil {
		t.Error(err)
	}
}

func TestFailuresEndTheRunAndKeepWhatWasMeasured(t *testing.T) {
	broken := errors.New("batch does not fit")
	calls := 0
	third := func(do func() error) func(context.Context) error {
		return func(context.Context) error {
			if calls++; calls == 3 {
				return do()
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		feed  func(context.Context) error
		model func(int) (model.Result, error)
		says  string
	}{
		"feed's error": {third(func() error { return broken }), steadyLoss, "batch does not fit"},
		"feed's panic": {third(func() error { panic("out of reach") }), steadyLoss, "panic after step 2 of 40: out of reach"},
		"step's error": {third(func() error { return nil }), func(step int) (model.Result, error) {
			if step == 3 {
				return model.Result{}, broken
			}
			return steadyLoss(step)
		}, "step 3 of 40: batch does not fit"},
		"step's panic": {third(func() error { return nil }), func(step int) (model.Result, error) {
			if step == 3 {
				panic(broken)
			}
			return steadyLoss(step)
		}, "panic after step 2 of 40: batch does not fit"},
	} {
		calls = 0
		feed, f := &fakeFeed{next: c.feed}, &fakeExecution{at: c.model}
		run := fakeParts(f).withFeed(feed).train(t.Context(), smallJob(40), nil)
		if run.Error != c.says {
			t.Errorf("%s: %q, want %q", name, run.Error, c.says)
		}
		if run.Steps != 2 || len(run.Epochs) != 1 || near(run.Loss, 0.75) != nil || run.OrderDigest == "" || run.Phases.Train == nil {
			t.Errorf("%s: kept %+v", name, run)
		}
		if feed.closed != 1 || f.closed != 1 {
			t.Errorf("%s: the feed was closed %d times, the model %d times", name, feed.closed, f.closed)
		}
	}
}

func TestACancelledRunSaysWhere(t *testing.T) {
	for _, m := range All() {
		ctx, cancel := context.WithCancel(t.Context())
		f := &fakeExecution{at: func(step int) (model.Result, error) {
			if step == 8 {
				cancel()
			}
			return steadyLoss(step)
		}}
		job := smallJob(40)
		job.Cell.Mode = m.Name
		run := fakeParts(f).train(ctx, job, nil)
		if run.Error != "interrupted at step 8 of 40" || run.Steps != 8 || f.steps != 8 {
			t.Errorf("%s: %q after %d steps", m.Name, run.Error, f.steps)
		}
	}
}

func TestARunCancelledBeforeItBeginsDoesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &fakeExecution{at: steadyLoss}
	run := fakeParts(f).train(ctx, smallJob(40), nil)
	if run.Error != "interrupted at step 0 of 40" || f.steps != 0 || run.WallSeconds != nil {
		t.Errorf("%q, %d steps, wall %v", run.Error, f.steps, run.WallSeconds)
	}
}

func TestAnUnusableJobIsRefusedBeforeAnything(t *testing.T) {
	for says, change := range map[string]func(j *Job){
		`mode "fit_generator"`: func(j *Job) { j.Cell.Mode = "fit_generator" },
		`execution "graph"`:    func(j *Job) { j.Cell.Execution = "graph" },
		"batch size is 0":      func(j *Job) { j.Plan.BatchSize = 0 },
		"batch size is 101":    func(j *Job) { j.Plan.BatchSize = 101 },
		"samples is 0":         func(j *Job) { j.Plan.Samples = 0 },
		"window is 11":         func(j *Job) { j.Plan.Window = 11 },
		"threads is 0":         func(j *Job) { j.Plan.Threads = 0 },
		"workers is 0":         func(j *Job) { j.Plan.Workers = 0 },
		"queue size is 0":      func(j *Job) { j.Plan.QueueSize = 0 },
		"steps is 0":           func(j *Job) { j.Plan.Steps = 0 },
	} {
		job := smallJob(40)
		change(&job)
		run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil)
		if !strings.Contains(run.Error, says) {
			t.Errorf("%q does not say %q", run.Error, says)
		}
		if run.WallSeconds != nil || run.Phases != (record.Phases{}) {
			t.Errorf("%s: something was measured", says)
		}
	}
}

func TestARunWithoutTheMemoryIsRefusedBeforeGenerating(t *testing.T) {
	p := fakeParts(&fakeExecution{at: steadyLoss})
	p.available = func() (meter.Memory, bool) {
		return meter.Memory{AvailableBytes: 5000, Source: "MemAvailable"}, true
	}
	job := smallJob(40)
	job.Cell.Mode = "fit"
	run := p.train(t.Context(), job, nil)
	if !strings.HasPrefix(run.Error, "fit needs 5.2 kB for its array of 100 x 13 float32") || run.Phases.Generate != nil {
		t.Errorf("%q, generated %v", run.Error, run.Phases.Generate)
	}
}
