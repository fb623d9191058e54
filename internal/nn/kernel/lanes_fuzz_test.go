package kernel

import "testing"

// FuzzLanes takes whole numbers through the convolution and back, in any geometry that fits, against the float64 reference.
func FuzzLanes(f *testing.F) {
	f.Add(uint64(1), uint8(104), uint8(2), uint8(16))
	f.Add(uint64(2), uint8(12), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, seed uint64, window, filters, samples uint8) {
		c := Conv{Window: 12 + int(window)%120, Filters: 8 * (1 + int(filters)%5), Taps: 9, Pool: 4}
		n := 1 + int(samples)%LaneWidth
		flat := c.Pooled() * c.Filters
		series, w, b := integers(seed, c.Window+n), integers(seed+1, c.Taps*c.Filters), integers(seed+2, c.Filters)
		starts := make([]int, n)
		for i := range starts {
			starts[i] = i
		}
		for _, impl := range Available() {
			l := impl.Lanes
			if l == nil {
				continue
			}
			o := &operands{t: t, memory: guards{}}
			x, taps := placed(o, zeros(PaddedWindow(c.Window)*LaneWidth)), placed(o, zeros(c.Filters*TapWords))
			a, picks := placed(o, zeros(flat*LaneWidth)), placed(o, make([]byte, flat*l.PickBytes))
			sums := placed(o, zeros((c.Taps+1)*c.Filters*LaneWidth))
			l.Pack32(c.Window, x, placed(o, series), starts)
			l.ConvTaps(c, taps, w, b)
			l.ConvReLUPool(c, a, picks, x, taps)
			want, at := pooledLanes(c, x, w, b)
			exactly(t, impl.Name+": a", a, want)
			da := placed(o, openOnly(c, lanesOf(seed+3, flat), want))
			l.ConvGrad(c, sums, x, da, picks)
			exactly(t, impl.Name+": sums", sums, convSums(c, x, da, at))
			o.intact(impl.Name)
		}
	})
}
