package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// laneShapes go around the blocks of filters, and through windows with and without values behind the last pooled position.
func laneShapes() []Conv {
	var all []Conv
	for _, window := range []int{12, 13, 15, 16, 17, 31, 32, 33, 104, 107} {
		all = append(all, Conv{Window: window, Filters: 24, Taps: 9, Pool: 4})
	}
	for _, filters := range []int{8, 16, 40} {
		all = append(all, Conv{Window: 23, Filters: filters, Taps: 9, Pool: 4})
	}
	return all
}

const testUnits = 20

func TestLanesFitTheExperimentAndRefuseWhatTheyAreNotUnrolledFor(t *testing.T) {
	for _, impl := range Available() {
		if impl.Lanes == nil {
			continue
		}
		for _, c := range laneShapes() {
			if !impl.Lanes.Fits(c, testUnits) {
				t.Errorf("%s: %v does not fit", impl.Name, c)
			}
		}
		for _, c := range []Conv{
			{Window: 104, Filters: 24, Taps: 8, Pool: 4}, {Window: 104, Filters: 24, Taps: 9, Pool: 3},
			{Window: 104, Filters: 23, Taps: 9, Pool: 4}, {Window: 11, Filters: 24, Taps: 9, Pool: 4},
		} {
			if impl.Lanes.Fits(c, testUnits) {
				t.Errorf("%s: %v fits", impl.Name, c)
			}
		}
		if impl.Lanes.Fits(laneShapes()[0], testUnits-1) {
			t.Errorf("%s: %d units fit", impl.Name, testUnits-1)
		}
	}
}

func TestPackTurnsWindowsIntoLanesAndFillsTheRestWithZeros(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, d := range []int{1, 2, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 103, 104, 105} {
			series := numbers(uint64(d), d+5)
			narrow, wide := placed(o, series), placed(o, widened(series))
			x := placed(o, numbers(1, PaddedWindow(d)*LaneWidth))
			for n := 1; n <= LaneWidth; n++ {
				starts := make([]int, n)
				for i := range starts {
					starts[i] = (5 * (i + 1)) % 6 // 5 first: the window that ends with the series
				}
				want := make([]float64, len(x))
				for v := range d {
					for i, start := range starts {
						want[v*LaneWidth+i] = float64(series[start+v])
					}
				}
				if !l.Pack32(d, x, narrow, starts) {
					t.Fatalf("d=%d n=%d: float32 values are not moderate", d, n)
				}
				exactly(t, fmt.Sprintf("d=%d n=%d float32", d, n), x, want)
				clear(x)
				if !l.Pack64(d, x, wide, starts) {
					t.Fatalf("d=%d n=%d: float64 values are not moderate", d, n)
				}
				exactly(t, fmt.Sprintf("d=%d n=%d float64", d, n), x, want)
				l.Prefetch32(d, narrow, starts)
				l.Prefetch64(d, wide, starts)
			}
		}
		o.intact("pack")
	})
}

func TestPackTellsWhetherAllValuesAreModerate(t *testing.T) {
	limit := float64(1 << 10)
	above := float64(math.Nextafter32(1<<10, inf))
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		const d = 19
		narrow, wide := placed(o, zeros(d+2)), placed(o, make([]float64, d+2))
		x := placed(o, zeros(PaddedWindow(d)*LaneWidth))
		for _, c := range []struct {
			value float64
			want  bool
		}{
			{limit, true}, {-limit, true}, {above, false}, {-above, false}, {math.Inf(1), false}, {math.Inf(-1), false},
			{math.NaN(), false}, {math.Copysign(math.NaN(), -1), false}, {1e300, false},
		} {
			for place := range d + 2 {
				narrow[place], wide[place] = float32(c.value), c.value
				for start := range 3 {
					sees := place >= start && place < start+d
					want := c.want || !sees
					if got := l.Pack32(d, x, narrow, []int{start}); got != want {
						t.Fatalf("float32 %g at %d of [%d, %d): moderate is %t, want %t", c.value, place, start, start+d, got, want)
					}
					if got := l.Pack64(d, x, wide, []int{start}); got != want {
						t.Fatalf("float64 %g at %d of [%d, %d): moderate is %t, want %t", c.value, place, start, start+d, got, want)
					}
				}
				narrow[place], wide[place] = 0, 0
			}
			if got := Moderate([]float32{0, float32(c.value)}); got != c.want {
				t.Errorf("Moderate(%g) is %t, want %t", c.value, got, c.want)
			}
		}
	})
}

// lanesOf are whole numbers for n values of a block.
func lanesOf(seed uint64, n int) []float32 { return integers(seed, n*LaneWidth) }

