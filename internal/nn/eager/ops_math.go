package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// transcendental is the cost of one logarithm, exponential or square root in elementary operations.
const transcendental = 16

// unaryOps work element by element on one float32 tensor, or on none where all elements are one constant.
func unaryOps() []op {
	return []op{
		{name: "Neg", cost: 2, check: checkUnary, body: unary(kernel.Neg), grad: gradNeg},
		{name: "Reciprocal", cost: 2, check: checkUnary, body: unary(kernel.Reciprocal)},
		{name: "Sqrt", cost: transcendental, check: checkUnary, body: unary(kernel.Sqrt)},
		{name: "Log", cost: transcendental, check: checkUnary, body: unary(kernel.Log), grad: gradLog, keeps: []int{0}},
		{name: "Relu", cost: 2, check: checkUnary, body: bodyRelu, grad: gradRelu, keepsResult: true},
		{name: "Fill", check: checkFill, body: bodyFill},
	}
}

func checkUnary(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	c.returns(float32s, c.in[0].shape)
	c.work(c.in[0].size, c.op.cost)
	return nil
}

func unary(f func(dst, x []float32)) func(c *call, lo, hi int) {
	return func(c *call, lo, hi int) { f(c.out.f32()[lo:hi], c.in[0].f32()[lo:hi]) }
}

func gradNeg(m *Model, e *entry, dy *tensor) { m.give(e, 0, m.dispatch("Neg", attrs{}, dy)) }

func gradLog(m *Model, e *entry, dy *tensor) {
	dx := m.dispatch("Reciprocal", attrs{}, e.in[0])
	m.replace(&dx, "Mul", attrs{}, dy)
	m.give(e, 0, dx)
}

func bodyRelu(c *call, lo, hi int) { c.kernels.ReLU(c.out.f32()[lo:hi], c.in[0].f32()[lo:hi]) }

func gradRelu(m *Model, e *entry, dy *tensor) {
	m.give(e, 0, m.dispatch("ReluGrad", attrs{}, dy, e.out))
}

// checkFill: a tensor of the attribute's shape, all of one value.
func checkFill(c *call) error {
	if err := c.wantInputs(0); err != nil {
		return err
	}
	c.returns(float32s, c.shape)
	c.work(c.shape.elements(), 1)
	return nil
}

func bodyFill(c *call, lo, hi int) { kernel.Fill(c.out.f32()[lo:hi], c.value) }

// binaryOps work element by element on two tensors, of which one may be a scalar, or the second may have a last axis of size 1
// where the first has more.
func binaryOps() []op {
	both := []int{0, 1}
	return []op{
		{name: "AddV2", check: checkAdd, body: bodyAdd, grad: gradAdd},
		{name: "Sub", check: checkBinary, body: binary(kernel.Sub), grad: gradSub},
		{name: "Mul", check: checkBinary, body: binary(kernel.Mul), grad: gradMul, keeps: both},
		{name: "RealDiv", check: checkBinary, body: binary(kernel.Div), grad: gradDiv, keeps: both},
		{name: "DivNoNan", check: checkBinary, body: binary(kernel.DivNoNaN), grad: gradDiv, keeps: both},
		{name: "Minimum", check: checkBinary, body: binary(kernel.Min), grad: gradMinimum, keeps: both},
		{name: "Maximum", check: checkBinary, body: binary(kernel.Max), grad: gradMaximum, keeps: both},
		{name: "Pow", check: checkBinary, body: binary(kernel.Pow)},
	}
}

func checkBinary(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	return c.broadcast(float32s)
}

// broadcast finds out the shape of a binary operation's result, and cuts the work into elements, or into rows where each row of
// the first input meets one element of the second.
func (c *call) broadcast(d dtype) error {
	a, b := c.in[0].shape, c.in[1].shape
	switch {
	case a == b || b.rank == 0:
		c.returns(d, a)
	case a.rank == 0:
		c.returns(d, b)
	case a.rank == b.rank && b == a.withLast(1):
		c.width = a.last()
		c.returns(d, a)
		c.work(b.elements(), 2*c.width)
		return nil
	default:
		return fmt.Errorf("shapes %v and %v do not go together", a, b)
	}
	c.work(c.outShape.elements(), 2)
	return nil
}

func binary(f func(dst, a, b []float32)) func(c *call, lo, hi int) {
	return func(c *call, lo, hi int) {
		out, a, b, w := c.out.f32(), c.in[0].f32(), c.in[1].f32(), c.width
		if w == 0 {
			f(out[lo:hi], along(a, c.in[0], lo, hi), along(b, c.in[1], lo, hi))
			return
		}
		for r := lo; r < hi; r++ {
			f(out[r*w:(r+1)*w], a[r*w:(r+1)*w], b[r:r+1])
		}
	}
}

// along is the part [lo, hi) of an operand's values, or the one value of a scalar.
func along[T any](values []T, t *tensor, lo, hi int) []T {
	if t.shape.rank == 0 {
		return values
	}
	return values[lo:hi]
}

// checkAdd: unlike the others, addition counts too.
func checkAdd(c *call) error {
	if err := c.wantInputs(2); err != nil {
		return err
	}
	if c.in[0].dtype != int64s {
		return checkBinary(c)
	}
	if err := c.want(int64s, int64s); err != nil {
		return err
	}
	return c.broadcast(int64s)
}

func bodyAdd(c *call, lo, hi int) {
	if c.outType == int64s {
		a, b := c.in[0], c.in[1]
		kernel.Add(c.out.ints()[lo:hi], along(a.ints(), a, lo, hi), along(b.ints(), b, lo, hi))
		return
	}
	binary(kernel.Add[float32])(c, lo, hi)
}
