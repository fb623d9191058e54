package conformance

import (
	"fmt"
	"testing"

	"fitbench/internal/nn/model"
)

// trace is everything that a few steps leave behind.
type trace struct {
	results                           []model.Result
	probabilities, gradients, weights []float32
}

// traceOf steps three times on the same batch.
func (s suite) traceOf(t *testing.T, h model.Hyperparameters, threads int, weights []float32, b *model.Batch) trace {
	t.Helper()
	e := s.execution(t, h, b.Len(), threads, weights)
	var tr trace
	for range 3 {
		tr.results = append(tr.results, step(t, e, b))
	}
	tr.probabilities = append(tr.probabilities, e.Probabilities()...)
	tr.gradients = append(tr.gradients, e.Gradients()...)
	tr.weights = append(tr.weights, e.Weights()...)
	return tr
}

func (got trace) equals(t *testing.T, want trace) {
	t.Helper()
	for i := range want.results {
		if got.results[i] != want.results[i] {
			t.Errorf("step %d found %+v, want %+v", i+1, got.results[i], want.results[i])
		}
	}
	bitEqual(t, "probability", got.probabilities, want.probabilities)
	bitEqual(t, "gradient", got.gradients, want.gradients)
	bitEqual(t, "weight", got.weights, want.weights)
}

func threadsDoNotChangeTheResult(t *testing.T, s suite) {
	s = s.cutSmall()
	h := model.Default(104)
	for _, n := range []int{1, 15, 16, 17, 64, 127, longBatch} {
		weights, b := problem(h, n)
		want := s.traceOf(t, h, 1, weights, b)
		for _, threads := range []int{2, 7, 17} {
			t.Run(fmt.Sprintf("batch=%d/threads=%d", n, threads), func(t *testing.T) {
				s.traceOf(t, h, threads, weights, b).equals(t, want)
			})
		}
	}
}

// The same float32 values give the same bits, whether they come as rows, as float64, or as offsets into a series, with the classes
// as numbers or one-hot.
func batchKindsAreBitEqual(t *testing.T, s suite) {
	h := model.Default(104)
	const n = 37
	weights, drawn := problem(h, n)
	series := drawn.X32[:200]
	offsets := &model.Batch{X32: series, Classes: drawn.Classes}
	rows := &model.Batch{Classes: drawn.Classes}
	for i := range n {
		start := (i * 29) % (len(series) - h.Window + 1)
		offsets.Starts = append(offsets.Starts, start)
		rows.Starts = append(rows.Starts, i*h.Window)
		rows.X32 = append(rows.X32, series[start:start+h.Window]...)
	}
	const apart = 3 // values between the windows
	spread := &model.Batch{Classes: drawn.Classes}
	for i := range n {
		spread.Starts = append(spread.Starts, i*(h.Window+apart))
		spread.X32 = append(append(spread.X32, rows.X32[i*h.Window:(i+1)*h.Window]...), 77, 78, 79)
	}
	labels := oneHot(drawn.Classes, h.Classes)
	want := s.traceOf(t, h, 2, weights, rows)
	for name, b := range map[string]*model.Batch{
		"offsets32":         offsets,
		"offsets64":         {X64: widen(series), Starts: offsets.Starts, Classes: drawn.Classes},
		"rows apart32":      spread,
		"rows apart64":      {X64: widen(spread.X32), Starts: spread.Starts, Classes: drawn.Classes},
		"rows64":            {X64: widen(rows.X32), Starts: rows.Starts, Classes: drawn.Classes},
		"rows32 one-hot":    {X32: rows.X32, Starts: rows.Starts, OneHot: labels},
		"rows64 one-hot":    {X64: widen(rows.X32), Starts: rows.Starts, OneHot: labels},
		"offsets32 one-hot": {X32: series, Starts: offsets.Starts, OneHot: labels},
	} {
		t.Run(name, func(t *testing.T) { s.traceOf(t, h, 2, weights, b).equals(t, want) })
	}
}

// A sample's probabilities are the same bits whichever samples it shares a batch with.
func batchMatesDoNotChangeASample(t *testing.T, s suite) {
	for _, h := range shapes() {
		const n = 21
		weights, b := problem(h, n)
		together := s.execution(t, h, n, 2, weights)
		step(t, together, b)
		for i := range n {
			alone := s.execution(t, h, 1, 1, weights)
			step(t, alone, &model.Batch{X32: b.X32, Starts: b.Starts[i : i+1], Classes: b.Classes[i : i+1]})
			bitEqual(t, fmt.Sprintf("probability of sample %d", i),
				together.Probabilities()[i*h.Classes:(i+1)*h.Classes], alone.Probabilities())
			alone.Close()
		}
	}
}
