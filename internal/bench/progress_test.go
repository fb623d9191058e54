package bench_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// clock is moved by the tests alone.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func (c *clock) pass(seconds float64) {
	c.now = c.now.Add(time.Duration(math.Round(seconds * float64(time.Second))))
}

// left is what a progress says of the time left, in seconds; -1 where it is not known. A rough one has another 1e6.
func left(p bench.Progress) float64 {
	switch {
	case !p.RemainingKnown:
		return -1
	case p.RemainingRough:
		return rough + p.Remaining.Seconds()
	}
	return p.Remaining.Seconds()
}

const rough = 1e6

// Cells a and b are compiled: 2 s of start-up, then 100 steps of 0.08 s, 10 s in all. c is eager: 2 s and
// 0.38 s a step, 40 s in all. The order of two rounds is a b c, c a b.
func TestTheTimeLeftIsEstimatedFromFirstStepsAndFinishedRuns(t *testing.T) {
	time0 := &clock{now: time.Unix(1e9, 0)}
	e := &fakeEngine{do: func(job engine.Job, _ *record.Run, observe func(modes.Event)) {
		perStep := 0.08
		if job.Cell.Execution == "eager" {
			perStep = 0.38
		}
		observe(modes.Event{Kind: modes.KindPhase, Phase: modes.PhaseTrain, Steps: 100})
		time0.pass(2 + perStep)
		observe(modes.Event{Kind: modes.KindProgress, Step: 1, Steps: 100, Loss: 0.5})
		time0.pass(24 * perStep)
		observe(modes.Event{Kind: modes.KindProgress, Step: 25, Steps: 100, Loss: 0.25})
		time0.pass(75 * perStep)
	}}
	var all []bench.Progress
	_, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(2, "a@compiled", "b@compiled", "c@eager"), Engines: one(e), Now: time0.read,
		Observe: func(p bench.Progress) { all = append(all, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := [][5]float64{ // begin, phase, step 1, step 25, end
		{-1, -1, -1, rough + 56, rough + 50},                            // a at step 25: 75 * 0.08 s, then five runs of 10 s, of which c's are rough
		{rough + 50, rough + 50, rough + 47.92, rough + 46, rough + 40}, // b: a's 10 s until there is a pace, then its own
		{rough + 40, rough + 40, rough + 37.62, 88.5, 60},               // c at step 25: 75 * 0.38 s, then 40 + 10 + 10 s
		{60, 60, 57.62, 48.5, 20},                                       // c: 40 s less what has passed until there is a pace: 2.38 s at step 1
		{20, 20, 17.92, 16, 10},                                         // a: 10 s less 2.08 s, then 75 * 0.08 s; b's 10 s
		{10, 10, 7.92, 6, 0},                                            // b
	}
	if len(all) != 30 {
		t.Fatalf("%d progresses, want 30", len(all))
	}
	for i, p := range all {
		if w := want[i/5][i%5]; !(math.Abs(left(p)-w) <= 1e-6) {
			t.Errorf("run %d, report %d: %v s left, want %v", i/5+1, i%5+1, left(p), w)
		}
	}
}

func TestACellNotYetRunCountsAsTheMeanOfItsExecution(t *testing.T) {
	time0 := &clock{now: time.Unix(1e9, 0)}
	seconds := map[string]float64{"a": 10, "b": 20, "d": 30}
	e := &fakeEngine{do: func(job engine.Job, _ *record.Run, _ func(modes.Event)) { time0.pass(seconds[job.Cell.Mode]) }}
	var after []float64
	_, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(1, "a@eager", "b@eager", "c@eager", "d@eager"), Engines: one(e), Now: time0.read,
		Observe: func(p bench.Progress) { after = append(after, left(p)) },
	})
	// The order is a b d c. After a: 3 runs of 10 s; after b: 2 of 15 s; after d: one of 20 s. Between them the beginnings, where
	// nothing has changed.
	if want := []float64{-1, 30, 30, 30, 30, 20, 20, 0}; err != nil || !slices.Equal(after, want) {
		t.Errorf("time left %v, %v; want %v", after, err, want)
	}
}

