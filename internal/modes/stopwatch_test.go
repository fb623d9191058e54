package modes

import (
	"testing"
	"time"

	"fitbench/internal/record"
)

// Four steps of (wait, work): (8,2), (1,3), (2,4), (3,7) ms; the steady ones are the last two.
func TestStepsAreSummedAndTheSteadyOnesTakenForTheMedians(t *testing.T) {
	w := newStopwatch(4)
	w.begin()
	w.beginSegment()
	at := time.Now()
	for _, step := range [][2]time.Duration{{8, 2}, {1, 3}, {2, 4}, {3, 7}} {
		w.beforeStep()
		t1 := at.Add(step[0] * time.Millisecond)
		t2 := t1.Add(step[1] * time.Millisecond)
		w.add(at, t1, t2)
		at = t2
	}
	w.endSegment()
	var run record.Run
	w.fill(&run)
	for name, c := range map[string]struct {
		got  *float64
		want float64
	}{
		"first step": {run.FirstStepSeconds, 0.010}, "wait": {run.InputWaitSeconds, 0.014}, "step": {run.StepSeconds, 0.016},
	} {
		if err := near(c.got, c.want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if run.SteadySteps != 2 {
		t.Errorf("%d steady steps", run.SteadySteps)
	}
	// The median of two lies between them, to the histogram's resolution.
	if m := *run.StepMilliseconds; !(m >= 5.99 && m <= 10.01) {
		t.Errorf("step median %v", m)
	}
	if m := *run.InputWaitMilliseconds; !(m >= 1.99 && m <= 3.01) {
		t.Errorf("wait median %v", m)
	}
}

func TestTheSteadyPartOfASegmentBeginsWithTheFirstSteadyStep(t *testing.T) {
	w := newStopwatch(4)
	w.begin()
	opened := make([]bool, 0, 4)
	for range 2 { // two epochs of three steps, of which the steady state begins in the first
		w.beginSegment()
		for range 3 {
			opened = append(opened, w.beforeStep())
			now := time.Now()
			w.add(now, now, now)
		}
		w.endSegment()
	}
	if opened[0] || opened[1] || !opened[2] || opened[3] || opened[4] {
		t.Errorf("opened at %v", opened)
	}
	if !w.inSteady || w.steadySum.Wall <= 0 || w.steadySum.Wall > w.train {
		t.Errorf("steady %v of %v", w.steadySum.Wall, w.train)
	}
}

func TestAStopwatchThatNeverBeganLeavesEverythingAbsent(t *testing.T) {
	var run record.Run
	newStopwatch(4).fill(&run)
	if run.WallSeconds != nil || run.GoCollections != nil || run.Phases.Train != nil || run.OtherCPUPercent != nil {
		t.Errorf("%+v", run)
	}
}
