package model

import (
	"math"

	"fitbench/internal/nn/kernel"
)

// AdamStep is what the update of that step needs, steps counting from 1. Everything is computed in float64 and rounded once
// (Kingma and Ba 2015, with the bias correction folded into the step size as in Keras).
func (h Hyperparameters) AdamStep(step int) kernel.AdamStep {
	t := float64(step)
	alpha := h.LearningRate * math.Sqrt(1-math.Pow(h.Beta2, t)) / (1 - math.Pow(h.Beta1, t))
	return kernel.AdamStep{
		Alpha: float32(alpha), Rate1: float32(1 - h.Beta1), Rate2: float32(1 - h.Beta2), Epsilon: float32(h.Epsilon),
	}
}

// Conv is the geometry of the convolution and its max-pool.
func (h Hyperparameters) Conv() kernel.Conv {
	return kernel.Conv{Window: h.Window, Filters: h.Filters, Taps: h.Kernel, Pool: h.Pool}
}
