package eager

import (
	"testing"
	"time"

	"fitbench/internal/nn/model"
)

// counter is a clock that goes on by one second at each reading, and by what a test adds.
type counter struct{ now time.Duration }

func (c *counter) read() time.Duration {
	c.now += time.Second
	return c.now
}

// timedBy lets the model's stopwatch read c, and count each reading in full.
func timedBy(m *Model, c *counter) { m.clock = stopwatch{read: c.read} }

// weigh makes each check and each piece of an operation's work take a time of its own, so that what is timed as dispatch cannot be
// taken for work, nor work for dispatch.
func weigh(m *Model, c *counter) {
	for _, o := range m.registry {
		check, body, reduce := o.check, o.body, o.reduce
		o.check = func(call *call) error { c.now += checkTime; return check(call) }
		if body != nil {
			o.body = func(call *call, lo, hi int) { c.now += workTime; body(call, lo, hi) }
		}
		if reduce != nil {
			o.reduce = func(call *call, sum []float32, lo, hi int) { c.now += workTime; reduce(call, sum, lo, hi) }
		}
	}
}

const (
	checkTime = 1000 * time.Second
	workTime  = 1_000_000 * time.Second
)

// A step of stepOps+1 operations on float32 rows, counted by hand from the listing in forward.go, tape.go and adam.go. Every
// excursion from dispatch and back is one reading each way.
func TestATimedStepsPartsAreThoseOfItsOperations(t *testing.T) {
	const (
		views   = 12 + 8 + 4                    // forward; backward; Adam
		updates = 6 + 1                         // variables, step number
		results = stepOps + 1 - views - updates // 80 new tensors
		moving  = 1 + 1 + 1 + 3 + 1             // one-hot; casts of sample count and truth values; tiles; cast of the step number
		working = results + updates - moving    // all other operations
		got     = results + views + 2           // tensors and views, windows and classes of the batch
		kept    = 10 + 15                       // by the tape, for gradients of the layers and of the loss
		passed  = 1 + 3 + 6                     // gradients that are handed on as they are: addition, biases, reads of variables
		back    = got + kept + passed           // every reference is given back, here or in the next step
		away    = got + back + moving + working // times that the stopwatch left dispatch
	)
	h := small()
	m := newModel(t, h, 5, 1)
	var c counter
	timedBy(m, &c)
	weigh(m, &c)
	for range timedFirst {
		if _, step := m.Split(); step != 0 {
			t.Fatalf("step %d was timed", step)
		}
		mustStep(t, m, batchOf(h, 5))
	}
	split, step := m.Split()
	want := model.Split{
		Dispatch:   (stepOps+1)*checkTime.Seconds() + away + 1,
		Allocation: got + back,
		Casts:      moving * (workTime.Seconds() + 1),
		Arithmetic: working * (workTime.Seconds() + 1),
	}
	if split != want || step != timedFirst {
		t.Errorf("split of step %d is %+v, want %+v of step %d", step, split, want, timedFirst)
	}
}

// Nine shards of a sum over the rows: each has a sum of its own in memory that is got and given back, and these are then added.
func TestASumInShardsIsTimedAsMemoryAndArithmetic(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	var c counter
	timedBy(m, &c)
	weigh(m, &c)
	m.clock.start()
	m.dispatch("BiasAddGrad", attrs{}, ramp(newShape(25000, 24)))
	if m.err != nil || m.call.shards != 9 {
		t.Fatalf("%d shards (%v), want 9", m.call.shards, m.err)
	}
	// Got: the result, the shards' sums; given back: these sums. Dispatch goes on before and after the result and in the end.
	want := model.Split{Dispatch: checkTime.Seconds() + 4, Allocation: 3, Arithmetic: 9*workTime.Seconds() + 1}
	if split := m.clock.stop(); split != want {
		t.Errorf("split is %+v, want %+v", split, want)
	}
}

func TestTheStopwatchCountsTimeForThePartThatItRanFor(t *testing.T) {
	var c counter
	w := stopwatch{read: c.read}
	w.start()
	for _, lap := range []struct {
		takes time.Duration
		then  part
	}{{1, allocating}, {20, computing}, {300, allocating}, {4000, casting}, {50000, dispatching}, {600000, dispatching}} {
		c.now += (lap.takes - 1) * time.Second
		w.to(lap.then)
	}
	c.now += 6_999_999 * time.Second
	want := model.Split{Dispatch: 7_600_001, Allocation: 4020, Casts: 50000, Arithmetic: 300}
	if split := w.stop(); split != want {
		t.Errorf("split is %+v, want %+v", split, want)
	}
}

func TestWhatTheReadingsCostIsTakenOff(t *testing.T) {
	var c counter
	w := newStopwatch(c.read) // whose readings cost a second each
	w.start()
	c.now += 4 * time.Second
	w.to(computing) // 5 s of dispatch
	for range 3 {   // of no length but for the readings
		w.to(casting)
		w.to(computing)
	}
	c.now += 2 * time.Second
	if split, want := w.stop(), (model.Split{Dispatch: 4, Arithmetic: 2}); split != want {
		t.Errorf("split is %+v, want %+v", split, want)
	}
	w.cost = 1000
	w.start()
	if split, want := w.stop(), (model.Split{}); split != want {
		t.Errorf("split is %+v; no part can take less than nothing", split)
	}
}

func TestTheCostOfAReadingIsThatOfTheLeastDisturbedRun(t *testing.T) {
	readings := 0
	now := time.Duration(0)
	w := newStopwatch(func() time.Duration {
		readings++
		now += 3 * time.Second
		if readings < 3000 { // most runs, but not all, are slow
			now += time.Second
		}
		return now
	})
	if w.cost != 3 {
		t.Errorf("a reading costs %g s, want 3", w.cost)
	}
}

func TestAStoppedStopwatchDoesNotReadItsClock(t *testing.T) {
	var c counter
	w := newStopwatch(c.read)
	before := c.now
	w.to(casting)
	if w.running || c.now != before {
		t.Error("the clock was read")
	}
}

func TestTheMachinesClockDoesNotGoBack(t *testing.T) {
	read := sinceNow()
	if first, second := read(), read(); first < 0 || second < first {
		t.Errorf("readings are %v and %v", first, second)
	}
}

func TestOneStepInAHundredIsTimedAndTheLastOneTold(t *testing.T) {
	h := small()
	m := newModel(t, h, 16, 1)
	b := batchOf(h, 16)
	for step := 1; step <= 250; step++ {
		mustStep(t, m, b)
		want := 0
		for _, timed := range []int{50, 150, 250} {
			if timed <= step {
				want = timed
			}
		}
		if _, last := m.Split(); last != want {
			t.Fatalf("after step %d the last timed one is %d, want %d", step, last, want)
		}
	}
}

// What a failed step took says nothing of a whole one.
func TestATimedStepThatFailsIsNotTold(t *testing.T) {
	h := small()
	m := newModel(t, h, 4, 1)
	b := batchOf(h, 4)
	for range timedFirst - 1 {
		mustStep(t, m, b)
	}
	o := m.registry["ArgMax"]
	delete(m.registry, "ArgMax")
	if _, err := m.Step(b); err == nil {
		t.Fatal("the step ran without ArgMax")
	}
	m.registry["ArgMax"] = o
	if _, step := m.Split(); step != 0 {
		t.Errorf("step %d was told", step)
	}
}
