package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fitbench/internal/nn/model"
)

// problem draws weights, windows and classes for a network of that shape.
func problem(h model.Hyperparameters, n int) (weights, x []float64, classes []uint8) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range h.Layout().Size {
		weights = append(weights, rng.NormFloat64()*0.3)
	}
	for range n * h.Window {
		x = append(x, rng.NormFloat64())
	}
	for range n {
		classes = append(classes, uint8(rng.IntN(h.Classes)))
	}
	return weights, x, classes
}

func TestGradientsAreThoseOfCentralFiniteDifferences(t *testing.T) {
	for _, shape := range []model.Hyperparameters{
		{Window: 14, Filters: 3, Kernel: 4, Pool: 2, Units: 5, Classes: 2},
		{Window: 13, Filters: 1, Kernel: 1, Pool: 3, Units: 1, Classes: 3},
		{Window: 12, Filters: 2, Kernel: 3, Pool: 1, Units: 4, Classes: 4},
	} {
		t.Run(fmt.Sprintf("%+v", shape), func(t *testing.T) {
			weights, x, classes := problem(shape, 3)
			got := Backward(shape, weights, x, classes).Gradients
			for i := range weights {
				const step = 1e-6
				at := func(delta float64) float64 {
					moved := append([]float64(nil), weights...)
					moved[i] += delta
					_, loss := Forward(shape, moved, x, classes)
					return loss
				}
				want := (at(step) - at(-step)) / (2 * step)
				if !(math.Abs(got[i]-want) <= 1e-8) {
					t.Errorf("gradient by weight %d is %g; finite differences give %g", i, got[i], want)
				}
			}
		})
	}
}

// One filter of one tap, pool 2, one unit, two classes: small enough for a sheet of paper.
func TestForwardIsWhatHandArithmeticGives(t *testing.T) {
	h := model.Hyperparameters{Window: 3, Filters: 1, Kernel: 1, Pool: 2, Units: 1, Classes: 2}
	// conv 2x+1 over 1, -3, 9 (dropped by the pool): 3, 0; pool 3; hidden 0.5*3-0.5 = 1; logits 1+0, -1+2.
	weights := []float64{2, 1, 0.5, -0.5, 1, -1, 0, 2}
	p, loss := Forward(h, weights, []float64{1, -3, 9}, []uint8{1})
	if !(math.Abs(p[0]-0.5) <= 1e-15) || !(math.Abs(p[1]-0.5) <= 1e-15) || !(math.Abs(loss-math.Ln2) <= 1e-15) {
		t.Errorf("probabilities %v, loss %v; want 0.5, 0.5 and ln 2", p, loss)
	}
}

// At the first step both moments are corrected to the gradient itself, so the step is the learning rate against its sign.
func TestAdamsFirstStepIsTheLearningRate(t *testing.T) {
	h := model.Default(104)
	w, m, v := []float64{1, 1}, make([]float64, 2), make([]float64, 2)
	Adam(h, 1, w, m, v, []float64{0.5, -4})
	if !(math.Abs(w[0]-0.999) <= 1e-8) || !(math.Abs(w[1]-1.001) <= 1e-8) {
		t.Errorf("weights after one step are %v; want 0.999 and 1.001", w)
	}
	if !(math.Abs(m[0]-0.05) <= 1e-15) || !(math.Abs(v[0]-0.00025) <= 1e-15) {
		t.Errorf("moments after one step are %g and %g; want 0.05 and 0.00025", m[0], v[0])
	}
}
