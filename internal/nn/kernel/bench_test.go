package kernel

import (
	"fmt"
	"testing"
)

// BenchmarkKernels is each loop, the fused ones and those of a single operation, in the experiment's shapes: 24 filters of 9 taps over 104 values, pool 4, dense 576 to 20 to 2.
func BenchmarkKernels(b *testing.B) {
	const batch = 16
	c := Conv{Window: 104, Filters: 24, Taps: 9, Pool: 4}
	flat, units := c.Pooled()*c.Filters, 20
	x := numbers(1, batch*c.Window)
	w, bias := numbers(2, c.Taps*c.Filters), numbers(3, c.Filters)
	a, da, pick := make([]float32, batch*flat), numbers(4, batch*flat), make([]uint8, batch*flat)
	w1, dw1 := numbers(5, flat*units), make([]float32, flat*units)
	h, dh := make([]float32, batch*units), numbers(6, batch*units)
	w2, dw2 := numbers(10, units*2), make([]float32, units*2)
	dw, db := make([]float32, c.Taps*c.Filters), make([]float32, c.Filters)
	wide := widened(numbers(7, batch*c.Window))
	first, second := make([]float32, flat*units), make([]float32, flat*units)
	maps, dmaps := numbers(8, batch*c.Out()*c.Filters), make([]float32, batch*c.Out()*c.Filters)
	p, z := make([]float32, batch*2), numbers(9, batch*2)
	starts := make([]int, batch)
	for i := range starts {
		starts[i] = i * c.Window
	}
	step := AdamStep{Alpha: 1e-3, Rate1: 0.1, Rate2: 0.001, Epsilon: 1e-7}
	for _, impl := range Available() {
		impl.ConvReLUPool(c, starts, a, pick, x, w, bias)
		for _, loop := range []struct {
			name string
			run  func()
		}{
			{"ConvReLUPool", func() { impl.ConvReLUPool(c, starts, a, pick, x, w, bias) }},
			{"ConvReLUPoolGrad", func() { impl.ConvReLUPoolGrad(c, starts, dw, db, x, da, pick) }},
			{"Conv1D", func() { impl.Conv1D(c, batch, maps, x, w) }},
			{"Conv1DGrad", func() { impl.Conv1DGrad(c, batch, dw, x, maps) }},
			{"MaxPool", func() { impl.MaxPool(c, batch, a, maps) }},
			{"MaxPoolGrad", func() { impl.MaxPoolGrad(c, batch, dmaps, maps, a, da) }},
			{"BiasAdd", func() { impl.BiasAdd(batch*c.Out(), c.Filters, dmaps, maps, bias) }},
			{"ColumnSum", func() { impl.ColumnSum(batch*c.Out(), c.Filters, db, maps) }},
			{"ReLU", func() { impl.ReLU(dmaps, maps) }},
			{"ReLUGrad", func() { impl.ReLUGrad(dmaps, dmaps, maps) }},
			{"Softmax", func() { impl.Softmax(batch, 2, p, z) }},
			{"MatMul", func() { impl.MatMul(batch, flat, units, h, a, w1) }},
			{"MatMulTA", func() { impl.MatMulTA(batch, flat, units, dw1, a, dh) }},
			{"MatMulTB", func() { impl.MatMulTB(batch, flat, units, da, dh, w1) }},
			{"MatMulOut", func() { impl.MatMul(batch, units, 2, p, h, w2) }},
			{"MatMulTAOut", func() { impl.MatMulTA(batch, units, 2, dw2, h, z) }},
			{"MatMulTBOut", func() { impl.MatMulTB(batch, units, 2, dh, z, w2) }},
			{"Narrow", func() { impl.Narrow(x, wide) }},
			{"Adam", func() { impl.Adam(step, w1, first, second, dw1) }},
		} {
			b.Run(fmt.Sprintf("impl=%s/loop=%s/batch=%d", impl.Name, loop.name, batch), func(b *testing.B) {
				for b.Loop() {
					loop.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/sample")
			})
		}
	}
}
