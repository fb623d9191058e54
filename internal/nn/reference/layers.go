package reference

import (
	"math"

	"fitbench/internal/nn/model"
)

// activations are every layer's outputs for one sample.
type activations struct {
	maps          [][]float64 // [Out][Filters], after the ReLU
	chosen        []int       // [Flat], the position in maps that the max-pool took
	flat          []float64   // [Flat]
	hidden        []float64   // [Units], after the ReLU
	probabilities []float64   // [Classes]
}

// parameters are the arena's variables.
type parameters struct{ conv, convBias, dense1, bias1, dense2, bias2 []float64 }

func parametersOf(h model.Hyperparameters, arena []float64) parameters {
	l := h.Layout()
	of := func(v model.Variable) []float64 { return arena[v.Offset : v.Offset+v.Size] }
	return parameters{of(l.ConvKernel), of(l.ConvBias), of(l.Dense1Kernel), of(l.Dense1Bias), of(l.Dense2Kernel), of(l.Dense2Bias)}
}

func forward(h model.Hyperparameters, weights, window []float64) activations {
	p := parametersOf(h, weights)
	var a activations
	a.maps = convolve(h, window, p.conv, p.convBias)
	a.flat, a.chosen = pool(h, a.maps)
	a.hidden = positive(dense(a.flat, p.dense1, p.bias1))
	a.probabilities = softmax(dense(a.hidden, p.dense2, p.bias2))
	return a
}

// convolve is the valid convolution and its ReLU, [Out][Filters].
func convolve(h model.Hyperparameters, window, kernel, bias []float64) [][]float64 {
	maps := make([][]float64, h.ConvOut())
	for t := range maps {
		maps[t] = positive(dense(window[t:t+h.Kernel], kernel, bias))
	}
	return maps
}

// pool takes the largest of each Pool positions, [Flat], and tells where it lay.
func pool(h model.Hyperparameters, maps [][]float64) (flat []float64, chosen []int) {
	for q := range h.Pooled() {
		for f := range h.Filters {
			at := q * h.Pool
			for t := at + 1; t < (q+1)*h.Pool; t++ {
				if maps[t][f] > maps[at][f] {
					at = t
				}
			}
			flat, chosen = append(flat, maps[at][f]), append(chosen, at)
		}
	}
	return flat, chosen
}

// dense is bias + x kernel with a kernel of [len(x)][len(bias)].
func dense(x, kernel, bias []float64) []float64 {
	y := append([]float64(nil), bias...)
	for i := range x {
		for j := range y {
			y[j] += x[i] * kernel[i*len(y)+j]
		}
	}
	return y
}

func positive(x []float64) []float64 {
	for i := range x {
		x[i] = math.Max(x[i], 0)
	}
	return x
}

func softmax(z []float64) []float64 {
	top, sum := z[argmax(z)], 0.0
	p := make([]float64, len(z))
	for j := range z {
		p[j] = math.Exp(z[j] - top)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
	return p
}

// backward is the gradient of one sample's loss by every weight, in the arena's layout.
func backward(h model.Hyperparameters, weights, window []float64, a activations, class int) []float64 {
	gradients := make([]float64, len(weights))
	p, g := parametersOf(h, weights), parametersOf(h, gradients)

	byLogits := append([]float64(nil), a.probabilities...)
	byLogits[class]--
	byHidden := denseGradient(a.hidden, p.dense2, byLogits, g.dense2, g.bias2)
	shut(byHidden, a.hidden)
	byFlat := denseGradient(a.flat, p.dense1, byHidden, g.dense1, g.bias1)
	shut(byFlat, a.flat)
	for i, dy := range byFlat {
		t, f := a.chosen[i], i%h.Filters
		g.convBias[f] += dy
		for k := range h.Kernel {
			g.conv[k*h.Filters+f] += dy * window[t+k]
		}
	}
	return gradients
}

// denseGradient adds the gradients by kernel and bias and returns that by x, from dy, the gradient by the layer's output.
func denseGradient(x, kernel, dy, byKernel, byBias []float64) (dx []float64) {
	dx = make([]float64, len(x))
	for j := range dy {
		byBias[j] += dy[j]
		for i := range x {
			byKernel[i*len(dy)+j] += x[i] * dy[j]
			dx[i] += kernel[i*len(dy)+j] * dy[j]
		}
	}
	return dx
}

// shut sets the gradient to 0 where the ReLU's output y is 0.
func shut(dy, y []float64) {
	for i := range dy {
		if y[i] <= 0 {
			dy[i] = 0
		}
	}
}
