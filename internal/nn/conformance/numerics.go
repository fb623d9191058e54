package conformance

import (
	"math"
	"testing"

	"fitbench/internal/nn/model"
)

func nanReachesTheLoss(t *testing.T, s suite) {
	h := model.Default(104)
	const n = 33
	nan := math.NaN()
	check := func(name string, weights []float32, b *model.Batch) {
		t.Run(name, func(t *testing.T) {
			e := s.execution(t, h, n, 2, weights)
			if r := step(t, e, b); !math.IsNaN(r.Loss) {
				t.Errorf("loss is %g, want NaN", r.Loss)
			}
		})
	}
	for _, v := range h.Layout().Variables() {
		weights, b := problem(h, n)
		v.Of(weights)[v.Size/2] = float32(nan)
		check("in "+v.Name, weights, b)
	}
	for _, place := range []int{0, h.Window / 2, h.Window - 1} {
		weights, b := problem(h, n)
		b.X32[(n-1)*h.Window+place] = float32(nan)
		check("in a float32 window", weights, b)
		check("in a float64 window", weights, &model.Batch{X64: widen(b.X32), Starts: b.Starts, Classes: b.Classes})
	}
	for _, place := range []int{0, n*h.Classes - 1} {
		weights, b := problem(h, n)
		labels := oneHot(b.Classes, h.Classes)
		labels[place] = nan
		check("in a one-hot label", weights, &model.Batch{X32: b.X32, Starts: b.Starts, OneHot: labels})
	}
}

// One ordinary step, then 1,999 whose windows of zeros shut every feature map and so give most weights a gradient of exactly 0:
// Adam's first moments shrink by a tenth a step and would be subnormal from about step 800 on.
func noSubnormalAfter2000Steps(t *testing.T, s suite) {
	h := model.Default(24)
	weights, b := problem(h, 2)
	layout := h.Layout()
	for i, bias := 0, layout.ConvBias.Of(weights); i < len(bias); i++ {
		bias[i] = -0.1
	}
	e := s.execution(t, h, 2, 1, weights)
	step(t, e, b)
	silent := &model.Batch{X32: make([]float32, h.Window), Starts: []int{0, 0}, Classes: []uint8{0, 1}}
	for range 1999 {
		step(t, e, silent)
	}
	noSubnormal(t, "weight", e.Weights())
	m, v := e.Moments()
	for _, moments := range [][]float32{m, v} {
		if len(moments) != layout.Size {
			t.Fatalf("%d moments of %d parameters", len(moments), layout.Size)
		}
	}
	noSubnormal(t, "first moment", m)
	noSubnormal(t, "second moment", v)
}

func noSubnormal(t *testing.T, what string, values []float32) {
	t.Helper()
	const smallestNormal = 0x1p-126
	for i, x := range values {
		if x != 0 && !(math.Abs(float64(x)) >= smallestNormal) {
			t.Errorf("%s %d is %g: subnormal, or not a number", what, i, x)
			return
		}
	}
}
