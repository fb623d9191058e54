package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// movingOps only move or convert values; the bytes that they write are counted as copied.
func movingOps() []op {
	return []op{
		{name: "Gather", moves: true, check: checkGather, body: bodyGather},
		{name: "Cast", moves: true, check: checkCast, body: bodyCast},
		{name: "OneHot", moves: true, check: checkOneHot, body: bodyOneHot},
		{name: "Tile", moves: true, check: checkTile, body: bodyTile, grad: gradTile},
	}
}

// checkGather: series [L][channels] and starts [N] give [N][size][channels], the size rows of the series from each start on. That
// each start is at most L-size is the caller's matter: a batch's starts were looked at before the step began.
func checkGather(c *call) error {
	if err := c.wantInputs(2); err != nil {
		return err
	}
	series, starts := c.in[0], c.in[1]
	if d := series.dtype; d != float32s && d != float64s {
		return fmt.Errorf("input 0 is %v; it takes float32 or float64", d)
	}
	if starts.dtype != int64s {
		return fmt.Errorf("input 1 is %v; it takes int64", starts.dtype)
	}
	if err := c.wantRank(0, 2); err != nil {
		return err
	}
	if err := c.wantRank(1, 1); err != nil {
		return err
	}
	length, channels := series.shape.dims[0], series.shape.dims[1]
	if c.size < 1 || c.size > length {
		return fmt.Errorf("windows of %d rows; 1 to %d are possible", c.size, length)
	}
	c.width = c.size * channels
	c.returns(series.dtype, newShape(starts.size, c.size, channels))
	c.work(starts.size, c.width)
	return nil
}

func bodyGather(c *call, lo, hi int) {
	starts, channels := c.in[1].ints()[lo:hi], c.in[0].shape.dims[1]
	if c.in[0].dtype == float64s {
		kernel.Gather(c.width, channels, c.out.f64()[lo*c.width:], c.in[0].f64(), starts)
		return
	}
	kernel.Gather(c.width, channels, c.out.f32()[lo*c.width:], c.in[0].f32(), starts)
}

// checkCast converts to float32, the only dtype that the network computes in.
func checkCast(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	if d := c.in[0].dtype; c.dtype != float32s || d == float32s || d == uint8s {
		return fmt.Errorf("%v cannot be cast to %v; float64, int64 and bool to float32 can", d, c.dtype)
	}
	c.returns(float32s, c.in[0].shape)
	c.work(c.in[0].size, 2)
	return nil
}

func bodyCast(c *call, lo, hi int) {
	dst := c.out.f32()[lo:hi]
	switch x := c.in[0]; x.dtype {
	case float64s:
		c.kernels.Narrow(dst, x.f64()[lo:hi])
	case int64s:
		kernel.FromInts(dst, x.ints()[lo:hi])
	case bools:
		kernel.FromBools(dst, x.bools()[lo:hi])
	}
}

// checkOneHot: classes [N] give [N][size].
func checkOneHot(c *call) error {
	if err := c.want(uint8s); err != nil {
		return err
	}
	if err := c.wantRank(0, 1); err != nil {
		return err
	}
	if c.size < 1 {
		return fmt.Errorf("depth is %d; at least 1 is needed", c.size)
	}
	c.returns(float32s, newShape(c.in[0].size, c.size))
	c.work(c.in[0].size, c.size)
	return nil
}

func bodyOneHot(c *call, lo, hi int) {
	kernel.OneHot(c.size, c.out.f32()[lo*c.size:hi*c.size], c.in[0].uint8s()[lo:hi])
}

// checkTile repeats a tensor of one element, or the last axis where it is of size 1, as often as shape says along each axis.
func checkTile(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	in, times := c.in[0], c.shape
	if times.rank != in.shape.rank {
		return fmt.Errorf("multiples %v do not go with shape %v", times, in.shape)
	}
	out := in.shape
	for i := range out.rank {
		if times.dims[i] < 1 {
			return fmt.Errorf("multiples %v; at least 1 is needed", times)
		}
		out.dims[i] *= times.dims[i]
	}
	if c.width = times.elements(); in.size != 1 && (times.last() != c.width || in.shape.last() != 1) {
		return fmt.Errorf("multiples %v of shape %v; only one element or a last axis of size 1 can be repeated", times, in.shape)
	}
	c.returns(float32s, out)
	c.work(out.elements(), 1)
	return nil
}

func bodyTile(c *call, lo, hi int) {
	kernel.Repeat(c.out.f32(), c.in[0].f32(), c.width, lo, hi)
}

func gradTile(m *Model, e *entry, dy *tensor) {
	m.give(e, 0, m.sumTo(retain(dy), e.shapes[0]))
}
