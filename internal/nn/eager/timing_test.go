package eager

import (
	"math"
	"testing"
	"time"
)

func TestTheStopwatchDividesTheTimeAmongTheParts(t *testing.T) {
	w := stopwatch{base: time.Now()}
	w.start()
	begun := w.last
	for _, p := range []part{allocating, computing, allocating, casting} {
		w.to(p)
	}
	seconds := w.stop()
	sum := 0.0
	for _, s := range seconds {
		sum += s
	}
	if whole := (w.last - begun).Seconds(); !(math.Abs(sum-whole) <= 1e-12) {
		t.Errorf("the parts are %g s together, the stretch is %g s", sum, whole)
	}
	if want := [parts]int{dispatching: 1, allocating: 2, casting: 1, computing: 1}; w.laps != want {
		t.Errorf("laps are %v, want %v", w.laps, want)
	}
}

func TestWhatTheReadingsCostIsTakenOff(t *testing.T) {
	w := stopwatch{base: time.Now(), cost: 0.001, running: true, now: computing}
	w.sums[computing], w.laps[computing] = 5*time.Millisecond, 1
	w.sums[casting], w.laps[casting] = time.Millisecond, 4
	w.last = time.Since(w.base)
	seconds := w.stop() // one more reading of computing
	if !(math.Abs(seconds[computing]-0.003) <= 5e-4) {
		t.Errorf("computing took %g s, want 5 ms - 2 readings of 1 ms", seconds[computing])
	}
	if seconds[casting] != 0 {
		t.Errorf("casting took %g s, want 0: it cannot be less", seconds[casting])
	}
}

func TestAStoppedStopwatchDoesNotRun(t *testing.T) {
	w := newStopwatch()
	if w.running || !(w.cost > 0) {
		t.Errorf("running %t, a reading costs %g s", w.running, w.cost)
	}
	w.sums = [parts]time.Duration{}
	w.to(casting)
	if w.sums != [parts]time.Duration{} {
		t.Error("time was counted")
	}
}

func TestOneStepInAHundredIsSplit(t *testing.T) {
	h := small()
	m := newModel(t, h, 16, 1)
	b := batchOf(h, 16)
	run := func(steps int) {
		for range steps {
			mustStep(t, m, b)
		}
	}
	run(49)
	if _, ok := m.Split(); ok {
		t.Error("there is a split before step 50")
	}
	run(1)
	split, ok := m.Split()
	if !ok || !(split.Dispatch > 0 && split.Arithmetic > 0 && split.Allocation >= 0 && split.Casts >= 0) {
		t.Errorf("split after step 50 is %+v, %t", split, ok)
	}
	run(200)
	if m.split.steps != 3 {
		t.Errorf("%d of 250 steps were split, want 3", m.split.steps)
	}
	m.ResetSplit()
	if _, ok := m.Split(); ok {
		t.Error("there is a split after the reset")
	}
}
