package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// comparisonOps compare, and choose after a comparison.
func comparisonOps() []op {
	return []op{
		{name: "LessEqual", check: checkComparison, body: comparison(kernel.LessEqual)},
		{name: "GreaterEqual", check: checkComparison, body: comparison(kernel.GreaterEqual)},
		{name: "Equal", check: checkEqual, body: bodyEqual},
		{name: "Select", check: checkSelect, body: bodySelect},
	}
}

// checkComparison: the second operand has the shape of the first or is a scalar.
func checkComparison(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	a, b := c.in[0].shape, c.in[1].shape
	if a != b && b.rank != 0 {
		return fmt.Errorf("shapes %v and %v do not go together", a, b)
	}
	c.returns(bools, a)
	c.work(c.in[0].size, 2)
	return nil
}

func comparison(f func(dst []bool, a, b []float32)) func(c *call, lo, hi int) {
	return func(c *call, lo, hi int) {
		f(c.out.bools()[lo:hi], c.in[0].f32()[lo:hi], along(c.in[1].f32(), c.in[1], lo, hi))
	}
}

func checkEqual(c *call) error {
	if err := c.want(int64s, int64s); err != nil {
		return err
	}
	if a, b := c.in[0].shape, c.in[1].shape; a != b {
		return fmt.Errorf("shapes %v and %v are not the same", a, b)
	}
	c.returns(bools, c.in[0].shape)
	c.work(c.in[0].size, 2)
	return nil
}

func bodyEqual(c *call, lo, hi int) {
	kernel.Equal(c.out.bools()[lo:hi], c.in[0].ints()[lo:hi], c.in[1].ints()[lo:hi])
}

// checkSelect: mask, a and b of one shape.
func checkSelect(c *call) error {
	if err := c.want(bools, float32s, float32s); err != nil {
		return err
	}
	s := c.in[0].shape
	for i := 1; i < 3; i++ {
		if c.in[i].shape != s {
			return fmt.Errorf("input %d has shape %v; the mask has %v", i, c.in[i].shape, s)
		}
	}
	c.returns(float32s, s)
	c.work(c.in[0].size, 2)
	return nil
}

func bodySelect(c *call, lo, hi int) {
	kernel.Where(c.out.f32()[lo:hi], c.in[0].bools()[lo:hi], c.in[1].f32()[lo:hi], c.in[2].f32()[lo:hi])
}
