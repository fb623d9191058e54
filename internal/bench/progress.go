package bench

import (
	"math"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// Progress is how far a benchmark has come.
type Progress struct {
	Cell record.Cell
	// Engine, Role and BatchSize are those of the run.
	Engine, Role string
	BatchSize    int
	// Round counts from 1 to Rounds.
	Round, Rounds int
	// Step is the number of steps that the run has trained, of Steps.
	Step, Steps int
	// Loss is the running mean over the epoch so far; NaN where none is known.
	Loss float64
	// Phase is what the run does: generate, build, shuffle, train; empty before the first.
	Phase string
	// RunsDone counts the runs that have ended, failed ones too, RunsTotal those that the plan will have, given what failed so far.
	RunsDone, RunsTotal int
	// Disturbed is how many of the runs that have ended were disturbed.
	Disturbed int
	// Remaining is the estimated time to the end of the whole plan, where RemainingKnown: from the first pace on.
	Remaining      time.Duration
	RemainingKnown bool
	// RemainingRough says that for some of it the pace of another execution or batch size had to do.
	RemainingRough bool
}

// watch follows one run and tells of it.
type watch struct {
	b        *benchmark
	lane     int
	progress Progress
	began    time.Time
	// first and last are the first and the latest report of a trained step.
	first, last mark
}

// mark is when how many steps had been trained.
type mark struct {
	step int
	at   time.Time
}

// watch begins to follow a run and tells that it begins.
func (b *benchmark) watch(lane, round int) *watch {
	b.forecast.left[lane]--
	l := b.lanes[lane]
	w := &watch{b: b, lane: lane, began: b.Now(), progress: Progress{
		Cell: l.cell, Engine: l.contender.Name, Role: l.contender.Role, BatchSize: l.batchSize,
		Round: round, Rounds: b.Plan.Rounds, Steps: b.Plan.At(l.batchSize).TotalSteps(), Loss: math.NaN(),
		RunsDone: len(b.record.Runs), RunsTotal: len(b.record.Runs) + 1 + b.forecast.runsLeft(),
		Disturbed: b.disturbed,
	}}
	w.tell(w.began)
	return w
}

// observe takes an event of the run.
func (w *watch) observe(e modes.Event) {
	now := w.b.Now()
	w.progress.Step = max(w.progress.Step, e.Step)
	switch e.Kind {
	case modes.KindPhase:
		w.progress.Phase = e.Phase
	case modes.KindProgress:
		w.progress.Loss = e.Loss
		w.last = mark{step: e.Step, at: now}
		if w.first.step == 0 {
			w.first = w.last
		}
	}
	w.tell(now)
}

// tell passes the progress on, with the time left as it is estimated now.
func (w *watch) tell(now time.Time) {
	pace := w.pace()
	left := w.b.forecast.run(w.lane, w.lane, pace)
	left.duration = max(0, left.duration-now.Sub(w.began))
	rest := w.b.forecast.rest(w.lane, pace)
	w.progress.remaining(estimate{
		duration: left.duration + rest.duration, known: left.known && rest.known, rough: left.rough || rest.rough,
	})
	w.b.Observe(w.progress)
}

func (p *Progress) remaining(e estimate) {
	p.Remaining, p.RemainingKnown, p.RemainingRough = 0, e.known, e.known && e.rough
	if e.known {
		p.Remaining = e.duration
	}
}

// pace is the expected duration of this run by its own steps: what it took to its latest report and the steps then left at the pace
// since the first report, so that the start-up counts once.
func (w *watch) pace() estimate {
	trained := w.last.step - w.first.step
	if trained <= 0 {
		return estimate{}
	}
	perStep := float64(w.last.at.Sub(w.first.at)) / float64(trained)
	left := time.Duration(perStep * float64(w.progress.Steps-w.last.step))
	return estimate{duration: w.last.at.Sub(w.began) + left, known: true}
}

// end takes the end of the run and tells of it.
func (w *watch) end(failed, givenUp bool) {
	f := w.b.forecast
	f.end(w.lane, w.b.Now().Sub(w.began), failed, givenUp)
	w.progress.RunsDone, w.progress.Step = len(w.b.record.Runs), 0 // its steps are in RunsDone now
	w.progress.RunsTotal = w.progress.RunsDone + f.runsLeft()
	w.progress.Disturbed = w.b.disturbed
	w.progress.remaining(f.rest(-1, estimate{}))
	w.b.Observe(w.progress)
}
