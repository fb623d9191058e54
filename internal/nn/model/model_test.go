package model

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTheExperimentsNetworkHas11822ParametersInKerassOrder(t *testing.T) {
	l := Default(104).Layout()
	if l.Size != 11822 {
		t.Errorf("%d parameters, want 11822", l.Size)
	}
	want := []Variable{
		{Name: "conv_kernel", Shape: []int{9, 1, 24}, Offset: 0, Size: 216},
		{Name: "conv_bias", Shape: []int{24}, Offset: 216, Size: 24},
		{Name: "dense1_kernel", Shape: []int{576, 20}, Offset: 240, Size: 11520},
		{Name: "dense1_bias", Shape: []int{20}, Offset: 11760, Size: 20},
		{Name: "dense2_kernel", Shape: []int{20, 2}, Offset: 11780, Size: 40},
		{Name: "dense2_bias", Shape: []int{2}, Offset: 11820, Size: 2},
	}
	for i, got := range l.Variables() {
		if w := want[i]; got.Name != w.Name || !slices.Equal(got.Shape, w.Shape) || got.Offset != w.Offset || got.Size != w.Size {
			t.Errorf("variable %d is %+v, want %+v", i, got, w)
		}
	}
}

func TestInitialKernelsAreGlorotUniformAndBiasesZero(t *testing.T) {
	h := Default(104)
	weights := h.InitialWeights(3)
	limits := map[string]float64{
		"conv_kernel":   math.Sqrt(6.0 / (9 + 9*24)),
		"dense1_kernel": math.Sqrt(6.0 / (576 + 20)),
		"dense2_kernel": math.Sqrt(6.0 / (20 + 2)),
	}
	for _, v := range h.Layout().Variables() {
		largest, sum := 0.0, 0.0
		for _, w := range v.Of(weights) {
			largest, sum = max(largest, math.Abs(float64(w))), sum+float64(w)
		}
		limit, kernel := limits[v.Name]
		if !kernel && largest != 0 {
			t.Errorf("%s is not zero", v.Name)
		}
		if kernel && !(largest <= limit && largest > 0.8*limit && math.Abs(sum)/float64(v.Size) < limit/3) {
			t.Errorf("%s: largest %g, mean %g; want uniform within %g", v.Name, largest, sum/float64(v.Size), limit)
		}
	}
	if !slices.Equal(weights, h.InitialWeights(3)) || slices.Equal(weights, h.InitialWeights(4)) {
		t.Error("the weights do not follow from the seed")
	}
}

func TestTheWindowMustGiveOnePooledPosition(t *testing.T) {
	if err := Default(12).Validate(); err != nil {
		t.Errorf("window 12: %v", err)
	}
	err := Default(11).Validate()
	if err == nil || !strings.Contains(err.Error(), "11") || !strings.Contains(err.Error(), "at least 12") {
		t.Errorf("window 11: error is %v; want the value and what is needed", err)
	}
}

func TestAPoolWiderThanAPickCanNameIsRefused(t *testing.T) {
	h := Default(1000)
	h.Pool = 255
	if err := h.Validate(); err != nil {
		t.Errorf("pool 255: %v", err)
	}
	h.Pool = 256
	if err := h.Validate(); err == nil {
		t.Error("pool 256 was taken")
	}
}

// By hand: step 1 gives 1e-3 sqrt(0.001)/0.1, and in the long run the correction goes away.
func TestAdamsStepSizeIsCorrectedForTheMomentsStart(t *testing.T) {
	h := Default(104)
	first, late := h.AdamStep(1), h.AdamStep(100_000)
	if d := math.Abs(float64(first.Alpha) - 3.1622776601683795e-4); !(d <= 1e-11) {
		t.Errorf("step size at step 1 is %g, want 3.16227766e-4", first.Alpha)
	}
	if late.Alpha != float32(1e-3) || first.Rate1 != float32(0.1) || first.Rate2 != float32(0.001) || first.Epsilon != float32(1e-7) {
		t.Errorf("constants are %+v; want 1e-3, 0.1, 0.001, 1e-7", late)
	}
}
