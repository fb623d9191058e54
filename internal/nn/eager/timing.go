package eager

import (
	"time"

	"fitbench/internal/nn/model"
)

// part is what a moment of a timed step is spent on.
type part int

const (
	dispatching part = iota // look-up, checks, tape, and what the host does between operations
	allocating              // getting tensors and giving them back
	casting                 // work of operations that only move or convert values
	computing               // all other operations' work
	parts
)

// One step in timedEvery is timed inside; timedFirst comes early enough for a short run to have one, and is not the first step,
// which fills the allocator's lists.
const (
	timedEvery = 100
	timedFirst = 50
)

func timed(step int) bool { return step%timedEvery == timedFirst }

// stopwatch divides a stretch of time among the parts: at each moment it runs for one of them. Reading the clock is itself a cost
// of the timed step, measured when the stopwatch is made and taken off each part again.
type stopwatch struct {
	running bool
	now     part
	base    time.Time
	last    time.Duration
	sums    [parts]time.Duration
	laps    [parts]int
	cost    float64 // seconds that one reading costs
}

// newStopwatch measures the cost of a reading: the least mean of several runs, since a disturbance can only add to it.
func newStopwatch() stopwatch {
	const runs, readings = 16, 256
	w := stopwatch{base: time.Now()}
	for run := range runs {
		w.start()
		begun := w.last
		for range readings {
			w.to(dispatching)
		}
		if mean := (w.last - begun).Seconds() / readings; run == 0 || mean < w.cost {
			w.cost = mean
		}
		w.running = false
	}
	return w
}

// start begins a stretch with dispatching.
func (w *stopwatch) start() {
	w.running, w.now = true, dispatching
	w.sums, w.laps = [parts]time.Duration{}, [parts]int{}
	w.last = time.Since(w.base)
}

// to lets the stopwatch run for p from now on. It is one branch where the step is not timed.
func (w *stopwatch) to(p part) {
	if w.running {
		w.lap(p)
	}
}

func (w *stopwatch) lap(p part) {
	now := time.Since(w.base)
	w.sums[w.now] += now - w.last
	w.laps[w.now]++
	w.now, w.last = p, now
}

// stop ends the stretch: the seconds of each part, without what the readings cost.
func (w *stopwatch) stop() (seconds [parts]float64) {
	w.lap(dispatching)
	w.running = false
	for p := range seconds {
		seconds[p] = max(0, w.sums[p].Seconds()-float64(w.laps[p])*w.cost)
	}
	return seconds
}

// tally sums the steps timed inside.
type tally struct {
	steps   int
	seconds [parts]float64
}

func (t *tally) add(seconds [parts]float64) {
	t.steps++
	for p, s := range seconds {
		t.seconds[p] += s
	}
}

// Split is the mean of the steps timed inside so far, in seconds; ok is false where there are none.
func (m *Model) Split() (split model.Split, ok bool) {
	if m.split.steps == 0 {
		return model.Split{}, false
	}
	mean := func(p part) float64 { return m.split.seconds[p] / float64(m.split.steps) }
	return model.Split{
		Dispatch: mean(dispatching), Allocation: mean(allocating), Casts: mean(casting), Arithmetic: mean(computing),
	}, true
}

// ResetSplit forgets the steps timed inside so far.
func (m *Model) ResetSplit() { m.split = tally{} }
