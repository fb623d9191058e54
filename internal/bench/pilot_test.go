package bench_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// Each run takes a second to start and what its steps take, 2 ms at size 5 and 30 ms at size 50; b fails after its second.
func TestAPilotEstimatesARoundFromAFewSteps(t *testing.T) {
	time0 := time.Time{}
	e := &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		time0 = time0.Add(time.Second)
		if job.Cell.Mode == "b" {
			run.Error = "broken"
			return
		}
		step := map[int]float64{5: 2, 50: 30}[job.Plan.BatchSize]
		run.StepMilliseconds = &step
		time0 = time0.Add(time.Duration(float64(job.Plan.Steps)*step) * time.Millisecond)
	}}
	p := plan(3, "a@eager", "b@eager")
	p.BatchSize, p.BatchSizes, p.SamplesPerRun = 0, []int{5, 50}, 2500
	round, err := bench.Pilot(t.Context(), bench.Options{Plan: p, Engines: one(e), Now: func() time.Time { return time0 }})
	// 100 steps of 2 ms, 50 of 30 ms, and four starts.
	if want := 4*time.Second + 200*time.Millisecond + 1500*time.Millisecond; err != nil || round != want {
		t.Errorf("a round takes %v (%v), want %v", round, err, want)
	}
	for _, job := range e.jobs {
		if job.Plan.Steps != 20 {
			t.Errorf("the pilot took %d steps", job.Plan.Steps)
		}
	}
}

func TestAPilotStopsWhereTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &fakeEngine{do: func(engine.Job, *record.Run, func(modes.Event)) { cancel() }}
	if _, err := bench.Pilot(ctx, bench.Options{Plan: plan(3, "a@eager", "b@eager"), Engines: one(e)}); !errors.Is(err, context.Canceled) || len(e.jobs) != 1 {
		t.Errorf("%v after %d runs", err, len(e.jobs))
	}
}
