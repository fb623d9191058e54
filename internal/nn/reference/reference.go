// Package reference is one training step in float64, written for clarity: one sample at a time, one layer a function, nothing
// fused, blocked or reused. Tests hold the executions and the kernels to it; nothing trains with it. It shares no loop with them.
package reference

import (
	"math"

	"fitbench/internal/nn/model"
)

// Outcome is what one step on n samples finds before its update.
type Outcome struct {
	Probabilities []float64 // [n][Classes]
	Loss          float64   // mean categorical cross-entropy, in nats
	Gradients     []float64 // of the loss, in the arena's layout
	Correct       int       // samples whose largest probability is their class
}

// Forward computes probabilities [n][Classes] and the mean loss of the windows x [n][Window] of those classes [n], with weights in
// the arena's layout.
func Forward(h model.Hyperparameters, weights, x []float64, classes []uint8) (probabilities []float64, loss float64) {
	for s, class := range classes {
		p := forward(h, weights, x[s*h.Window:(s+1)*h.Window]).probabilities
		probabilities = append(probabilities, p...)
		loss -= math.Log(p[class]) / float64(len(classes))
	}
	return probabilities, loss
}

// Backward computes what Forward does, and the gradient of the mean loss by every weight.
func Backward(h model.Hyperparameters, weights, x []float64, classes []uint8) Outcome {
	out := Outcome{Gradients: make([]float64, len(weights))}
	out.Probabilities, out.Loss = Forward(h, weights, x, classes)
	for s, class := range classes {
		window := x[s*h.Window : (s+1)*h.Window]
		layers := forward(h, weights, window)
		if argmax(layers.probabilities) == int(class) {
			out.Correct++
		}
		for i, g := range backward(h, weights, window, layers, int(class)) {
			out.Gradients[i] += g / float64(len(classes))
		}
	}
	return out
}

// Adam takes one step in Keras's form, in place; step counts from 1.
func Adam(h model.Hyperparameters, step int, weights, m, v, g []float64) {
	correction := math.Sqrt(1-math.Pow(h.Beta2, float64(step))) / (1 - math.Pow(h.Beta1, float64(step)))
	for i := range weights {
		m[i] = h.Beta1*m[i] + (1-h.Beta1)*g[i]
		v[i] = h.Beta2*v[i] + (1-h.Beta2)*g[i]*g[i]
		weights[i] -= h.LearningRate * correction * m[i] / (math.Sqrt(v[i]) + h.Epsilon)
	}
}

func argmax(p []float64) int {
	best := 0
	for j := range p {
		if p[j] > p[best] {
			best = j
		}
	}
	return best
}
