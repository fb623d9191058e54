package kernel

// biasAdd is y [rows][n] = x + b [n].
func biasAdd(rows, n int, y, x, b []float32) {
	b = b[:n]
	for r := range rows {
		in, out := x[r*n:][:len(b)], y[r*n:][:len(b)]
		for j, v := range b {
			out[j] = in[j] + v
		}
	}
}

// columnSum is s [n] += the sum of x [rows][n] over its rows, in their order.
func columnSum(rows, n int, s, x []float32) {
	s = s[:n]
	for r := range rows {
		for j, v := range x[r*n:][:len(s)] {
			s[j] += v
		}
	}
}

// narrow converts float64 to float32, len(dst) of them.
func narrow(dst []float32, src []float64) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] = float32(v)
	}
}
