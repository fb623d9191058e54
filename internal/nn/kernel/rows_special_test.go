package kernel

import (
	"math"
	"testing"
)

func nanOf(sign float64) float32 { return float32(math.Copysign(math.NaN(), sign)) }

// specialGeometries have filters in every place of a vector, and positions left over.
func specialGeometries() []Conv {
	var all []Conv
	for _, f := range []int{1, 8, 17, 24, 27} {
		all = append(all, Conv{Window: 9, Filters: f, Taps: 1, Pool: 4}, Conv{Window: 5, Filters: f, Taps: 1, Pool: 1})
	}
	return all
}

func TestMaxPoolTakesANaNAnywhereAndItsGradientGoesThere(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range specialGeometries() {
			out, q, f := c.Out(), c.Pooled(), c.Filters
			clean, dy := integers(1, out*f), zeros(q*f)
			for i := range dy {
				dy[i] = float32(i + 1)
			}
			for at := range clean {
				for _, sign := range []float64{1, -1} {
					x := append([]float32(nil), clean...)
					x[at] = nanOf(sign)
					y, dx := zeros(q*f), zeros(out*f)
					impl.MaxPool(c, 1, y, x)
					impl.MaxPoolGrad(c, 1, dx, x, y, dy)
					spoiled := at/f/c.Pool*f + at%f
					for i, v := range y {
						if isNaN(v) != (i == spoiled) {
							t.Fatalf("%v: NaN at %d: pooled value %d is %g", c, at, i, v)
						}
					}
					if spoiled < len(y) && dx[at] != dy[spoiled] {
						t.Fatalf("%v: NaN at %d: its gradient is %g, want %g", c, at, dx[at], dy[spoiled])
					}
					sum, want := 0.0, 0.0
					for _, v := range dx {
						sum += float64(v)
					}
					for _, v := range dy {
						want += float64(v)
					}
					if !(sum == want) {
						t.Fatalf("%v: NaN at %d: all gradients are %g, want %g", c, at, sum, want)
					}
				}
			}
		}
	})
}

func TestMaxPoolTakesInfinitiesAsNumbers(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, f := range []int{1, 8, 17, 24, 27} {
			c := Conv{Window: 12, Filters: f, Taps: 1, Pool: 4}
			x, y, dx, dy := zeros(12*f), zeros(3*f), zeros(12*f), zeros(3*f)
			groups := []float32{1, -inf, inf, inf, -inf, -inf, -inf, -inf, -inf, -3, -inf, -3}
			for i := range x {
				x[i] = groups[i/f]
			}
			for i := range dy {
				dy[i] = inf // none of it reaches the other positions, not even 0 times it
			}
			impl.MaxPool(c, 1, y, x)
			impl.MaxPoolGrad(c, 1, dx, x, y, dy)
			for i, v := range y {
				if want := []float32{inf, -inf, -3}[i/f]; v != want {
					t.Fatalf("%d filters: pooled %g, want %g", f, v, want)
				}
			}
			for i, v := range dx {
				want := float32(0)
				if at := i / f; at == 2 || at == 4 || at == 9 {
					want = inf
				}
				if v != want {
					t.Fatalf("%d filters: gradient %d is %g, want %g", f, i, v, want)
				}
			}
		}
	})
}

func TestReLUAndItsGradientTakeNaNAndInfinityAnywhere(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for n := 1; n < 40; n++ {
			for at := range n {
				for _, c := range []struct{ x, y, d, dx float32 }{
					{nan, nan, 1, nan}, {nanOf(-1), nan, -inf, nan}, {inf, inf, 5, 5}, {-inf, 0, inf, 0}, {-1, 0, nan, 0}, {2, 2, nan, nan}, {2, 2, -inf, -inf},
				} {
					x, d, y, dx := zeros(n), zeros(n), zeros(n), zeros(n)
					for i := range x {
						x[i], d[i] = 1, 2
					}
					x[at], d[at] = c.x, c.d
					impl.ReLU(y, x)
					impl.ReLUGrad(dx, d, y)
					for i := range x {
						wantY, wantDX := float32(1), float32(2)
						if i == at {
							wantY, wantDX = c.y, c.dx
						}
						if !same(y[i], wantY) || !same(dx[i], wantDX) {
							t.Fatalf("%g at %d of %d: value %d is %g and its gradient %g, want %g and %g", c.x, at, n, i, y[i], dx[i], wantY, wantDX)
						}
					}
				}
			}
		}
	})
}

// same is equality in which a NaN equals a NaN.
func same(a, b float32) bool { return a == b || isNaN(a) && isNaN(b) }

func TestANaNReachesTheConvolutionsThatSeeItAndNoOther(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, f := range rowWidths() {
			c := Conv{Window: 21, Filters: f, Taps: 9, Pool: 4}
			out := c.Out()
			for at := range c.Window {
				x, y, dw := integers(1, c.Window), zeros(out*f), zeros(c.Taps*f)
				x[at] = nan
				impl.Conv1D(c, 1, y, x, zeros(c.Taps*f))
				impl.Conv1DGrad(c, 1, dw, x, zeros(out*f))
				for i, v := range y {
					if isNaN(v) != (i/f <= at && at < i/f+c.Taps) {
						t.Fatalf("%v: NaN at %d: value %d is %g", c, at, i, v)
					}
				}
				for i, v := range dw {
					if isNaN(v) != (i/f <= at && at < i/f+out) {
						t.Fatalf("%v: NaN at %d: gradient %d is %g", c, at, i, v)
					}
				}
			}
		}
	})
}

func TestANaNStaysInItsColumn(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const rows = 3
		for _, n := range rowWidths() {
			for at := range rows * n {
				x, y, s := integers(1, rows*n), zeros(rows*n), zeros(n)
				x[at] = nan
				impl.BiasAdd(rows, n, y, x, zeros(n))
				impl.ColumnSum(rows, n, s, x)
				for i, v := range y {
					if isNaN(v) != (i == at) {
						t.Fatalf("BiasAdd by %d: NaN at %d, value %d is %g", n, at, i, v)
					}
				}
				for i, v := range s {
					if isNaN(v) != (i == at%n) {
						t.Fatalf("ColumnSum by %d: NaN at %d, sum %d is %g", n, at, i, v)
					}
				}
			}
		}
	})
}

// A NaN in the second operand of a product reaches its column, whichever panel that is in.
func TestANaNOfTheSecondOperandReachesItsColumnAndNoOther(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const m, k = 11, 3
		for _, n := range append(rowWidths(), 65) {
			for at := range k * n {
				b := integers(1, k*n)
				b[at] = nan
				c := zeros(m * n)
				impl.MatMul(m, k, n, c, zeros(m*k), b)
				for i, v := range c {
					if isNaN(v) != (i%n == at%n) {
						t.Fatalf("MatMul by %d: NaN at %d, value %d is %g", n, at, i, v)
					}
				}
				clear(c)
				impl.MatMulTB(m, n, k, c, zeros(m*k), b) // b is [n][k] here
				for i, v := range c {
					if isNaN(v) != (i%n == at/k) {
						t.Fatalf("MatMulTB by %d: NaN at %d, value %d is %g", n, at, i, v)
					}
				}
			}
		}
	})
}
