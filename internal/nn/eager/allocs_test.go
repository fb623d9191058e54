//go:build !race

// The race detector allocates by itself.

package eager

import (
	"testing"

	"fitbench/internal/nn/model"
)

func TestNoKindOfBatchMakesAStepAllocate(t *testing.T) {
	h := model.Default(104)
	const n = 40
	rows := batchOf(h, n)
	wide := make([]float64, len(rows.X32))
	labels := make([]float64, n*h.Classes)
	var offsets []int
	for s := range n {
		offsets = append(offsets, s*3)
	}
	for name, b := range map[string]*model.Batch{
		"rows":              rows,
		"rows64 one-hot":    {X64: wide, Starts: rows.Starts, OneHot: labels},
		"offsets":           {X32: rows.X32, Starts: offsets, Classes: rows.Classes},
		"offsets64":         {X64: wide, Starts: offsets, Classes: rows.Classes},
		"offsets64 one-hot": {X64: wide, Starts: offsets, OneHot: labels},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(t, h, n, 2)
			if got := testing.AllocsPerRun(10, func() { mustStep(t, m, b) }); got != 0 {
				t.Errorf("a step allocates %g times", got)
			}
		})
	}
}

func TestATimedStepAllocatesNothing(t *testing.T) {
	h := small()
	m := newModel(t, h, 16, 2)
	b := batchOf(h, 16)
	for range timedFirst - 2 {
		mustStep(t, m, b)
	}
	// One call to warm up, then the timed one.
	if got := testing.AllocsPerRun(1, func() { mustStep(t, m, b) }); got != 0 {
		t.Errorf("a timed step allocates %g times", got)
	}
	if m.timed != timedFirst {
		t.Errorf("step %d was timed last, want %d", m.timed, timedFirst)
	}
}
