package kernel

import (
	"fmt"
	"math"
	"testing"
)

// geometries go around every tile: of filters, taps, pooled positions, and the width of the pool.
func geometries() []Conv {
	var all []Conv
	for _, f := range []int{1, 2, 3, 6, 7, 8, 10, 14, 17, 23, 24, 25, 31, 32, 33, 48, 49, 65} {
		all = append(all, Conv{Window: 30, Filters: f, Taps: 9, Pool: 4})
	}
	for _, taps := range []int{1, 2, 6, 7, 8, 9, 13, 14, 15, 21} {
		all = append(all, Conv{Window: 41, Filters: 5, Taps: taps, Pool: 3})
	}
	for _, pool := range []int{1, 2, 3, 4, 5, 7, 8, 9, 255} {
		all = append(all, Conv{Window: 2*pool + 4, Filters: 4, Taps: 3, Pool: pool})
	}
	for _, pooled := range []int{1, 63, 64, 65, 128, 129} {
		all = append(all, Conv{Window: 2*pooled + 2, Filters: 3, Taps: 3, Pool: 2})
	}
	return append(all, Conv{Window: 104, Filters: 24, Taps: 9, Pool: 4}, Conv{Window: 103, Filters: 24, Taps: 9, Pool: 4})
}

func (c Conv) String() string {
	return fmt.Sprintf("D%dF%dK%dP%d", c.Window, c.Filters, c.Taps, c.Pool)
}

const convRows = 3

// overlapping are starts of samples in a series that share values.
func overlapping() []int { return []int{0, 2, 1} }

// convolved is the valid convolution of the samples at starts, in float64: [row][position][filter].
func convolved(c Conv, starts []int, x, w, b []float32) [][][]float64 {
	var y [][][]float64
	for _, start := range starts {
		var row [][]float64
		for t := range c.Out() {
			position := widened(b)
			for j := range position {
				for k := range c.Taps {
					position[j] += float64(x[start+t+k]) * float64(w[k*c.Filters+j])
				}
			}
			row = append(row, position)
		}
		y = append(y, row)
	}
	return y
}

func TestConvReLUPoolIsConvolutionBiasReLUAndTheFirstMaximum(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			starts, x := overlapping(), integers(1, c.Window+2)
			w, b := integers(2, c.Taps*c.Filters), integers(3, c.Filters)
			n := len(starts) * c.Pooled() * c.Filters
			a, pick := destination(integers(4, n)), make([]uint8, n+1)
			pick[n] = 77
			impl.ConvReLUPool(c, starts, a.long(), pick, x, w, b)

			var want []float64
			for r, row := range convolved(c, starts, x, w, b) {
				for p := range c.Pooled() {
					for j := range c.Filters {
						top, at := 0.0, Shut
						for u := range c.Pool {
							if v := row[p*c.Pool+u][j]; v > top {
								top, at = v, u
							}
						}
						if got := pick[len(want)]; int(got) != at {
							t.Fatalf("%v: pick of row %d, position %d, filter %d is %d, want %d", c, r, p, j, got, at)
						}
						want = append(want, top)
					}
				}
			}
			a.equals(t, fmt.Sprintf("%v: a", c), want)
			if pick[n] != 77 {
				t.Fatalf("%v: the byte behind the picks was overwritten", c)
			}
		}
	})
}

func TestConvReLUPoolGradAddsWhatTheChosenPositionsSaw(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			starts, x := overlapping(), integers(1, c.Window+2)
			n := len(starts) * c.Pooled() * c.Filters
			da, pick := integers(2, n), make([]uint8, n)
			for i := range pick {
				if pick[i] = uint8((i * 7) % (c.Pool + 1)); int(pick[i]) == c.Pool {
					pick[i] = Shut
				}
			}
			oldW, oldB := integers(3, c.Taps*c.Filters), integers(4, c.Filters)
			dw, db := destination(oldW), destination(oldB)
			impl.ConvReLUPoolGrad(c, starts, dw.long(), db.long(), x, da, pick)

			wantW, wantB := widened(oldW), widened(oldB)
			for i, d := range da {
				j, p, r := i%c.Filters, i/c.Filters%c.Pooled(), i/c.Filters/c.Pooled()
				if pick[i] == Shut {
					continue
				}
				wantB[j] += float64(d)
				for k := range c.Taps {
					wantW[k*c.Filters+j] += float64(d) * float64(x[starts[r]+p*c.Pool+int(pick[i])+k])
				}
			}
			dw.equals(t, fmt.Sprintf("%v: dw", c), wantW)
			db.equals(t, fmt.Sprintf("%v: db", c), wantB)
		}
	})
}

