package kernel

import "math"

// relu is y = max(x, 0), len(y) of them.
func relu(y, x []float32) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] = max(v, 0)
	}
}

// reluGrad is dx = dy where y > 0, else 0 (NaN where y is NaN), len(dx) of them.
func reluGrad(dx, dy, y []float32) {
	dy, y = dy[:len(dx)], y[:len(dx)]
	for i, v := range y {
		d := dy[i]
		if v <= 0 {
			d = 0
		} else if v != v {
			d = v
		}
		dx[i] = d
	}
}

// softmax is y [rows][n], each row exp(x-max)/sum.
func softmax(rows, n int, y, x []float32) {
	for r := range rows {
		in, out := x[r*n:r*n+n], y[r*n:r*n+n]
		top := in[0]
		for _, v := range in[1:] {
			top = max(top, v)
		}
		sum := float32(0)
		for j, v := range in {
			out[j] = float32(math.Exp(float64(v - top)))
			sum += out[j]
		}
		for j := range out {
			out[j] /= sum
		}
	}
}
