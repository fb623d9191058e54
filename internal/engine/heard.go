package engine

import (
	"fmt"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// heard is what a child has reported before its result: all that remains of a run whose child dies.
type heard struct {
	run   record.Run
	phase string  // under way, empty before the first
	since float64 // when it began, in seconds of the child's own clock
	last  float64 // when the last event came, on the same clock
	step  int     // done in the whole run
	steps int
}

// note keeps what an event says.
func (h *heard) note(e modes.Event) {
	h.last = max(h.last, e.ElapsedSeconds)
	h.step, h.steps = e.Step, e.Steps
	switch e.Kind {
	case modes.KindPhase:
		h.closePhase()
		h.phase, h.since = e.Phase, h.last
	case modes.KindEpoch:
		h.run.Epochs = append(h.run.Epochs, *e.Epoch)
	}
}

// closePhase adds the time of the phase under way, as far as it was reported.
func (h *heard) closePhase() {
	if seconds := phaseOf(&h.run.Phases, h.phase); seconds != nil {
		if *seconds == nil {
			*seconds = record.Of(0.0)
		}
		**seconds += h.last - h.since
	}
	h.phase, h.since = "", h.last
}

// phaseOf is the place of a phase's time in a record, nil for a phase that records do not know.
func phaseOf(p *record.Phases, name string) **float64 {
	switch name {
	case modes.PhaseGenerate:
		return &p.Generate
	case modes.PhaseBuild:
		return &p.Build
	case modes.PhaseModel:
		return &p.Model
	case modes.PhaseShuffle:
		return &p.Shuffle
	case modes.PhaseTrain:
		return &p.Train
	}
	return nil
}

// partial is the record of a run that ended here. Steps are those of the last report; some more may have been done.
func (h heard) partial() record.Run {
	h.closePhase()
	run := h.run
	run.Steps = h.step
	run.SamplesTrained = int64(h.step) * int64(run.BatchSize)
	return run
}

// place says how far the run had come.
func (h heard) place() string {
	switch {
	case h.step > 0:
		return fmt.Sprintf("after step %d of %d", h.step, h.steps)
	case h.phase != "":
		return "in phase " + h.phase
	}
	return "before its first event"
}
