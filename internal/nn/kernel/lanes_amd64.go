//go:build !purego

package kernel

import "unsafe"

// The loops are unrolled for this many taps, positions of a pool and units.
const (
	laneTaps  = 9
	lanePool  = 4
	laneUnits = 20
	// laneFilters is what the number of filters must be a multiple of.
	laneFilters = 8
)

func lanesFit(c Conv, units int) bool {
	return c.Taps == laneTaps && c.Pool == lanePool && units == laneUnits && c.Filters > 0 && c.Filters%laneFilters == 0 && c.Pooled() > 0
}

// mustFit panics where the loops are asked for another shape.
func mustFit(c Conv) {
	if !lanesFit(c, laneUnits) {
		panic("kernel: the lanes do not take this geometry")
	}
}

// windows are the places of a block's n windows. Lanes without one read the first.
type windows struct {
	starts [LaneWidth]int
	n      int
}

func windowsAt(d, length int, starts []int) (w windows) {
	if d < 1 || len(starts) < 1 || len(starts) > LaneWidth {
		panic("kernel: a block has 1 to 16 windows of at least one value")
	}
	for _, start := range starts {
		if start < 0 || start > length-d {
			panic("kernel: a window lies outside its series")
		}
	}
	for i := copy(w.starts[:], starts); i < LaneWidth; i++ {
		w.starts[i] = starts[0]
	}
	w.n = len(starts)
	return w
}

// What bounds the parts, on a CPU that starts one 512-bit multiplication and four 256-bit operations of any kind a cycle (AMD Zen 4),
// for 16 samples of the experiment's network with AVX-512:
//
//	Dense, DenseInputGrad, DenseWeightGrad   multiplications: 11,520, all but 2 % of the cycles
//	ConvReLUPool                             multiplications: 22 and two moves to masks of 26 cycles a pooled value; directly it would be 36
//	ConvGrad                                 operations of any kind: 9 multiplications, 19 blends, two masks, in 17 cycles a pooled value
//	Pack32, Pack64                           shuffles where the windows are in the cache, else the memory: hence Prefetch32
//	Adam                                     the division and the square root
//	softmax, loss (package compiled)         an exponential and a logarithm of each sample, in float64, one after the other
//	adding the parts up (package compiled)   the second-level cache, with several threads the memory
//
// With AVX2 there are too few registers: ConvReLUPool loads one operand for each multiplication and waits for these loads, and
// ConvGrad's blends take the ports of the multiplications.

// laneCode is the assembly of one variant. Its functions assume what the methods below check.
type laneCode struct {
	pickBytes       int
	pack32          func(d int, x, src []float32, w windows) uint32
	pack64          func(d int, x []float32, src []float64, w windows) uint32
	convReLUPool    func(pooled, filters int, a *float32, picks *byte, x, t *float32)
	dense           func(flat int, h, a, w, b *float32)
	logits          func(classes int, z, h, w, b *float32)
	headGrad        func(classes int, dh, rows, sums, h, dz, w *float32)
	denseInputGrad  func(pooled, filters int, da, a, dh, w *float32)
	denseWeightGrad func(inputs, flat, blocks int, dw, old, a, rows *float32, stream int)
	convGrad        func(pooled, filters int, sums, x, da *float32, picks *byte)
	adamStream      func(n int, w, m, v, d *float32, alpha, rate1, rate2, epsilon float32)
}

func (l laneCode) lanes() *Lanes {
	return &Lanes{
		PickBytes: l.pickBytes, Fits: lanesFit,
		Pack32: l.Pack32, Pack64: l.Pack64, Prefetch32: prefetch32, Prefetch64: prefetch64,
		ConvTaps: lanesConvTaps, ConvReLUPool: l.ConvReLUPool, Dense: l.Dense, Logits: l.Logits,
		HeadGrad: l.HeadGrad, DenseInputGrad: l.DenseInputGrad, DenseWeightGrad: l.DenseWeightGrad, ConvGrad: l.ConvGrad,
		SumLanes: sumLanes, Stream: streamLines, AdamStream: l.AdamStream,
	}
}

func (l laneCode) Pack32(d int, x, src []float32, starts []int) bool {
	w := windowsAt(d, len(src), starts)
	need(len(x), PaddedWindow(d)*LaneWidth)
	return moderateBits(l.pack32(d, x, src, w))
}

func (l laneCode) Pack64(d int, x []float32, src []float64, starts []int) bool {
	w := windowsAt(d, len(src), starts)
	need(len(x), PaddedWindow(d)*LaneWidth)
	return moderateBits(l.pack64(d, x, src, w))
}

func (l laneCode) ConvReLUPool(c Conv, a []float32, picks []byte, x, t []float32) {
	mustFit(c)
	q, f := c.Pooled(), c.Filters
	need(len(a), q*f*LaneWidth)
	need(len(picks), q*f*l.pickBytes)
	need(len(x), c.Window*LaneWidth)
	need(len(t), f*TapWords)
	l.convReLUPool(q, f, &a[0], &picks[0], &x[0], &t[0])
}

func (l laneCode) Dense(flat int, h, a, w, b []float32) {
	needInputs(flat)
	need(len(h), laneUnits*LaneWidth)
	need(len(a), flat*LaneWidth)
	need(len(w), flat*laneUnits)
	need(len(b), laneUnits)
	l.dense(flat, &h[0], &a[0], &w[0], &b[0])
}

