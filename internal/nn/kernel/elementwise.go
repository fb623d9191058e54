package kernel

import "math"

// The functions of this file are the small operations of the eager execution. They have no variants: their tensors are a few
// values a sample. Lengths are those of dst, save where a comment says otherwise.

// number is what can be added.
type number interface{ float32 | int }

// Neg is dst = -x.
func Neg(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = -v
	}
}

// Reciprocal is dst = 1/x.
func Reciprocal(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = 1 / v
	}
}

// Sqrt is dst = sqrt(x).
func Sqrt(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = float32(math.Sqrt(float64(v)))
	}
}

// Log is the natural logarithm of x.
func Log(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = float32(math.Log(float64(v)))
	}
}

// Fill sets every value of dst.
func Fill(dst []float32, value float32) {
	for i := range dst {
		dst[i] = value
	}
}

// The binary functions take an operand of one value for a constant.

// zip is dst = f(a, b), value by value. It is written short enough to be inlined, f with it.
func zip[T, R any](dst []R, a, b []T, f func(a, b T) R) {
	overA, overB := stride(len(a)), stride(len(b))
	for i := range dst {
		dst[i] = f(a[i&overA], b[i&overB])
	}
}

// stride is a mask that leaves an index as it is, or makes it 0 where there is one value only.
func stride(n int) int {
	if n == 1 {
		return 0
	}
	return -1
}

// Add is dst = a + b.
func Add[T number](dst, a, b []T) { zip(dst, a, b, func(x, y T) T { return x + y }) }

// Sub is dst = a - b.
func Sub(dst, a, b []float32) { zip(dst, a, b, func(x, y float32) float32 { return x - y }) }

// Mul is dst = a * b.
func Mul(dst, a, b []float32) { zip(dst, a, b, func(x, y float32) float32 { return x * y }) }

// Div is dst = a / b.
func Div(dst, a, b []float32) { zip(dst, a, b, func(x, y float32) float32 { return x / y }) }

// DivNoNaN is dst = a / b, and 0 where b is 0.
func DivNoNaN(dst, a, b []float32) {
	zip(dst, a, b, func(x, y float32) float32 {
		if y == 0 {
			return 0
		}
		return x / y
	})
}

// Min is the smaller of a and b, a NaN where either is one.
func Min(dst, a, b []float32) { zip(dst, a, b, func(x, y float32) float32 { return min(x, y) }) }

// Max is the larger of a and b, a NaN where either is one.
func Max(dst, a, b []float32) { zip(dst, a, b, func(x, y float32) float32 { return max(x, y) }) }

// Pow is a to the power of b, computed in float64.
func Pow(dst, a, b []float32) {
	zip(dst, a, b, func(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) })
}

// LessEqual is dst = a <= b, false where either is a NaN.
func LessEqual(dst []bool, a, b []float32) {
	zip(dst, a, b, func(x, y float32) bool { return x <= y })
}

// GreaterEqual is dst = a >= b, false where either is a NaN.
func GreaterEqual(dst []bool, a, b []float32) {
	zip(dst, a, b, func(x, y float32) bool { return x >= y })
}

// Equal is dst = a == b.
func Equal(dst []bool, a, b []int) { zip(dst, a, b, func(x, y int) bool { return x == y }) }

// Where is a where mask is true, else b.
func Where(dst []float32, mask []bool, a, b []float32) {
	for i, m := range mask[:len(dst)] {
		if m {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}

// RowSum is dst [rows], the sum of each row of x [rows][n].
func RowSum(rows, n int, dst, x []float32) {
	for r := range rows {
		sum := float32(0)
		for _, v := range x[r*n : r*n+n] {
			sum += v
		}
		dst[r] = sum
	}
}

// ArgMax is dst [rows], the place of the largest value in each row of x [rows][n]: the first of equals. A NaN is never larger.
func ArgMax(rows, n int, dst []int, x []float32) {
	for r := range rows {
		best := 0
		row := x[r*n : r*n+n]
		for i, v := range row {
			if v > row[best] {
				best = i
			}
		}
		dst[r] = best
	}
}

// FromInts is dst = float32(x).
func FromInts(dst []float32, x []int) {
	for i, v := range x[:len(dst)] {
		dst[i] = float32(v)
	}
}

// FromBools is 1 where x is true, else 0.
func FromBools(dst []float32, x []bool) {
	for i, v := range x[:len(dst)] {
		dst[i] = 0
		if v {
			dst[i] = 1
		}
	}
}

// OneHot is dst [len(classes)][depth]: 1 at each row's class, else 0. A class of depth or more has a row of zeros.
func OneHot(depth int, dst []float32, classes []uint8) {
	clear(dst[:len(classes)*depth])
	for r, class := range classes {
		if int(class) < depth {
			dst[r*depth+int(class)] = 1
		}
	}
}

// Repeat writes dst[lo:hi] of dst [len(src)*times], in which each value of src stands that often in a row.
func Repeat(dst, src []float32, times, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst[i] = src[i/times]
	}
}

// Gather is dst [len(starts)][width]: the width values of x from row starts[r] on, where a row of x has that many channels.
func Gather[T float32 | float64](width, channels int, dst, x []T, starts []int) {
	for r, start := range starts {
		from := start * channels
		copy(dst[r*width:(r+1)*width], x[from:from+width])
	}
}
