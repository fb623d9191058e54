package kernel

import (
	"fmt"
	"testing"
)

// BenchmarkLanes is each part of the compiled step in the experiment's shapes, over blocks of four as in a batch of 64.
func BenchmarkLanes(b *testing.B) {
	const blocks, classes = 4, 2
	c := Conv{Window: 104, Filters: 24, Taps: 9, Pool: 4}
	flat := c.Pooled() * c.Filters
	aligned := func(seed uint64, n int) []float32 {
		x := Aligned(n)
		copy(x, numbers(seed, n))
		return x
	}
	const series = 1 << 20
	src, wide := aligned(1, series), make([]float64, series)
	starts := make([][]int, 509)
	for i := range starts {
		starts[i] = make([]int, LaneWidth)
		for j := range starts[i] {
			starts[i][j] = (i*LaneWidth + j) * 7919 * 13 % (series - c.Window)
		}
	}
	x, a, da := Aligned(PaddedWindow(c.Window)*LaneWidth), aligned(2, blocks*flat*LaneWidth), Aligned(flat*LaneWidth)
	w, bias, taps := aligned(3, c.Taps*c.Filters), aligned(4, c.Filters), Aligned(c.Filters*TapWords)
	w1, b1, dw1 := aligned(5, flat*testUnits), aligned(6, testUnits), Aligned(flat*testUnits)
	w2, b2 := aligned(7, testUnits*classes), aligned(8, classes)
	h, dh, z, dz := Aligned(testUnits*LaneWidth), Aligned(testUnits*LaneWidth), Aligned(classes*LaneWidth), aligned(9, classes*LaneWidth)
	rows := Aligned(blocks * LaneWidth * 2 * testUnits)
	convSums, headSums := Aligned((c.Taps+1)*c.Filters*LaneWidth), Aligned((testUnits+testUnits*classes+classes)*LaneWidth)
	gradients := Aligned((c.Taps + 1) * c.Filters)
	for _, impl := range Available() {
		l := impl.Lanes
		if l == nil {
			continue
		}
		picks, n := make([]byte, flat*l.PickBytes), 0
		next := func() []int { n++; return starts[n%len(starts)] }
		for _, part := range []struct {
			name    string
			samples int
			run     func()
		}{
			{"pack32", LaneWidth, func() { l.Pack32(c.Window, x, src, next()) }},
			{"pack32/prefetched", LaneWidth, func() {
				s := next()
				l.Prefetch32(c.Window, src, starts[(n+1)%len(starts)])
				l.Pack32(c.Window, x, src, s)
			}},
			{"pack32/cached", LaneWidth, func() { l.Pack32(c.Window, x, src, starts[0]) }},
			{"pack64/cached", LaneWidth, func() { l.Pack64(c.Window, x, wide, starts[0]) }},
			{"taps", blocks * LaneWidth, func() { l.ConvTaps(c, taps, w, bias) }},
			{"conv", LaneWidth, func() { l.ConvReLUPool(c, a, picks, x, taps) }},
			{"dense", LaneWidth, func() { l.Dense(flat, h, a, w1, b1) }},
			{"logits", LaneWidth, func() { l.Logits(classes, z, h, w2, b2) }},
			{"headgrad", LaneWidth, func() { l.HeadGrad(classes, dh, rows, headSums, h, dz, w2) }},
			{"dinput", LaneWidth, func() { l.DenseInputGrad(c, da, a, dh, w1) }},
			{"dweight", blocks * LaneWidth, func() { l.DenseWeightGrad(flat, blocks, 0, flat, dw1, dw1, a, rows, false) }},
			{"dconv", LaneWidth, func() { l.ConvGrad(c, convSums, x, da, picks) }},
			{"sums", blocks * LaneWidth, func() { l.SumLanes(gradients, convSums) }},
		} {
			b.Run(fmt.Sprintf("impl=%s/part=%s", impl.Name, part.name), func(b *testing.B) {
				for b.Loop() {
					part.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*part.samples), "ns/sample")
			})
		}
	}
}
