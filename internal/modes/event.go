package modes

import (
	"time"

	"fitbench/internal/record"
)

// Kinds of events.
const (
	KindPhase    = "phase"
	KindProgress = "progress"
	KindEpoch    = "epoch"
)

// Names of phases, as in record.Phases.
const (
	PhaseGenerate = "generate"
	PhaseBuild    = "build"
	PhaseModel    = "model"
	PhaseShuffle  = "shuffle"
	PhaseTrain    = "train"
)

// Event is what Train tells while it runs. A phase event comes where a phase begins (shuffle and train once an epoch), a progress
// event at the first and the last step and at most ten times a second between them, an epoch event after each epoch.
type Event struct {
	Kind  string `json:"kind"`
	Phase string `json:"phase,omitempty"`
	// Step is the number of steps trained so far, of Steps in the whole run.
	Step  int `json:"step"`
	Steps int `json:"steps"`
	// Loss is the running mean of the epoch's loss so far; of progress events.
	Loss float64 `json:"loss,omitempty"`
	// ElapsedSeconds is the time since the run began, generating included.
	ElapsedSeconds float64       `json:"elapsed_seconds"`
	Epoch          *record.Epoch `json:"epoch,omitempty"`
}

// progressEvery is the shortest time between two progress events.
const progressEvery = 100 * time.Millisecond

// reporter sends the events of a run.
type reporter struct {
	now     func() time.Time
	observe func(Event)
	steps   int
	began   time.Time
	last    time.Time // of the last progress event
}

func newReporter(now func() time.Time, observe func(Event), steps int) *reporter {
	if observe == nil {
		observe = func(Event) {}
	}
	return &reporter{now: now, observe: observe, steps: steps, began: now()}
}

func (r *reporter) phase(name string, step int) {
	r.observe(r.event(KindPhase, step, r.now(), func(e *Event) { e.Phase = name }))
}

func (r *reporter) epoch(step int, epoch record.Epoch) {
	r.observe(r.event(KindEpoch, step, r.now(), func(e *Event) { e.Epoch = &epoch }))
}

// progress is called after each step with the time at which the step ended, so that it need not read the clock.
func (r *reporter) progress(step int, now time.Time, loss float64) {
	if step != r.steps && now.Sub(r.last) < progressEvery {
		return
	}
	r.last = now
	r.observe(r.event(KindProgress, step, now, func(e *Event) { e.Loss = loss }))
}

func (r *reporter) event(kind string, step int, now time.Time, set func(*Event)) Event {
	e := Event{Kind: kind, Step: step, Steps: r.steps, ElapsedSeconds: now.Sub(r.began).Seconds()}
	set(&e)
	return e
}
