// Package model describes what is trained, apart from how a step is run: the hyperparameters of the 1D CNN, its parameters in one
// arena, the batch that a step takes, and the interface that the compiled and the eager execution fulfil. No arithmetic of a step
// is done here.
package model

import "fmt"

// Hyperparameters are all shapes and constants of the network and its optimizer:
//
//	x[Window] -> conv 1D, valid (Filters, Kernel) -> ReLU -> max-pool (Pool) -> flatten -> dense (Units) -> ReLU -> dense (Classes) -> softmax
//
// with categorical cross-entropy, its mean over the batch, and Adam in Keras's form.
type Hyperparameters struct {
	Window  int // D, values of one sample
	Filters int // F, feature maps of the convolution
	Kernel  int // K, taps of the convolution
	Pool    int // P, positions that the max-pool reduces to one; positions left over at the end are dropped
	Units   int // H, units of the hidden dense layer
	Classes int // C

	LearningRate float64
	Beta1        float64
	Beta2        float64
	Epsilon      float64
}

// Default is the experiment's network for windows of that many values: 24 filters of 9 taps, pool 4, 20 units, 2 classes.
func Default(window int) Hyperparameters {
	return Hyperparameters{
		Window: window, Filters: 24, Kernel: 9, Pool: 4, Units: 20, Classes: 2,
		LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-7,
	}
}

// ConvOut is the number of positions of the convolution's output, Window-Kernel+1.
func (h Hyperparameters) ConvOut() int { return h.Window - h.Kernel + 1 }

// Pooled is the number of positions after the max-pool, floor(ConvOut/Pool).
func (h Hyperparameters) Pooled() int { return h.ConvOut() / h.Pool }

// Flat is the number of inputs of the hidden dense layer, Pooled*Filters; index = position*Filters + filter.
func (h Hyperparameters) Flat() int { return h.Pooled() * h.Filters }

// MinWindow is the shortest window from which one pooled position comes, Kernel+Pool-1.
func (h Hyperparameters) MinWindow() int { return h.Kernel + h.Pool - 1 }

// Validate says which hyperparameter cannot be used and what would do.
func (h Hyperparameters) Validate() error {
	for _, c := range []struct {
		name       string
		value, min int
	}{
		{"filters", h.Filters, 1}, {"kernel", h.Kernel, 1}, {"pool", h.Pool, 1}, {"units", h.Units, 1}, {"classes", h.Classes, 2},
	} {
		if c.value < c.min {
			return fmt.Errorf("%s is %d; at least %d is needed", c.name, c.value, c.min)
		}
	}
	if h.Pool > MaxPool {
		return fmt.Errorf("pool is %d; at most %d is possible", h.Pool, MaxPool)
	}
	if h.Window < h.MinWindow() {
		return fmt.Errorf("window is %d; kernel %d and pool %d need at least %d values", h.Window, h.Kernel, h.Pool, h.MinWindow())
	}
	return nil
}

// MaxPool is the widest pool: the position that a pool chose is kept in one byte, of which one value means "none".
const MaxPool = 255
