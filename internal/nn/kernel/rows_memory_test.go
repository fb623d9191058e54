package kernel

import (
	"fmt"
	"testing"
)

// rowCase is one call of a loop over rows: the operands that it reads, and what it writes to the last one, which holds old values.
type rowCase struct {
	name     string
	operands []int
	run      func(impl *Impl, o [][]float32)
}

// convCases are the calls over samples, of a geometry whose tiles and panels end everywhere.
func convCases(c Conv) []rowCase {
	const rows = 2
	x, maps, pooled, w := rows*c.Window, rows*c.Out()*c.Filters, rows*c.Pooled()*c.Filters, c.Taps*c.Filters
	named := func(loop string) string { return fmt.Sprintf("%s of %v", loop, c) }
	return []rowCase{
		{named("Conv1D"), []int{x, w, maps}, func(impl *Impl, o [][]float32) { impl.Conv1D(c, rows, o[2], o[0], o[1]) }},
		{named("Conv1DGrad"), []int{x, maps, w}, func(impl *Impl, o [][]float32) { impl.Conv1DGrad(c, rows, o[2], o[0], o[1]) }},
		{named("MaxPool"), []int{maps, pooled}, func(impl *Impl, o [][]float32) { impl.MaxPool(c, rows, o[1], o[0]) }},
		{named("MaxPoolGrad"), []int{maps, pooled, pooled, maps}, func(impl *Impl, o [][]float32) {
			maxPool(c, rows, o[1], o[0])
			impl.MaxPoolGrad(c, rows, o[3], o[0], o[1], o[2])
		}},
	}
}

// matrixCases are the calls over matrices, m by k and k by n.
func matrixCases(m, k, n int) []rowCase {
	named := func(loop string) string { return fmt.Sprintf("%s %dx%dx%d", loop, m, k, n) }
	return []rowCase{
		{named("MatMul"), []int{m * k, k * n, m * n}, func(impl *Impl, o [][]float32) { impl.MatMul(m, k, n, o[2], o[0], o[1]) }},
		{named("MatMulTA"), []int{m * k, m * n, k * n}, func(impl *Impl, o [][]float32) { impl.MatMulTA(m, k, n, o[2], o[0], o[1]) }},
		{named("MatMulTB"), []int{m * n, k * n, m * k}, func(impl *Impl, o [][]float32) { impl.MatMulTB(m, k, n, o[2], o[0], o[1]) }},
		{named("BiasAdd"), []int{m * n, n, m * n}, func(impl *Impl, o [][]float32) { impl.BiasAdd(m, n, o[2], o[0], o[1]) }},
		{named("ColumnSum"), []int{m * n, n}, func(impl *Impl, o [][]float32) { impl.ColumnSum(m, n, o[1], o[0]) }},
		{named("ReLU"), []int{m * n, m * n}, func(impl *Impl, o [][]float32) { impl.ReLU(o[1], o[0]) }},
		{named("ReLUGrad"), []int{m * n, m * n, m * n}, func(impl *Impl, o [][]float32) { impl.ReLUGrad(o[2], o[0], o[1]) }},
	}
}

func rowCases() []rowCase {
	var all []rowCase
	for _, f := range []int{1, 7, 8, 9, 16, 17, 23, 24, 25, 32, 33, 49} {
		all = append(all, convCases(Conv{Window: 22, Filters: f, Taps: 9, Pool: 4})...)
		all = append(all, convCases(Conv{Window: 13, Filters: f, Taps: 4, Pool: 3})...)
		all = append(all, matrixCases(13, 9, f)...)
		all = append(all, matrixCases(f, 41, 2)...)
	}
	all = append(all, convCases(Conv{Window: 5, Filters: 9, Taps: 2, Pool: 5})...) // too short for a pool
	return append(all, matrixCases(3, 34, 67)...)
}

// stays runs one call with operands in a memory where a stray access is seen. Portable Go, which other tests compare with float64,
// says what the results are: they are whole numbers and so the same in any order.
func (c rowCase) stays(t *testing.T, impl *Impl, memory memory, seed uint64) {
	t.Helper()
	o := &operands{t: t, memory: memory}
	got, want := make([][]float32, len(c.operands)), make([][]float32, len(c.operands))
	for i, n := range c.operands {
		want[i] = integers(seed+uint64(i), n)
		got[i] = placed(o, want[i])
	}
	c.run(impl, got)
	c.run(portable(), want)
	for i := range want {
		exactly(t, c.name, got[i], widened(want[i]))
	}
	o.intact(c.name)
}

func TestRowLoopsStayWithinTheirOperands(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for name, memory := range memories() {
			t.Run(name, func(t *testing.T) {
				for _, c := range rowCases() {
					c.stays(t, impl, memory, 0)
				}
			})
		}
	})
}

// FuzzRowLoops takes whole numbers through every loop over rows, in any sizes.
func FuzzRowLoops(f *testing.F) {
	f.Add(uint64(1), uint8(13), uint8(9), uint8(24), uint8(4))
	f.Add(uint64(2), uint8(0), uint8(0), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, m, k, n, pool uint8) {
		rows, inner, columns := 1+int(m)%80, 1+int(k)%80, 1+int(n)%80
		c := Conv{Window: rows + inner - 1, Filters: columns, Taps: inner, Pool: 1 + int(pool)%rows}
		for _, impl := range Available() {
			for _, call := range append(convCases(c), matrixCases(rows, inner, columns)...) {
				call.stays(t, impl, guards{}, seed%1000)
			}
		}
	})
}
