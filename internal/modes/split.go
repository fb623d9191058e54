package modes

import (
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// splitReading is an execution's split as it was at some point, ok false where no step had been timed inside.
type splitReading struct {
	model.Split
	ok bool
}

func readSplit(e model.Execution) splitReading {
	s, ok := e.Split()
	return splitReading{Split: s, ok: ok}
}

// or is the later reading, which is of the steady state alone, or this earlier one where the steady state was too short to have
// a step timed inside.
func (r splitReading) or(later splitReading) splitReading {
	if later.ok {
		return later
	}
	return r
}

// milliseconds is nil where nothing was timed.
func (r splitReading) milliseconds() *record.StepSplit {
	if !r.ok {
		return nil
	}
	return &record.StepSplit{
		Dispatch: milliseconds(r.Dispatch), Allocation: milliseconds(r.Allocation),
		Casts: milliseconds(r.Casts), Arithmetic: milliseconds(r.Arithmetic),
	}
}
