package model

import (
	"math"
	"math/rand/v2"
)

// Variable is the place of one trained tensor in the arena.
type Variable struct {
	Name   string // as Keras names it: conv_kernel, conv_bias, dense1_kernel, ...
	Shape  []int
	Offset int // first element in the arena
	Size   int // elements
	// FanIn and FanOut are Glorot's; 0 for a bias, which starts at zero.
	FanIn, FanOut int
}

// Of is the variable's part of an arena laid out alike: weights, gradients or Adam's moments.
func (v Variable) Of(arena []float32) []float32 {
	return arena[v.Offset : v.Offset+v.Size : v.Offset+v.Size]
}

// Layout is where each variable lies in the arena of parameters, in Keras's order and layout, each C-contiguous:
// conv kernel [K][1][F], conv bias [F], dense-1 kernel [Flat][H], bias [H], dense-2 kernel [H][C], bias [C].
type Layout struct {
	ConvKernel, ConvBias, Dense1Kernel, Dense1Bias, Dense2Kernel, Dense2Bias Variable
	// Size is the number of parameters, 11,822 for the experiment's network.
	Size int
}

// Variables lists the six variables in the arena's order.
func (l Layout) Variables() []Variable {
	return []Variable{l.ConvKernel, l.ConvBias, l.Dense1Kernel, l.Dense1Bias, l.Dense2Kernel, l.Dense2Bias}
}

// Layout computes the arena's layout.
func (h Hyperparameters) Layout() Layout {
	var l Layout
	place := func(v *Variable, name string, fanIn, fanOut int, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		*v = Variable{Name: name, Shape: shape, Offset: l.Size, Size: size, FanIn: fanIn, FanOut: fanOut}
		l.Size += size
	}
	place(&l.ConvKernel, "conv_kernel", h.Kernel, h.Kernel*h.Filters, h.Kernel, 1, h.Filters)
	place(&l.ConvBias, "conv_bias", 0, 0, h.Filters)
	place(&l.Dense1Kernel, "dense1_kernel", h.Flat(), h.Units, h.Flat(), h.Units)
	place(&l.Dense1Bias, "dense1_bias", 0, 0, h.Units)
	place(&l.Dense2Kernel, "dense2_kernel", h.Units, h.Classes, h.Units, h.Classes)
	place(&l.Dense2Bias, "dense2_bias", 0, 0, h.Classes)
	return l
}

// initStream keeps the weights' random stream apart from every other use of the same seed.
const initStream = 0x676c6f726f74

// InitialWeights draws a new arena: Glorot uniform kernels, +-sqrt(6/(fan in + fan out)), and zero biases
// (Glorot and Bengio 2010; Keras's default). The same seed gives the same weights on every machine.
func (h Hyperparameters) InitialWeights(seed uint32) []float32 {
	layout := h.Layout()
	arena := make([]float32, layout.Size)
	rng := rand.New(rand.NewPCG(uint64(seed), initStream))
	for _, v := range layout.Variables() {
		if v.FanIn == 0 {
			continue
		}
		limit := math.Sqrt(6 / float64(v.FanIn+v.FanOut))
		for i, w := 0, v.Of(arena); i < len(w); i++ {
			w[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
	return arena
}
