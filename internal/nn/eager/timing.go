package eager

import (
	"time"

	"fitbench/internal/nn/model"
)

// part is what a moment of a timed step is spent on.
type part int

const (
	dispatching part = iota // look-up, checks, tape, and what the host does between operations
	allocating              // getting tensors, views and their headers, and giving them back
	casting                 // work of operations that only move or convert values
	computing               // all other operations' work, with handing it to the threads and waiting for them
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
	read    func() time.Duration // the clock, since some moment
	running bool
	now     part
	last    time.Duration
	sums    [parts]time.Duration
	laps    [parts]int
	cost    float64 // seconds that one reading costs
}

// sinceNow is the machine's monotonic clock, from now on.
func sinceNow() func() time.Duration {
	base := time.Now()
	return func() time.Duration { return time.Since(base) }
}

// newStopwatch measures the cost of a reading: the least mean of several runs, since a disturbance can only add to it.
func newStopwatch(read func() time.Duration) stopwatch {
	const runs, readings = 16, 256
	w := stopwatch{read: read}
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
	w.last = w.read()
}

// to lets the stopwatch run for p from now on. It is one branch where the step is not timed.
func (w *stopwatch) to(p part) {
	if w.running {
		w.lap(p)
	}
}

func (w *stopwatch) lap(p part) {
	now := w.read()
	w.sums[w.now] += now - w.last
	w.laps[w.now]++
	w.now, w.last = p, now
}

// stop ends the stretch: the time of each part, without what the readings cost.
func (w *stopwatch) stop() model.Split {
	w.lap(dispatching)
	w.running = false
	seconds := func(p part) float64 { return max(0, w.sums[p].Seconds()-float64(w.laps[p])*w.cost) }
	return model.Split{
		Dispatch: seconds(dispatching), Allocation: seconds(allocating), Casts: seconds(casting), Arithmetic: seconds(computing),
	}
}

// Split is of the last step timed inside, one in a hundred; step is its number, 0 where there is none yet.
func (m *Model) Split() (split model.Split, step int) { return m.split, m.timed }