func TestConv1DIsTheValidConvolution(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			x, w := integers(1, convRows*c.Window), integers(2, c.Taps*c.Filters)
			y := destination(integers(3, convRows*c.Out()*c.Filters))
			impl.Conv1D(c, convRows, y.long(), x, w)
			var want []float64
			for _, row := range convolved(c, []int{0, c.Window, 2 * c.Window}, x, w, zeros(c.Filters)) {
				for _, position := range row {
					want = append(want, position...)
				}
			}
			y.equals(t, fmt.Sprintf("%v: y", c), want)
		}
	})
}

func TestConv1DGradAddsTheGradientByTheTaps(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			x, dy := integers(1, convRows*c.Window), integers(2, convRows*c.Out()*c.Filters)
			old := integers(3, c.Taps*c.Filters)
			dw := destination(old)
			impl.Conv1DGrad(c, convRows, dw.long(), x, dy)
			want := widened(old)
			for i, d := range dy {
				j, p, r := i%c.Filters, i/c.Filters%c.Out(), i/c.Filters/c.Out()
				for k := range c.Taps {
					want[k*c.Filters+j] += float64(d) * float64(x[r*c.Window+p+k])
				}
			}
			dw.equals(t, fmt.Sprintf("%v: dw", c), want)
		}
	})
}

// What a sample gets must not depend on the samples beside it.
func TestASampleOfTheFusedConvolutionIsTheSameBitsAlone(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			x, w, b := numbers(1, c.Window+2), numbers(2, c.Taps*c.Filters), numbers(3, c.Filters)
			flat := c.Pooled() * c.Filters
			a, pick := zeros(3*flat), make([]uint8, 3*flat)
			one, onePick := zeros(flat), make([]uint8, flat)
			impl.ConvReLUPool(c, overlapping(), a, pick, x, w, b)
			for r, start := range overlapping() {
				impl.ConvReLUPool(c, []int{start}, one, onePick, x, w, b)
				sameBits(t, fmt.Sprintf("%v: a", c), a[r*flat:(r+1)*flat], one)
			}
		}
	})
}

func TestANaNAmongAPoolGroupMakesThePooledValueNaN(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			x, w, b := integers(1, c.Window), integers(2, c.Taps*c.Filters), integers(3, c.Filters)
			n := c.Pooled() * c.Filters
			for _, sign := range []float64{1, -1} {
				for at := range x {
					a, pick := zeros(n), make([]uint8, n)
					spoiled := append([]float32(nil), x...)
					spoiled[at] = float32(math.Copysign(math.NaN(), sign))
					impl.ConvReLUPool(c, []int{0}, a, pick, spoiled, w, b)
					for i, v := range a {
						p := i / c.Filters
						sees := at >= p*c.Pool && at < (p+1)*c.Pool+c.Taps-1
						if isNaN(v) != sees || sees && pick[i] == Shut {
							t.Fatalf("%v: NaN at %d: pooled value %d is %g, its pick %d", c, at, i, v, pick[i])
						}
					}
				}
			}
		}
	})
}

// Two infinities of opposite sign in one group are no NaN: the positive one is the largest.
func TestInfinitiesArePooledAsNumbers(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		c := Conv{Window: 4, Filters: 1, Taps: 1, Pool: 4}
		a, pick := zeros(1), make([]uint8, 1)
		impl.ConvReLUPool(c, []int{0}, a, pick, []float32{1, -inf, inf, 2}, []float32{1}, []float32{0})
		if a[0] != inf || pick[0] != 2 {
			t.Errorf("pooled %g at %d, want +Inf at 2", a[0], pick[0])
		}
		impl.ConvReLUPool(c, []int{0}, a, pick, []float32{-inf, -inf, -inf, -inf}, []float32{1}, []float32{0})
		if a[0] != 0 || pick[0] != Shut {
			t.Errorf("pooled %g at %d, want 0 and shut", a[0], pick[0])
		}
	})
}

// A shut value gets no gradient, not even 0 times an infinity.
func TestAShutValueAddsNothing(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		c := Conv{Window: 104, Filters: 24, Taps: 9, Pool: 4}
		x, n := zeros(c.Window), c.Pooled()*c.Filters
		pick := make([]uint8, n)
		for i := range x {
			x[i] = inf
		}
		for i := range pick {
			pick[i] = Shut
		}
		dw, db := destination(zeros(c.Taps*c.Filters)), destination(zeros(c.Filters))
		impl.ConvReLUPoolGrad(c, []int{0}, dw.long(), db.long(), x, numbers(1, n), pick)
		dw.equals(t, "dw", make([]float64, c.Taps*c.Filters))
		db.equals(t, "db", make([]float64, c.Filters))
	})
}
