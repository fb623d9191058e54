package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// updateOps change a variable in place and have no result.
func updateOps() []op {
	return []op{
		{name: "AssignAddVariableOp", result: update, check: checkAssignAdd, body: bodyAssignAdd},
		{name: "ResourceApplyAdam", result: update, check: checkAdam, body: bodyAdam},
	}
}

func checkAssignAdd(c *call) error {
	if err := c.want(int64s, int64s); err != nil {
		return err
	}
	if a, b := c.in[0].shape, c.in[1].shape; a != b {
		return fmt.Errorf("shapes %v and %v are not the same", a, b)
	}
	c.work(c.in[0].size, 1)
	return nil
}

func bodyAssignAdd(c *call, lo, hi int) {
	x := c.in[0].ints()[lo:hi]
	kernel.Add(x, x, c.in[1].ints()[lo:hi])
}

// Inputs of ResourceApplyAdam.
const (
	adamVariable = iota
	adamM
	adamV
	adamAlpha
	adamRate1
	adamRate2
	adamEpsilon
	adamGradient
)

func checkAdam(c *call) error {
	if err := c.wantInputs(adamGradient + 1); err != nil {
		return err
	}
	s := c.in[adamVariable].shape
	for i, t := range c.in[:c.inputs] {
		want := s
		if i >= adamAlpha && i <= adamEpsilon {
			want = shape{}
		}
		if t.dtype != float32s || t.shape != want {
			return fmt.Errorf("input %d is %v of shape %v; it takes float32 of shape %v", i, t.dtype, t.shape, want)
		}
	}
	c.work(c.in[adamVariable].size, transcendental)
	return nil
}

func bodyAdam(c *call, lo, hi int) {
	part := func(i int) []float32 { return c.in[i].f32()[lo:hi] }
	step := kernel.AdamStep{
		Alpha: c.in[adamAlpha].scalar(), Rate1: c.in[adamRate1].scalar(), Rate2: c.in[adamRate2].scalar(),
		Epsilon: c.in[adamEpsilon].scalar(),
	}
	c.kernels.Adam(step, part(adamVariable), part(adamM), part(adamV), part(adamGradient))
}
