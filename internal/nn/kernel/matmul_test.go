package kernel

import (
	"fmt"
	"testing"
)

// product is a [m][k] b [k][n] in float64; at and bt say whether an operand is stored transposed.
func product(m, k, n int, a, b []float32, at, bt bool) []float64 {
	c := make([]float64, m*n)
	for i := range m {
		for l := range k {
			for j := range n {
				u, v := i*k+l, l*n+j
				if at {
					u = l*m + i
				}
				if bt {
					v = j*k + l
				}
				c[i*n+j] += float64(a[u]) * float64(b[v])
			}
		}
	}
	return c
}

func matMulSizes(test func(m, k, n int)) {
	sizes := []int{1, 2, 3, 4, 6, 7, 8, 10, 13, 14, 15, 20, 24, 25, 33}
	for _, m := range sizes {
		for _, k := range sizes {
			for _, n := range sizes {
				test(m, k, n)
			}
		}
	}
	for _, long := range []int{63, 64, 65, 127, 128, 129, 130, 576} {
		test(long, 9, 20)
		test(16, long, 20)
		test(5, 10, long)
		test(2, long, 49)
	}
	test(0, 5, 4)
	test(3, 0, 4)
	test(3, 4, 0)
}

func TestMatMulIsTheProduct(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		matMulSizes(func(m, k, n int) {
			a, b, c := integers(1, m*k), integers(2, k*n), destination(integers(3, m*n))
			impl.MatMul(m, k, n, c.long(), a, b)
			c.equals(t, fmt.Sprintf("MatMul %dx%dx%d", m, k, n), product(m, k, n, a, b, false, false))
		})
	})
}

func TestMatMulTAAddsTheProductWithATransposed(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		matMulSizes(func(m, k, n int) {
			a, b, old := integers(1, m*k), integers(2, m*n), integers(3, k*n)
			c := destination(old)
			impl.MatMulTA(m, k, n, c.long(), a, b)
			want := product(k, m, n, a, b, true, false)
			for i := range want {
				want[i] += float64(old[i])
			}
			c.equals(t, fmt.Sprintf("MatMulTA %dx%dx%d", m, k, n), want)
		})
	})
}

func TestMatMulTBIsTheProductWithBTransposed(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		matMulSizes(func(m, k, n int) {
			a, b, c := integers(1, m*n), integers(2, k*n), destination(integers(3, m*k))
			impl.MatMulTB(m, k, n, c.long(), a, b)
			c.equals(t, fmt.Sprintf("MatMulTB %dx%dx%d", m, k, n), product(m, n, k, a, b, false, true))
		})
	})
}

// What a sample gets must not depend on the samples beside it.
func TestARowOfAProductIsTheSameBitsAlone(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const m, k, n = 17, 100, 23
		a, b, bt := numbers(1, m*k), numbers(2, k*n), numbers(3, n*k)
		together, alone := zeros(m*n), zeros(n)
		impl.MatMul(m, k, n, together, a, b)
		for i := range m {
			impl.MatMul(1, k, n, alone, a[i*k:], b)
			sameBits(t, "MatMul", together[i*n:(i+1)*n], alone)
		}
		impl.MatMulTB(m, n, k, together, a, bt)
		for i := range m {
			impl.MatMulTB(1, n, k, alone, a[i*k:], bt)
			sameBits(t, "MatMulTB", together[i*n:(i+1)*n], alone)
		}
	})
}

func TestANaNReachesTheProductsThatItBelongsToAndNoOther(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const m, k, n = 9, 11, 13
		for at := range m * k {
			a, zero := integers(1, m*k), zeros(m*k*n) // even 0 times NaN is NaN
			a[at] = nan
			c := zeros(k * m * n)
			impl.MatMul(m, k, n, c, a, zero)
			for i, v := range c[:m*n] {
				if isNaN(v) != (i/n == at/k) {
					t.Fatalf("MatMul: NaN in a[%d], c[%d] is %g", at, i, v)
				}
			}
			clear(c)
			impl.MatMulTA(m, k, n, c, a, zero)
			for i, v := range c[:k*n] {
				if isNaN(v) != (i/n == at%k) {
					t.Fatalf("MatMulTA: NaN in a[%d], c[%d] is %g", at, i, v)
				}
			}
			impl.MatMulTB(m, n, k, c, a, zero)
			for i, v := range c[:m*n] {
				if isNaN(v) != (i/n == at/k) {
					t.Fatalf("MatMulTB: NaN in a[%d], c[%d] is %g", at, i, v)
				}
			}
		}
	})
}
