package modes

import (
	"time"

	"fitbench/internal/meter"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// splits gathers where the time of those steps went that were timed inside: of the steady state, or of the steps before it as long
// as none of the steady state was timed. Its memory does not grow with the run, and an execution that times no step costs none.
type splits struct {
	steadyFrom int // steps that come before the steady state
	last       int // number of the last step taken
	parts      *splitParts
}

// splitParts are the parts of the steps taken so far.
type splitParts struct{ dispatch, allocation, casts, arithmetic *meter.Histogram }

func newSplitParts() *splitParts {
	return &splitParts{meter.NewHistogram(), meter.NewHistogram(), meter.NewHistogram(), meter.NewHistogram()}
}

// add takes the execution's last timed step, where it is a new one.
func (s *splits) add(e model.Execution) {
	split, step := e.Split()
	if step == s.last {
		return
	}
	if s.parts == nil || s.last <= s.steadyFrom && step > s.steadyFrom {
		s.parts = newSplitParts()
	}
	s.last = step
	for _, part := range []struct {
		of      *meter.Histogram
		seconds float64
	}{
		{s.parts.dispatch, split.Dispatch}, {s.parts.allocation, split.Allocation},
		{s.parts.casts, split.Casts}, {s.parts.arithmetic, split.Arithmetic},
	} {
		part.of.Add(time.Duration(part.seconds*float64(time.Second) + 0.5))
	}
}

// medians are those of each part; nil where no step was timed. A median step's parts need not be the parts' medians, but both are
// medians over the same steps, which a mean beside a median would not be.
func (s *splits) medians() *record.StepSplit {
	if s.parts == nil {
		return nil
	}
	of := func(h *meter.Histogram) float64 { return *medianMilliseconds(h) }
	return &record.StepSplit{
		Dispatch: of(s.parts.dispatch), Allocation: of(s.parts.allocation),
		Casts: of(s.parts.casts), Arithmetic: of(s.parts.arithmetic),
	}
}
