package modes

import (
	"testing"
	"time"

	"fitbench/internal/record"
)

// Four steps of (wait, work): (8,2), (1,3), (2,4), (3,7) ms; the steady ones are the last two, of 6 and 10 ms.
func TestStepsAreSummedAndTheSteadyOnesTakenForTheMedians(t *testing.T) {
	w := newWorld()
	s := newStopwatch(w.instruments(), 4)
	s.begin()
	s.beginSegment()
	for _, step := range [][2]int{{8, 2}, {1, 3}, {2, 4}, {3, 7}} {
		s.beforeStep()
		t0 := w.at.Wall
		w.pass(step[0], 1, 0)
		t1 := w.at.Wall
		w.pass(step[1], 3, 1)
		s.add(t0, t1, w.at.Wall)
	}
	if wall := s.endSegment(); wall != 30*time.Millisecond {
		t.Errorf("the segment took %v, want 30 ms", wall)
	}
	var run record.Run
	s.fill(&run)
	err := checkFigures(run, map[string]float64{
		"wall_seconds": 0.030, "user_seconds": 0.016, "system_seconds": 0.004, "cpu_percent": 100 * 20. / 30, "phases.train": 0.030,
		"first_step_seconds": 0.010, "input_wait_seconds": 0.014, "step_seconds": 0.016,
		"step_milliseconds": 8, "input_wait_milliseconds": 2.5, // the steady 16 ms are too short for a CPU load
	})
	if err != nil || run.SteadySteps != 2 {
		t.Errorf("%v; %d steady steps, want 2", err, run.SteadySteps)
	}
}

func TestAStopwatchThatNeverBeganLeavesEverythingAbsent(t *testing.T) {
	var run record.Run
	newStopwatch(newWorld().instruments(), 4).fill(&run)
	if err := checkFigures(run, nil); err != nil || run.GoCollections != nil || run.GoAllocatedBytes != nil {
		t.Errorf("%v; %+v", err, run)
	}
}
