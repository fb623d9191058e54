package conformance

import (
	"fmt"
	"math"
	"testing"

	"fitbench/internal/nn/model"
	"fitbench/internal/nn/reference"
)

// shapes are the experiment's network and odd ones: positions left over by the pool, one filter, three classes, one unit, one tap,
// no pooling, a window that gives a single position, and sizes around every unrolling.
func shapes() []model.Hyperparameters {
	shape := func(window, filters, kernel, pool, units, classes int) model.Hyperparameters {
		h := model.Default(window)
		h.Filters, h.Kernel, h.Pool, h.Units, h.Classes = filters, kernel, pool, units, classes
		return h
	}
	return []model.Hyperparameters{
		model.Default(104),
		shape(103, 24, 9, 4, 20, 2),
		shape(31, 1, 1, 1, 1, 2),
		shape(40, 5, 3, 7, 6, 3),
		shape(12, 3, 9, 4, 1, 5),
		shape(57, 7, 13, 5, 9, 4),
		shape(30, 2, 2, 2, 21, 3),
	}
}

// longBatch is long enough for every thread to get several pieces of work, and for each piece to be more than one block.
const longBatch = 531

func referenceGradients(t *testing.T, s suite) {
	for i, h := range shapes() {
		batches := []int{1, 3, 50, 127}
		if i == 0 {
			batches = append(batches, longBatch)
		}
		for _, n := range batches {
			t.Run(fmt.Sprintf("D%dF%dK%dP%dH%dC%d/batch=%d", h.Window, h.Filters, h.Kernel, h.Pool, h.Units, h.Classes, n), func(t *testing.T) {
				weights, b := problem(h, n)
				e := s.execution(t, h, n, 2, weights)
				likeReference(t, h, e, step(t, e, b), weights, b)
			})
		}
	}
}

// likeReference holds what e found on batch b, with those weights before the step, to the float64 reference.
func likeReference(t *testing.T, h model.Hyperparameters, e model.Execution, got model.Result, weights []float32, b *model.Batch) {
	t.Helper()
	want := reference.Backward(h, widen(weights), widen(b.X32), b.Classes)
	within(t, "probability", e.Probabilities(), want.Probabilities, 1e-6)
	if !(math.Abs(got.Loss-want.Loss) <= 1e-5*(1+want.Loss)) {
		t.Errorf("loss is %g, want %g", got.Loss, want.Loss)
	}
	if got.Correct != want.Correct {
		t.Errorf("%d samples correct, want %d", got.Correct, want.Correct)
	}
	gradientsWithin(t, h, e.Gradients(), want.Gradients)
}

// A row of labels that spreads weight over classes is the classes' losses and gradients, each with its weight: what the reference
// finds for every class in turn, added up. Rows whose weights do not sum to 1 tell apart what is multiplied by the sum.
func softLabelsWeighTheClasses(t *testing.T, s suite) {
	h := model.Default(40)
	h.Classes = 3
	labels := []float64{
		0.5, 0.25, 0.75, // 1.5
		0, 0.125, 0, // 0.125
		0, 0, 0,
		0.25, 0.5, 0.25,
		0, 2, 1,
	}
	n := len(labels) / h.Classes
	weights, b := problem(h, n)
	b.Classes, b.OneHot = nil, labels
	e := s.execution(t, h, n, 2, weights)
	got := step(t, e, b)

	loss, gradients := 0.0, make([]float64, len(weights))
	for i, weight := range labels {
		sample, class := i/h.Classes, uint8(i%h.Classes)
		window := widen(b.X32[sample*h.Window : (sample+1)*h.Window])
		of := reference.Backward(h, widen(weights), window, []uint8{class})
		loss += weight * of.Loss / float64(n)
		for j, g := range of.Gradients {
			gradients[j] += weight * g / float64(n)
		}
	}
	if !(math.Abs(got.Loss-loss) <= 1e-5*(1+loss)) {
		t.Errorf("loss is %g, want %g", got.Loss, loss)
	}
	gradientsWithin(t, h, e.Gradients(), gradients)
}

func shorterBatchAfterLonger(t *testing.T, s suite) {
	h := model.Default(104)
	weights, long := problem(h, 64)
	_, short := problem(h, 10)
	e := s.execution(t, h, 64, 2, weights)
	step(t, e, long)
	weights = append([]float32(nil), e.Weights()...)
	likeReference(t, h, e, step(t, e, short), weights, short)
}
