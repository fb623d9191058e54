package kernel

import (
	"fmt"
	"testing"
)

func TestMaxPoolIsTheLargestAndItsGradientGoesToTheFirst(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, c := range geometries() {
			out, q, f := c.Out(), c.Pooled(), c.Filters
			x, dy := integers(1, convRows*out*f), integers(2, convRows*q*f)
			wantY, wantDX := make([]float64, convRows*q*f), make([]float64, convRows*out*f)
			for i := range wantY {
				j, p, r := i%f, i/f%q, i/f/q
				at := (r*out+p*c.Pool)*f + j
				for u := range c.Pool {
					if k := (r*out+p*c.Pool+u)*f + j; x[k] > x[at] {
						at = k
					}
				}
				wantY[i], wantDX[at] = float64(x[at]), float64(dy[i])
			}
			y, dx := destination(integers(3, len(wantY))), destination(integers(4, len(wantDX)))
			impl.MaxPool(c, convRows, y.long(), x)
			y.equals(t, fmt.Sprintf("%v: y", c), wantY)
			impl.MaxPoolGrad(c, convRows, dx.long(), x, y.values(), dy)
			dx.equals(t, fmt.Sprintf("%v: dx", c), wantDX)
		}
	})
}

func TestMaxPoolPassesANaNOnAndItsGradientBack(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		c := Conv{Window: 8, Filters: 1, Taps: 1, Pool: 4}
		x, y, dx := []float32{1, 2, nan, 4, 5, 6, 7, -inf}, zeros(2), zeros(8)
		impl.MaxPool(c, 1, y, x)
		if !isNaN(y[0]) || y[1] != 7 {
			t.Errorf("pooled %v, want NaN and 7", y)
		}
		impl.MaxPoolGrad(c, 1, dx, x, y, []float32{3, 5})
		sameBits(t, "dx", dx, []float32{0, 0, 3, 0, 0, 0, 5, 0})
	})
}
