// Package kernel holds the inner loops of training: float32 arithmetic over plain slices, without threads, allocation or state.
// Both executions call the same loops: the compiled one the fused ones, the eager one those of a single operation.
//
// An Impl is one variant of the loops that have variants: portable Go, always built, and assembly where a CPU has the features
// (its files go beside these, named after the feature). Loops that have no variants are plain functions.
//
// Conventions: the destination comes first; matrices are row-major and contiguous; "+=" in a comment means that the loop adds to
// what the destination holds, otherwise it overwrites. Slices may be longer than needed. A NaN in an operand reaches every result
// that depends on it. Loops panic, with a constant text, on a programmer's error only.
package kernel

import (
	"fmt"
	"strings"
)

// Conv is the geometry of the convolution and the max-pool behind it.
type Conv struct {
	Window  int // D, values of a sample
	Filters int // F
	Taps    int // K
	Pool    int // P
}

// Out is the number of positions of the valid convolution, D-K+1.
func (c Conv) Out() int { return c.Window - c.Taps + 1 }

// Pooled is Q = floor(Out/P); positions left over at the end are dropped.
func (c Conv) Pooled() int { return c.Out() / c.Pool }

// Shut is the pick of a pooled value that the ReLU shut: no position gets its gradient.
const Shut = 255

// AdamStep are the constants of one Adam update in Keras's form:
//
//	m += rate1(g-m); v += rate2(g*g-v); w -= alpha * m/(sqrt(v)+epsilon)
//
// with rate1 = 1-beta1, rate2 = 1-beta2, alpha = rate*sqrt(1-beta2^t)/(1-beta1^t). The differences are rounded to float32 once, as
// Keras does: 1-0.999 taken in float32 would be 5e-5 off. Moments below 2^-100 in magnitude become 0, so that none turns subnormal.
type AdamStep struct{ Alpha, Rate1, Rate2, Epsilon float32 }

// Impl is one variant of the loops.
type Impl struct {
	// Name as on the command line and in records: go; avx2, avx512.
	Name string
	// ShardWork is the least work, in elementary operations (a multiplication with its addition is one), that is worth handing to
	// another thread: some tens of microseconds of it.
	ShardWork int

	// ConvReLUPool is the fused forward pass of len(starts) samples. x[starts[r]:starts[r]+D] is sample r, w is [K][F], b [F].
	// a is [rows][Q][F] = max over the P positions of relu(conv+b), pick [rows][Q][F] the position chosen (the first of equals)
	// or Shut where a is 0. A NaN among the P values makes a NaN; its pick is then any position, not Shut.
	ConvReLUPool func(c Conv, starts []int, a []float32, pick []uint8, x, w, b []float32)
	// ConvReLUPoolGrad adds the samples' gradients: dw [K][F] +=, db [F] += from da [rows][Q][F] and pick.
	ConvReLUPoolGrad func(c Conv, starts []int, dw, db []float32, x, da []float32, pick []uint8)

	// Conv1D is y [rows][Out][F] from x [rows][D] and w [K][F]. Conv1DGrad is dw [K][F] += from x and dy [rows][Out][F].
	Conv1D     func(c Conv, rows int, y, x, w []float32)
	Conv1DGrad func(c Conv, rows int, dw, x, dy []float32)
	// MaxPool is y [rows][Q][F] from x [rows][Out][F]. MaxPoolGrad is dx [rows][Out][F]: dy at the first position that equals y
	// (or is a NaN), 0 elsewhere.
	MaxPool     func(c Conv, rows int, y, x []float32)
	MaxPoolGrad func(c Conv, rows int, dx, x, y, dy []float32)

	// MatMul is c [m][n] = a [m][k] b [k][n].
	MatMul func(m, k, n int, c, a, b []float32)
	// MatMulTA is c [k][n] += a^T b with a [m][k], b [m][n]: a dense layer's weight gradient.
	MatMulTA func(m, k, n int, c, a, b []float32)
	// MatMulTB is c [m][k] = a b^T with a [m][n], b [k][n]: a dense layer's input gradient.
	MatMulTB func(m, k, n int, c, a, b []float32)

	// BiasAdd is y [rows][n] = x + b[n]. ColumnSum is s[n] += the sum of x [rows][n] over its rows.
	BiasAdd   func(rows, n int, y, x, b []float32)
	ColumnSum func(rows, n int, s, x []float32)
	// ReLU is y = max(x, 0); ReLUGrad is dx = dy where y > 0, else 0 (NaN where y is NaN). Lengths are y's and dx's.
	ReLU     func(y, x []float32)
	ReLUGrad func(dx, dy, y []float32)
	// Softmax is y [rows][n], each row exp(x-max)/sum.
	Softmax func(rows, n int, y, x []float32)

	// Narrow converts float64 to float32, len(dst) of them.
	Narrow func(dst []float32, src []float64)
	// Adam updates w and the moments m, v from the gradient g, len(w) of them.
	Adam func(s AdamStep, w, m, v, g []float32)
	// Accumulate is dst += src, len(dst) of them: the same bits in every variant.
	Accumulate func(dst, src []float32)

	// Lanes is the compiled step's loops over blocks of samples that ride side by side; nil in portable Go.
	Lanes *Lanes
}

// Available lists the variants that this CPU can run, the best first; portable Go is always among them.
func Available() []*Impl {
	var impls []*Impl
	for _, v := range variants() {
		if v.runs {
			impls = append(impls, v.make())
		}
	}
	return impls
}

// Names lists the names of the available variants, the best first.
func Names() []string {
	var names []string
	for _, impl := range Available() {
		names = append(names, impl.Name)
	}
	return names
}

// Auto is the name that stands for the best variant available.
const Auto = "auto"

// Select returns the variant of that name; "auto", or no name, is the best available. The error lists those available here.
func Select(name string) (*Impl, error) {
	impls := Available()
	if name == Auto || name == "" {
		return impls[0], nil
	}
	for _, impl := range impls {
		if impl.Name == name {
			return impl, nil
		}
	}
	return nil, fmt.Errorf("kernel %q is not available here; available: %s, %s", name, Auto, strings.Join(Names(), ", "))
}