func TestProgressSaysWhatRunsAndHowFar(t *testing.T) {
	e := &fakeEngine{do: func(job engine.Job, _ *record.Run, observe func(modes.Event)) {
		observe(modes.Event{Kind: modes.KindPhase, Phase: modes.PhaseBuild})
		observe(modes.Event{Kind: modes.KindProgress, Step: 40, Steps: 100, Loss: 0.125})
		observe(modes.Event{Kind: modes.KindEpoch, Step: 100, Steps: 100, Epoch: &record.Epoch{}})
	}}
	var all []bench.Progress
	_, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(3, "a@eager"), Engines: one(e), Observe: func(p bench.Progress) { all = append(all, p) },
		Now: func() time.Time { return time.Time{} },
	})
	if err != nil || len(all) != 15 {
		t.Fatalf("%d progresses, want 15; %v", len(all), err)
	}
	if !math.IsNaN(all[5].Loss) || !math.IsNaN(all[6].Loss) {
		t.Errorf("before the first step the loss is %v and %v, want NaN", all[5].Loss, all[6].Loss)
	}
	cell := record.Cell{Mode: "a", Execution: "eager"}
	if got, want := all[7], (bench.Progress{
		Cell: cell, Engine: "fake", BatchSize: 10, Round: 2, Rounds: 3, Step: 40, Steps: 100, Loss: 0.125, Phase: "build", RunsDone: 1, RunsTotal: 3,
		RemainingKnown: true, // no time at all, as the clock stands still
	}); got != want {
		t.Errorf("in the middle of round 2: %+v, want %+v", got, want)
	}
	if got := all[8]; got.Step != 100 || got.Loss != 0.125 {
		t.Errorf("after an epoch: step %d, loss %v; want 100 and the last loss", got.Step, got.Loss)
	}
	if got := all[14]; got.RunsDone != 3 || got.RunsTotal != 3 || !got.RemainingKnown || got.Remaining != 0 {
		t.Errorf("at the end: %+v", got)
	}
}

func TestAFailedRunSaysNothingOfOtherCells(t *testing.T) {
	time0 := &clock{now: time.Unix(1e9, 0)}
	e := &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if job.Cell.Mode == "a" {
			time0.pass(0.5)
			run.Error = "no memory"
			return
		}
		time0.pass(20)
	}}
	var ends []float64
	_, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(2, "a@compiled", "b@compiled", "c@compiled"), Engines: one(e), Now: time0.read,
		Observe: func(p bench.Progress) { ends = append(ends, left(p)) },
	})
	// The order is a b c, c a b; a fails each time. After its failure only its own second run of 0.5 s could be told; after b's 20 s
	// there are c, c and b at that pace and a at its own.
	if want := []float64{-1, -1, -1, 60.5, 60.5, 40.5, 40.5, 20.5, 20.5, 20, 20, 0}; err != nil || !slices.Equal(ends, want) {
		t.Errorf("time left %v, %v; want %v", ends, err, want)
	}
}

func TestProgressCountsTheDisturbedRuns(t *testing.T) {
	disturbed := []bool{true, false, true, false}
	e := &fakeEngine{}
	e.do = func(_ engine.Job, run *record.Run, _ func(modes.Event)) { run.Disturbed = disturbed[len(e.jobs)-1] }
	var got []int
	_, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(4, "a@eager"), Engines: one(e), Observe: func(p bench.Progress) { got = append(got, p.Disturbed) },
	})
	if want := []int{0, 1, 1, 1, 1, 2, 2, 2}; err != nil || !slices.Equal(got, want) {
		t.Errorf("disturbed so far, at each run's beginning and end: %v, %v; want %v", got, err, want)
	}
}

func TestTheOwnExecutionsPaceIsPreferredAndAnothersIsRough(t *testing.T) {
	seconds := map[string]float64{"a": 10, "b": 40, "c": 20}
	for _, c := range []struct {
		cells []string // in the order in which they are run
		want  []float64
	}{
		{[]string{"a@compiled", "b@eager"}, []float64{-1, rough + 10, rough + 10, 0}},
		{[]string{"a@compiled", "b@eager", "c@compiled"}, []float64{-1, rough + 20, rough + 20, 10, 10, 0}},
	} {
		time0 := &clock{now: time.Unix(1e9, 0)}
		e := &fakeEngine{do: func(job engine.Job, _ *record.Run, _ func(modes.Event)) { time0.pass(seconds[job.Cell.Mode]) }}
		var got []float64
		_, err := bench.Run(t.Context(), bench.Options{
			Plan: plan(1, c.cells...), Engines: one(e), Now: time0.read, Observe: func(p bench.Progress) { got = append(got, left(p)) },
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: time left %v, %v; want %v", c.cells, got, err, c.want)
		}
	}
}
