package modes

import (
	"time"

	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// minSteadyCPU is the shortest steady state whose CPU load is told. The system books CPU time of threads that are running by ticks, of
// 4 ms mostly: of less than a dozen of them the load may come out beyond all cores.
const minSteadyCPU = 50 * time.Millisecond

// stopwatch gathers all times of a run. It allocates nothing while it runs.
//
// The interval goes from start to the end of the last segment. A segment is the steps of one epoch without the shuffle before it.
// The steady state is the steps from number steadyFrom on (counted from 0): of them the medians are taken, and their CPU load over
// the segments' steady parts.
type stopwatch struct {
	instruments
	steadyFrom int
	steps      int // so far

	start, end meter.Instant            // of the interval
	others     func() meter.Disturbance // nil before the interval
	goStart    meter.Go

	segment, steady meter.Instant // beginnings, of the current epoch's segment and its steady part
	inSteady        bool          // the current segment has a steady part
	train           time.Duration // sum of segments
	steadySum       meter.Interval

	first            time.Duration // wait and step of the first step
	waitSum, workSum time.Duration
	whole, wait      *meter.Histogram // of the steady steps
}

func newStopwatch(i instruments, steps int) *stopwatch {
	return &stopwatch{
		instruments: i, steadyFrom: record.SteadyFrom(steps), whole: meter.NewHistogram(), wait: meter.NewHistogram(),
	}
}

// begin starts the interval.
func (w *stopwatch) begin() {
	w.others, w.goStart = w.watchOthers(), w.runtime()
	w.start = w.instant()
}

func (w *stopwatch) begun() bool { return w.others != nil }

func (w *stopwatch) beginSegment() {
	w.segment = w.instant()
	w.inSteady = w.steps >= w.steadyFrom
	w.steady = w.segment
}

// beforeStep opens the steady part of a segment where the coming step is the first steady one.
func (w *stopwatch) beforeStep() {
	if w.steps == w.steadyFrom && !w.inSteady {
		w.inSteady, w.steady = true, w.instant()
	}
}

// add takes one step: it asked for its batch at t0, had it at t1, and ended at t2.
func (w *stopwatch) add(t0, t1, t2 time.Time) {
	wait, work := t1.Sub(t0), t2.Sub(t1)
	w.waitSum += wait
	w.workSum += work
	if w.steps == 0 {
		w.first = wait + work
	}
	if w.steps >= w.steadyFrom {
		w.whole.Add(wait + work)
		w.wait.Add(wait)
	}
	w.steps++
}

// endSegment ends an epoch's steps, and the interval as far as it is known, and returns the segment's wall time.
func (w *stopwatch) endSegment() time.Duration {
	w.end = w.instant()
	wall := w.end.Since(w.segment).Wall
	w.train += wall
	if w.inSteady {
		w.steadySum = w.steadySum.Add(w.end.Since(w.steady))
	}
	return wall
}

// fill writes what was measured into the record. It is called right after the last step, or after what ended the run early.
func (w *stopwatch) fill(run *record.Run) {
	if !w.begun() {
		return
	}
	if w.end.Wall.IsZero() {
		w.end = w.instant()
	}
	w.fillInterval(run)
	if w.steps > 0 {
		w.fillSteps(run)
	}
}

func (w *stopwatch) fillInterval(run *record.Run) {
	others, used := w.others(), w.runtime().Since(w.goStart)
	run.OtherCPUPercent, run.StealPercent, run.CPUPressurePercent = others.OtherCPUPercent, others.StealPercent, others.PressurePercent
	run.Disturbed = others.Disturbed()
	run.GoAllocatedBytes, run.GoCollections = record.Of(used.AllocatedBytes), record.Of(used.Collections)

	interval := w.end.Since(w.start)
	run.WallSeconds = record.Of(interval.Wall.Seconds())
	if interval.CPUKnown {
		run.UserSeconds, run.SystemSeconds = record.Of(interval.User.Seconds()), record.Of(interval.System.Seconds())
	}
	run.CPUPercent = percent(interval)
}

func (w *stopwatch) fillSteps(run *record.Run) {
	run.Phases.Train = record.Of(w.train.Seconds())
	run.FirstStepSeconds = record.Of(w.first.Seconds())
	run.InputWaitSeconds, run.StepSeconds = record.Of(w.waitSum.Seconds()), record.Of(w.workSum.Seconds())
	run.SteadySteps = w.whole.Count()
	run.StepMilliseconds, run.InputWaitMilliseconds = medianMilliseconds(w.whole), medianMilliseconds(w.wait)
	if w.steadySum.Wall >= minSteadyCPU {
		run.SteadyCPUPercent = percent(w.steadySum)
	}
}

func percent(i meter.Interval) *float64 {
	if p, ok := i.CPUPercent(); ok {
		return &p
	}
	return nil
}

func medianMilliseconds(h *meter.Histogram) *float64 {
	if d, ok := h.Median(); ok {
		return record.Of(milliseconds(d.Seconds()))
	}
	return nil
}

func milliseconds(seconds float64) float64 { return seconds * 1000 }
