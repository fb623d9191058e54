package kernel

import (
	"math"
	"testing"
)

func TestReLUAndItsGradient(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for n := range 40 {
			x, d := integers(1, n), integers(2, n)
			y, dx := destination(integers(3, n)), destination(integers(4, n))
			wantY, wantDX := make([]float64, n), make([]float64, n)
			for i := range x {
				if x[i] > 0 {
					wantY[i], wantDX[i] = float64(x[i]), float64(d[i])
				}
			}
			impl.ReLU(y.values(), x)
			y.equals(t, "y", wantY)
			impl.ReLUGrad(dx.values(), d, y.values())
			dx.equals(t, "dx", wantDX)
		}
	})
}

func TestReLUPassesNaNAndInfinity(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		y, dx := zeros(3), zeros(3)
		impl.ReLU(y, []float32{nan, inf, -inf})
		if !isNaN(y[0]) || y[1] != inf || y[2] != 0 {
			t.Errorf("ReLU is %v, want NaN, +Inf, 0", y)
		}
		impl.ReLUGrad(dx, []float32{1, 2, 3}, y)
		if !isNaN(dx[0]) || dx[1] != 2 || dx[2] != 0 {
			t.Errorf("gradient is %v, want NaN, 2, 0", dx)
		}
	})
}

func TestSoftmaxIsExpOverItsSumRowByRow(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const rows = 5
		for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 16, 17} {
			x, y := numbers(1, rows*n), destination(numbers(2, rows*n))
			x[0] = 200 // exp(200) is beyond float32
			impl.Softmax(rows, n, y.long(), x)
			for r := range rows {
				sum := 0.0
				for _, v := range x[r*n : (r+1)*n] {
					sum += math.Exp(float64(v))
				}
				for j, v := range x[r*n : (r+1)*n] {
					want := math.Exp(float64(v)) / sum
					if got := float64(y.values()[r*n+j]); !(math.Abs(got-want) <= 1e-6) {
						t.Fatalf("probability %d of row %d is %g, want %g", j, r, got, want)
					}
				}
			}
			y.intact(t, "Softmax")
		}
		y := zeros(4)
		impl.Softmax(2, 2, y, []float32{nan, 0, 1, 1})
		if !isNaN(y[0]) || !isNaN(y[1]) || y[2] != 0.5 {
			t.Errorf("softmax is %v, want a row of NaN and one of halves", y)
		}
	})
}
