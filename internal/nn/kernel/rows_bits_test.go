package kernel

import (
	"fmt"
	"testing"
)

// rowWidths are numbers of columns around every panel's, small and large.
func rowWidths() []int { return []int{1, 2, 8, 9, 17, 20, 23, 24, 25, 33} }

// What a row gets must not depend on how many rows there are, nor on where a caller cut them: tiles of all sizes sum alike.
func TestARowIsTheSameBitsInAnyNumberOfRows(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const most, k = 19, 50
		for _, n := range rowWidths() {
			a, b := numbers(1, most*k), numbers(2, k*n)
			c := Conv{Window: k, Filters: n, Taps: 9, Pool: 4}
			flat := c.Out() * n
			all, some := zeros(most*n), zeros(most*n)
			maps, fewer := zeros(most*flat), zeros(most*flat)
			wide, part := zeros(most*k), zeros(most*k)
			impl.MatMul(most, k, n, all, a, b)
			impl.Conv1D(c, most, maps, a, b)
			impl.MatMulTB(most, k, n, wide, all, b)
			for m := 1; m < most; m++ {
				from := most - m
				impl.MatMul(m, k, n, some, a[from*k:], b)
				sameBits(t, fmt.Sprintf("MatMul of %d rows by %d", m, n), some[:m*n], all[from*n:])
				impl.Conv1D(c, m, fewer, a[from*k:], b)
				sameBits(t, fmt.Sprintf("Conv1D of %d rows by %d", m, n), fewer[:m*flat], maps[from*flat:])
				impl.MatMulTB(m, k, n, part, all[from*n:], b)
				sameBits(t, fmt.Sprintf("MatMulTB of %d rows by %d", m, n), part[:m*k], wide[from*k:])
			}
		}
	})
}

// A sum over rows goes on where it stopped: the order is that of the rows.
func TestASumOverRowsIsTheSameBitsInTwoParts(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		const m, k = 21, 40
		for _, n := range rowWidths() {
			a, b := numbers(1, m*k), numbers(2, m*n)
			c := Conv{Window: k, Filters: n, Taps: 9, Pool: 4}
			flat := c.Out() * n
			dy := numbers(3, m*flat)
			for _, sum := range []struct {
				name  string
				size  int
				first func(rows int, s []float32)
				rest  func(from int, s []float32)
			}{
				{"MatMulTA", k * n, func(rows int, s []float32) { impl.MatMulTA(rows, k, n, s, a, b) },
					func(from int, s []float32) { impl.MatMulTA(m-from, k, n, s, a[from*k:], b[from*n:]) }},
				{"ColumnSum", n, func(rows int, s []float32) { impl.ColumnSum(rows, n, s, b) },
					func(from int, s []float32) { impl.ColumnSum(m-from, n, s, b[from*n:]) }},
				{"Conv1DGrad", c.Taps * n, func(rows int, s []float32) { impl.Conv1DGrad(c, rows, s, a, dy) },
					func(from int, s []float32) { impl.Conv1DGrad(c, m-from, s, a[from*k:], dy[from*flat:]) }},
			} {
				whole := numbers(4, sum.size)
				sum.first(m, whole)
				for _, cut := range []int{1, 8, 20} {
					parts := numbers(4, sum.size)
					sum.first(cut, parts)
					sum.rest(cut, parts)
					sameBits(t, fmt.Sprintf("%s by %d, cut at %d", sum.name, n, cut), parts, whole)
				}
			}
		}
	})
}
