package modes

import (
	"context"
	"errors"
	"testing"

	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// 14 steps in epochs of 6, 6 and 2, of which those from the eighth on are steady: five of the second epoch and the whole third.
// The sum of 1 to 14 is 105, of 8 to 12 it is 50, 13 + 14 is 27.
func TestARunsTimesAreThoseOfItsParts(t *testing.T) {
	w := newWorld()
	w.others = meter.Disturbance{OtherCPUPercent: record.Of(12.0), StealPercent: record.Of(3.0), PressurePercent: record.Of(40.0)}
	elapsed := 0.0
	run := w.parts().train(t.Context(), smallJob(14), func(e Event) {
		if e.Kind == KindEpoch && e.Step == 14 {
			elapsed = e.ElapsedSeconds
			w.pass(5000, 5000, 0) // what comes after the last step is not in the interval
		}
	})
	if run.Error != "" {
		t.Fatal(run.Error)
	}
	err := checkFigures(run, map[string]float64{
		"phases.generate": 7,
		"phases.build":    1,
		"phases.model":    0.3,
		"phases.shuffle":  0.1 + 0.2 + 0.3,
		"phases.train":    0.362, // 3*4 + 2*105 + 14*10
		// Without the 7 s of generating: 1000 + 300 + 600 + 362; 900 + 200 + 540 + 3*2 + 105 + 14*15; 50 + 20 + 30 + 3 + 14.
		"wall_seconds":   2.262,
		"user_seconds":   1.961,
		"system_seconds": 0.117,
		"cpu_percent":    100 * (1.961 + 0.117) / 2.262,

		"first_step_seconds": 0.012,
		"input_wait_seconds": 0.210,
		"step_seconds":       0.140,
		// The whole steps take 26, 28, ... 38 ms, the waits 16, 18, ... 28.
		"step_milliseconds":       32,
		"input_wait_milliseconds": 22,
		// The second epoch: wall 2*50 + 5*10, CPU 50 + 5*16; the third: 4 + 2*27 + 2*10, 3 + 27 + 2*16.
		"steady_cpu_percent": 100 * (130. + 62) / (150 + 78),

		"other_cpu_percent": 12, "steal_percent": 3, "cpu_pressure_percent": 40,
	})
	if err != nil {
		t.Error(err)
	}
	for i, want := range []float64{0.106, 0.178, 0.078} { // 4 + 2*21 + 60, 4 + 2*57 + 60, 4 + 2*27 + 20
		if err := near(&run.Epochs[i].WallSeconds, want); err != nil {
			t.Errorf("epoch %d: %v", i, err)
		}
	}
	if err := near(&elapsed, 9.262); err != nil {
		t.Errorf("elapsed at the last step: %v", err)
	}
	if !run.Disturbed || *run.GoAllocatedBytes != 700 || *run.GoCollections != 2 || run.SteadySteps != 7 {
		t.Errorf("disturbed %v, allocated %d in %d collections, %d steady steps; want true, 700, 2, 7",
			run.Disturbed, *run.GoAllocatedBytes, *run.GoCollections, run.SteadySteps)
	}
}

// 12 steps: the steady state begins with the second epoch's first step, and so does its CPU time, after the epoch was started.
func TestASteadyStateFromAnEpochsFirstStepOnTakesTheWholeSegment(t *testing.T) {
	run := newWorld().parts().train(t.Context(), smallJob(12), nil)
	want := 100 * (3 + 57 + 6*16.) / (4 + 2*57 + 6*10)
	if err := near(run.SteadyCPUPercent, want); err != nil || run.SteadySteps != 6 {
		t.Errorf("%v, %d steady steps", err, run.SteadySteps)
	}
}

func TestWithoutCPUTimesThereAreNoLoads(t *testing.T) {
	w := newWorld()
	w.at.CPUKnown = false
	run := w.parts().train(t.Context(), smallJob(2), nil)
	err := checkFigures(run, map[string]float64{
		"phases.generate": 7, "phases.build": 1, "phases.model": 0.3, "phases.shuffle": 0.1, "phases.train": 0.030,
		"wall_seconds": 1.430, "first_step_seconds": 0.012, "input_wait_seconds": 0.006, "step_seconds": 0.020,
		"step_milliseconds": 14, "input_wait_milliseconds": 4,
	})
	if err != nil || run.Disturbed {
		t.Error(err, run.Disturbed)
	}
}

func TestTheIntervalOfARunThatFailsBeforeItsFirstStepEndsThere(t *testing.T) {
	w := newWorld()
	p := w.parts()
	p.draw = func(context.Context, []int32, uint32, int) error {
		w.pass(50, 40, 5)
		return errors.New("no order")
	}
	run := p.train(t.Context(), smallJob(2), nil)
	err := checkFigures(run, map[string]float64{
		"phases.generate": 7, "phases.build": 1, "phases.model": 0.3, "phases.shuffle": 0.05,
		"wall_seconds": 1.350, "user_seconds": 1.140, "system_seconds": 0.075, "cpu_percent": 90,
	})
	if err != nil || run.Error != "no order" {
		t.Error(err, run.Error)
	}
}