func (l laneCode) Logits(classes int, z, h, w, b []float32) {
	needClasses(classes)
	need(len(z), classes*LaneWidth)
	need(len(h), laneUnits*LaneWidth)
	need(len(w), laneUnits*classes)
	need(len(b), classes)
	l.logits(classes, &z[0], &h[0], &w[0], &b[0])
}

func (l laneCode) HeadGrad(classes int, dh, rows, sums, h, dz, w []float32) {
	needClasses(classes)
	need(len(dh), laneUnits*LaneWidth)
	need(len(rows), LaneWidth*2*laneUnits)
	need(len(sums), (laneUnits+laneUnits*classes+classes)*LaneWidth)
	need(len(h), laneUnits*LaneWidth)
	need(len(dz), classes*LaneWidth)
	need(len(w), laneUnits*classes)
	l.headGrad(classes, &dh[0], &rows[0], &sums[0], &h[0], &dz[0], &w[0])
}

func (l laneCode) DenseInputGrad(c Conv, da, a, dh, w []float32) {
	mustFit(c)
	q, f := c.Pooled(), c.Filters
	need(len(da), q*f*LaneWidth)
	need(len(a), q*f*LaneWidth)
	need(len(dh), laneUnits*LaneWidth)
	need(len(w), q*f*laneUnits)
	l.denseInputGrad(q, f, &da[0], &a[0], &dh[0], &w[0])
}

func (l laneCode) DenseWeightGrad(flat, blocks, from, to int, dw, old, a, rows []float32, stream bool) {
	needInputs(flat)
	if from < 0 || to > flat || from%laneFilters != 0 || to%laneFilters != 0 || blocks < 1 {
		panic("kernel: there must be a block, and a range of inputs goes from and to a multiple of 8")
	}
	if from >= to {
		return
	}
	need(len(dw), to*laneUnits)
	need(len(a), blocks*flat*LaneWidth)
	need(len(rows), blocks*LaneWidth*2*laneUnits)
	var plus *float32
	if old != nil {
		need(len(old), to*laneUnits)
		plus = &old[from*laneUnits]
	}
	past := 0
	if stream {
		needLine(dw)
		past = 1
	}
	l.denseWeightGrad(to-from, flat, blocks, &dw[from*laneUnits], plus, &a[from*LaneWidth], &rows[0], past)
}

func (l laneCode) ConvGrad(c Conv, sums, x, da []float32, picks []byte) {
	mustFit(c)
	q, f := c.Pooled(), c.Filters
	need(len(sums), (laneTaps+1)*f*LaneWidth)
	need(len(x), c.Window*LaneWidth)
	need(len(da), q*f*LaneWidth)
	need(len(picks), q*f*l.pickBytes)
	l.convGrad(q, f, &sums[0], &x[0], &da[0], &picks[0])
}

func (l laneCode) AdamStream(s AdamStep, w, m, v, g []float32) {
	n := len(w)
	need(min(len(m), len(v), len(g)), n)
	if n == 0 {
		return
	}
	needLine(w)
	l.adamStream(n, &w[0], &m[0], &v[0], &g[0], s.Alpha, s.Rate1, s.Rate2, s.Epsilon)
}

func needInputs(flat int) {
	if flat < 1 || flat%laneFilters != 0 {
		panic("kernel: the lanes take a multiple of 8 inputs")
	}
}

func needClasses(classes int) {
	if classes < 1 {
		panic("kernel: there must be a class")
	}
}

// The functions below have one form in all variants.

func prefetch32(d int, src []float32, starts []int) {
	if len(starts) > 0 && len(src) > 0 {
		prefetch(len(starts), d*4, 4, (*byte)(unsafe.Pointer(&src[0])), &starts[0])
	}
}

func prefetch64(d int, src []float64, starts []int) {
	if len(starts) > 0 && len(src) > 0 {
		prefetch(len(starts), d*8, 8, (*byte)(unsafe.Pointer(&src[0])), &starts[0])
	}
}

func lanesConvTaps(c Conv, t, w, b []float32) {
	mustFit(c)
	need(len(t), c.Filters*TapWords)
	need(len(w), c.Taps*c.Filters)
	need(len(b), c.Filters)
	convTaps(c.Filters, &t[0], &w[0], &b[0])
}

func sumLanes(dst, sums []float32) {
	if len(dst) == 0 {
		return
	}
	need(len(sums), len(dst)*LaneWidth)
	sumRows(len(dst), &dst[0], &sums[0])
}

func streamLines(dst, src []float32) {
	const words = cacheLine / 4
	n := len(dst)
	need(len(src), n)
	if n == 0 {
		return
	}
	needLine(dst)
	if n >= words {
		stream(n/words, &dst[0], &src[0])
	}
	copy(dst[n/words*words:], src[n/words*words:n])
}

// needLine panics where x, which is not empty, does not begin at a cache line.
func needLine(x []float32) {
	if uintptr(unsafe.Pointer(&x[0]))%cacheLine != 0 {
		panic("kernel: what is written past the caches must begin at a cache line")
	}
}
