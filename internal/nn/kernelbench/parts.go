package main

import (
	"time"

	"fitbench/internal/nn/kernel"
)

// The parts of a step, in the order in which the yardstick answers.
const (
	partPack = iota
	partConv
	partDense
	partHead
	partInputGrad
	partWeightGrad
	partConvGrad
	partUpdate
	partCount
)

func partNames() [partCount]string {
	return [partCount]string{
		partPack: "windows into lanes", partConv: "conv + ReLU + pool", partDense: "dense 1", partHead: "dense 2, softmax, loss",
		partInputGrad: "gradient to activations", partWeightGrad: "gradient to dense 1 weights", partConvGrad: "gradient to conv weights",
		partUpdate: "sums, Adam",
	}
}

// partClock adds up what the parts of a step on one thread take, the readings of the clock taken off.
type partClock struct {
	base    time.Time
	reading time.Duration // what lies between two readings with nothing between them
	began   time.Duration
	spent   [partCount]time.Duration
}

func newPartClock() *partClock {
	c := &partClock{base: time.Now(), reading: time.Second}
	for range 1000 {
		began := c.now()
		c.reading = min(c.reading, c.now()-began)
	}
	return c
}

// now reads the monotonic clock alone, which is twice as fast as time.Now.
func (c *partClock) now() time.Duration { return time.Since(c.base) }

func (c *partClock) begin() { c.began = c.now() }

func (c *partClock) end(part int) { c.spent[part] += c.now() - c.began - c.reading }

// timed is the variant with all functions of a step with lanes timed; it must run on one thread only. Softmax and loss are no
// function of the kernel: they lie between Logits and HeadGrad, so that this part begins with one and ends with the other.
func (c *partClock) timed(impl *kernel.Impl) *kernel.Impl {
	timed, lanes := *impl, *impl.Lanes
	timed.Lanes = &lanes
	c.timeForward(impl.Lanes, &lanes)
	c.timeBackward(impl.Lanes, &lanes)
	timed.Adam = func(s kernel.AdamStep, w, m, v, g []float32) {
		c.begin()
		impl.Adam(s, w, m, v, g)
		c.end(partUpdate)
	}
	timed.Accumulate = func(dst, src []float32) {
		c.begin()
		impl.Accumulate(dst, src)
		c.end(partUpdate)
	}
	return &timed
}

func (c *partClock) timeForward(from, to *kernel.Lanes) {
	to.Prefetch32 = func(d int, src []float32, starts []int) {
		c.begin()
		from.Prefetch32(d, src, starts)
		c.end(partPack)
	}
	to.Pack32 = func(d int, x, src []float32, starts []int) bool {
		c.begin()
		moderate := from.Pack32(d, x, src, starts)
		c.end(partPack)
		return moderate
	}
	to.ConvTaps = func(conv kernel.Conv, t, w, b []float32) {
		c.begin()
		from.ConvTaps(conv, t, w, b)
		c.end(partUpdate)
	}
	to.ConvReLUPool = func(conv kernel.Conv, a []float32, picks []byte, x, t []float32) {
		c.begin()
		from.ConvReLUPool(conv, a, picks, x, t)
		c.end(partConv)
	}
	to.Dense = func(flat int, h, a, w, b []float32) {
		c.begin()
		from.Dense(flat, h, a, w, b)
		c.end(partDense)
	}
	to.Logits = func(classes int, z, h, w, b []float32) {
		c.begin()
		from.Logits(classes, z, h, w, b)
	}
}

func (c *partClock) timeBackward(from, to *kernel.Lanes) {
	to.HeadGrad = func(classes int, dh, rows, sums, h, dz, w []float32) {
		from.HeadGrad(classes, dh, rows, sums, h, dz, w)
		c.end(partHead)
	}
	to.DenseInputGrad = func(conv kernel.Conv, da, a, dh, w []float32) {
		c.begin()
		from.DenseInputGrad(conv, da, a, dh, w)
		c.end(partInputGrad)
	}
	to.DenseWeightGrad = func(flat, blocks, first, end int, dw, old, a, rows []float32, stream bool) {
		c.begin()
		from.DenseWeightGrad(flat, blocks, first, end, dw, old, a, rows, stream)
		c.end(partWeightGrad)
	}
	to.ConvGrad = func(conv kernel.Conv, sums, x, da []float32, picks []byte) {
		c.begin()
		from.ConvGrad(conv, sums, x, da, picks)
		c.end(partConvGrad)
	}
	to.SumLanes = func(dst, sums []float32) {
		c.begin()
		from.SumLanes(dst, sums)
		c.end(partUpdate)
	}
}

// partsOf is the nanoseconds a sample of each part over whole steps of a stepper whose variant the clock times.
func (c *partClock) partsOf(s *stepper, burst time.Duration) ([]float64, error) {
	if err := s.step(); err != nil {
		return nil, err
	}
	c.spent = [partCount]time.Duration{}
	trained, _, err := s.run(burst)
	if err != nil {
		return nil, err
	}
	values := make([]float64, partCount)
	for part, spent := range c.spent {
		values[part] = max(perSample(spent, trained), 0)
	}
	return values, nil
}