// pooledLanes is the fused convolution of a block in float64: the pooled values, and the position of the first maximum.
func pooledLanes(c Conv, x, w, b []float32) (a []float64, at []int) {
	for p := range c.Pooled() {
		for f := range c.Filters {
			for s := range LaneWidth {
				top, best := 0.0, 0
				for u := range c.Pool {
					v := float64(b[f])
					for k := range c.Taps {
						v += float64(x[(p*c.Pool+u+k)*LaneWidth+s]) * float64(w[k*c.Filters+f])
					}
					if v > top {
						top, best = v, u
					}
				}
				a, at = append(a, top), append(at, best)
			}
		}
	}
	return a, at
}

// convSums is what a block adds to the sums [K+1][F][L], given the positions chosen.
func convSums(c Conv, x, da []float32, at []int) []float64 {
	sums := make([]float64, (c.Taps+1)*c.Filters*LaneWidth)
	q := c.Pooled()
	for i, u := range at {
		s, f, p := i%LaneWidth, i/LaneWidth%c.Filters, i/LaneWidth/c.Filters
		d := float64(da[(f*q+p)*LaneWidth+s])
		for k := range c.Taps {
			sums[(k*c.Filters+f)*LaneWidth+s] += d * float64(x[(p*c.Pool+u+k)*LaneWidth+s])
		}
		sums[(c.Taps*c.Filters+f)*LaneWidth+s] += d
	}
	return sums
}

// open keeps the gradients da [F][Q][L] only where a [Q][F][L] is above 0.
func openOnly(c Conv, da []float32, a []float64) []float32 {
	kept, q := slices.Clone(da), c.Pooled()
	for i, v := range a {
		s, f, p := i%LaneWidth, i/LaneWidth%c.Filters, i/LaneWidth/c.Filters
		if !(v > 0) {
			kept[(f*q+p)*LaneWidth+s] = 0
		}
	}
	return kept
}

// The gradient shows which position was picked, in whatever form a variant keeps that.
func TestLanesPoolTheFirstMaximumAndSendTheGradientBackThere(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, c := range laneShapes() {
			flat := c.Pooled() * c.Filters
			x := placed(o, lanesOf(1, c.Window))
			w, b := placed(o, integers(2, c.Taps*c.Filters)), placed(o, integers(3, c.Filters))
			taps := placed(o, integers(4, c.Filters*TapWords))
			a, picks := placed(o, lanesOf(5, flat)), placed(o, make([]byte, flat*l.PickBytes))
			l.ConvTaps(c, taps, w, b)
			l.ConvReLUPool(c, a, picks, x, taps)
			want, at := pooledLanes(c, x, w, b)
			exactly(t, fmt.Sprintf("%v: a", c), a, want)

			old := lanesOf(6, (c.Taps+1)*c.Filters)
			da, sums := placed(o, openOnly(c, lanesOf(7, flat), want)), placed(o, old)
			l.ConvGrad(c, sums, x, da, picks)
			added := convSums(c, x, da, at)
			for i := range added {
				added[i] += float64(old[i])
			}
			exactly(t, fmt.Sprintf("%v: sums", c), sums, added)
		}
		o.intact("convolution")
	})
}

func TestLanesConvolveWithinRoundingOfFloat64(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		c := Conv{Window: 104, Filters: 24, Taps: 9, Pool: 4}
		flat := c.Pooled() * c.Filters
		x := placed(o, numbers(1, c.Window*LaneWidth))
		w, b := numbers(2, c.Taps*c.Filters), numbers(3, c.Filters)
		taps, a, picks := zeros(c.Filters*TapWords), zeros(flat*LaneWidth), make([]byte, flat*l.PickBytes)
		l.ConvTaps(c, taps, w, b)
		l.ConvReLUPool(c, a, picks, x, taps)
		want, _ := pooledLanes(c, x, w, b)
		closely(t, "a", 4e-6, a, want) // sums of ten terms of about 1: some twenty roundings of 2^-23
	})
}

// Where all values of a window are equal, so are the four positions, bit by bit, and the first is picked.
func TestLanesPickTheFirstOfPositionsThatSeeTheSame(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		c := Conv{Window: 20, Filters: 8, Taps: 9, Pool: 4}
		flat := c.Pooled() * c.Filters
		x := placed(o, zeros(c.Window*LaneWidth))
		for i := range x {
			x[i] = 0.1 * float32(1+i%LaneWidth)
		}
		taps, a, picks := zeros(c.Filters*TapWords), zeros(flat*LaneWidth), make([]byte, flat*l.PickBytes)
		l.ConvTaps(c, taps, numbers(2, c.Taps*c.Filters), numbers(3, c.Filters))
		l.ConvReLUPool(c, a, picks, x, taps)
		for i := range x { // now each row tells itself apart
			x[i] = float32(i / LaneWidth)
		}
		da, sums := openOnly(c, lanesOf(4, flat), widened(a)), zeros((c.Taps+1)*c.Filters*LaneWidth)
		l.ConvGrad(c, sums, x, da, picks)
		exactly(t, "sums", sums, convSums(c, x, da, make([]int, len(a))))
	})
}
