package kernel

import (
	"math"
	"testing"
)

var adamStep = AdamStep{Alpha: 1e-3, Rate1: 0.1, Rate2: 0.001, Epsilon: 1e-7}

func TestAdamIsKerassFormula(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for n := range 40 {
			w, m, v := destination(numbers(1, n)), destination(zeros(n)), destination(zeros(n))
			wantW, wantM, wantV := widened(w.values()), make([]float64, n), make([]float64, n)
			for step := range uint64(5) {
				g := numbers(2+step, n)
				impl.Adam(adamStep, w.values(), m.values(), v.values(), g)
				for i := range g {
					d := float64(g[i])
					wantM[i] += 0.1 * (d - wantM[i])
					wantV[i] += 0.001 * (d*d - wantV[i])
					wantW[i] -= 1e-3 * wantM[i] / (math.Sqrt(wantV[i]) + 1e-7)
				}
			}
			for i := range n {
				if d := math.Abs(float64(w.values()[i]) - wantW[i]); !(d <= 1e-6) {
					t.Fatalf("weight %d of %d is %g, want %g", i, n, w.values()[i], wantW[i])
				}
			}
			w.intact(t, "w")
			m.intact(t, "m")
			v.intact(t, "v")
		}
	})
}

// With gradients of 0 the moments only shrink; none may end subnormal, where arithmetic is many times slower.
func TestAdamLeavesNoSubnormalMoment(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		w, m, v, g := numbers(1, 19), numbers(2, 19), numbers(3, 19), zeros(19)
		for i := range v {
			v[i] = float32(math.Abs(float64(v[i]))) * 0x1p-99
		}
		for range 2000 {
			impl.Adam(adamStep, w, m, v, g)
			for i := range w {
				for _, x := range []float32{m[i], v[i]} {
					if x != 0 && !(math.Abs(float64(x)) >= 0x1p-126) {
						t.Fatalf("moment %d is %g, which is subnormal", i, x)
					}
				}
			}
		}
		for i, x := range m {
			if x != 0 {
				t.Errorf("first moment %d is %g after 2,000 steps, want 0", i, x)
			}
		}
	})
}

// One step with gradients of 0 and rates of a half halves each moment, exactly; what then lies below 2^-100 in magnitude is 0.
func TestAMomentBelowTwoToTheMinus100BecomesZero(t *testing.T) {
	const least = 0x1p-100
	above := math.Nextafter32(2*least, 1)
	below := math.Nextafter32(2*least, 0)
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range []struct{ old, want float32 }{
			{below, 0}, {2 * least, least}, {above, above / 2}, {0x1p-126, 0}, {0x1p-140, 0}, {1, 0.5}, {0, 0},
		} {
			for at := range 19 {
				w, m, v := zeros(19), zeros(19), zeros(19)
				other := zeros(19)
				m[at], other[at], v[at] = c.old, -c.old, c.old
				impl.Adam(AdamStep{Rate1: 0.5, Rate2: 0.5, Epsilon: 1}, w, m, v, zeros(19))
				impl.Adam(AdamStep{Rate1: 0.5, Rate2: 0.5, Epsilon: 1}, w, other, zeros(19), zeros(19))
				if m[at] != c.want || other[at] != -c.want || v[at] != c.want {
					t.Fatalf("%g at %d: first moments %g and %g, second %g; want %g, its negative, and %[6]g", c.old, at, m[at], other[at], v[at], c.want)
				}
			}
		}
	})
}

func TestANaNGradientMakesTheWeightNaN(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for at := range 19 {
			w, m, v, g := numbers(1, 19), zeros(19), zeros(19), numbers(2, 19)
			g[at] = nan
			impl.Adam(adamStep, w, m, v, g)
			for i := range w {
				if isNaN(w[i]) != (i == at) || isNaN(m[i]) != (i == at) || isNaN(v[i]) != (i == at) {
					t.Fatalf("NaN in gradient %d: weight %d is %g, its moments %g and %g", at, i, w[i], m[i], v[i])
				}
			}
		}
	})
}
