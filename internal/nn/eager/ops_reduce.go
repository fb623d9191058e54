package eager

import (
	"errors"
	"fmt"

	"fitbench/internal/nn/kernel"
)

// Axes of a reduction.
const (
	lastAxis = -1
	allAxes  = -2
)

// reductionOps make one value of several.
func reductionOps() []op {
	return []op{
		{name: "Sum", check: checkSum, body: bodySum, reduce: reduceSum, grad: gradSum},
		{name: "AddN", check: checkAddN, body: binary(kernel.Add[float32])},
		{name: "ArgMax", check: checkArgMax, body: bodyArgMax},
		{name: "Size", check: checkSize, body: bodySize},
	}
}

// checkSum sums over the last axis, or over all of them to a scalar.
func checkSum(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	s := c.in[0].shape
	switch {
	case c.axis == allAxes && !c.keepDims:
		c.sums = true
		c.returns(float32s, shape{})
		c.work(c.in[0].size, 2)
		return nil
	case c.axis != lastAxis || s.rank == 0:
		return fmt.Errorf("axis %d of shape %v; the last axis (%d), or all (%d) to a scalar, can be summed", c.axis, s, lastAxis, allAxes)
	case c.keepDims:
		c.returns(float32s, s.withLast(1))
	default:
		c.returns(float32s, s.dropLast())
	}
	c.width = s.last()
	c.work(c.outShape.elements(), 2*c.width)
	return nil
}

func bodySum(c *call, lo, hi int) {
	kernel.RowSum(hi-lo, c.width, c.out.f32()[lo:hi], c.in[0].f32()[lo*c.width:])
}

func reduceSum(c *call, sum []float32, lo, hi int) {
	c.kernels.ColumnSum(hi-lo, 1, sum, c.in[0].f32()[lo:hi])
}

// gradSum spreads dy over what was summed.
func gradSum(m *Model, e *entry, dy *tensor) {
	s := e.shapes[0]
	kept, times := s.ones(), s
	if e.axis == lastAxis {
		kept, times = s.withLast(1), s.ones().withLast(s.last())
	}
	dx := m.dispatch("Reshape", attrs{shape: kept}, dy)
	m.replace(&dx, "Tile", attrs{shape: times})
	m.give(e, 0, dx)
}

func checkAddN(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	if a, b := c.in[0].shape, c.in[1].shape; a != b {
		return fmt.Errorf("shapes %v and %v are not the same", a, b)
	}
	return c.broadcast(float32s)
}

// checkArgMax: the place of the first of the largest values along the last axis.
func checkArgMax(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	s := c.in[0].shape
	if s.rank == 0 {
		return errors.New("a scalar has no axis")
	}
	c.width = s.last()
	c.returns(int64s, s.dropLast())
	c.work(c.outShape.elements(), 2*c.width)
	return nil
}

func bodyArgMax(c *call, lo, hi int) {
	kernel.ArgMax(hi-lo, c.width, c.out.ints()[lo:hi], c.in[0].f32()[lo*c.width:])
}

// checkSize: how many elements the input has.
func checkSize(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	c.returns(int64s, shape{})
	c.work(1, 1)
	return nil
}

func bodySize(c *call, _, _ int) { c.out.ints()[0] = c.in[0].size }
