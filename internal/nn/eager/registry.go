package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// op is one operation of the registry.
type op struct {
	name string
	// check looks at the inputs' dtypes, shapes and values as far as running safely needs it, and describes the result and the
	// work in the call.
	check func(c *call) error
	// result says what the operation makes.
	result result
	// moves is true where the operation only moves or converts values.
	moves bool
	// cost is that of one element in elementary operations, for those checks that serve operations of different costs.
	cost int

	// body does the units [lo, hi) of the work; they write different places.
	body func(c *call, lo, hi int)
	// reduce adds the units [lo, hi) to sum, which has the result's size, and is used where the check says so: shards have sums
	// of their own, which are added in their order.
	reduce func(c *call, sum []float32, lo, hi int)

	// grad dispatches the gradient's operations for those inputs of e that are being watched, and hands each to the tape;
	// nil where there is none. dy is the gradient of the result; its reference stays the caller's.
	grad func(m *Model, e *entry, dy *tensor)
	// keeps lists the inputs that grad reads, keepsResult that it reads the result: the tape holds no more than that.
	keeps       []int
	keepsResult bool
}

type result uint8

const (
	fresh  result = iota // a new tensor
	view                 // a tensor on the first input's buffer
	update               // none: the first input is changed in place
)

// maxInputs is the most inputs that an operation has, those of Adam.
const maxInputs = 8

// attrs are the attributes of all operations; each reads its own.
type attrs struct {
	axis                   int
	keepDims               bool
	transposeA, transposeB bool
	size                   int // of a window, a pool, a depth
	dtype                  dtype
	shape                  shape
	value                  float32
}

// call is one dispatched operation.
type call struct {
	attrs
	op      *op
	in      [maxInputs]*tensor
	inputs  int
	out     *tensor
	kernels *kernel.Impl

	// What the check found out.
	outType  dtype
	outShape shape
	units    int         // of work, that can be done apart from one another
	cost     int         // of one unit, in elementary operations on one element
	sums     bool        // the units are summed by the operation's reduce
	conv     kernel.Conv // geometry of a convolution or a pool
	width    int         // elements of a row
	shards   int         // decided from units and cost
	partial  *tensor     // [shards][result], the shards' sums
}

// returns sets the result of the call.
func (c *call) returns(d dtype, s shape) { c.outType, c.outShape = d, s }

// work sets the units of the call and the cost of one.
func (c *call) work(units, cost int) { c.units, c.cost = units, cost }

// wantInputs checks the number of inputs.
func (c *call) wantInputs(n int) error {
	if c.inputs != n {
		return fmt.Errorf("%d inputs are given; it takes %d", c.inputs, n)
	}
	return nil
}

// want checks the number of inputs and their dtypes.
func (c *call) want(types ...dtype) error {
	if err := c.wantInputs(len(types)); err != nil {
		return err
	}
	for i, d := range types {
		if c.in[i].dtype != d {
			return fmt.Errorf("input %d is %v; it takes %v", i, c.in[i].dtype, d)
		}
	}
	return nil
}

// wantRank checks the rank of one input.
func (c *call) wantRank(i, rank int) error {
	if s := c.in[i].shape; s.rank != rank {
		return fmt.Errorf("input %d has shape %v; it takes rank %d", i, s, rank)
	}
	return nil
}

// registry finds an operation by its name. It does not change after it was made.
type registry map[string]*op

func newRegistry() registry {
	r := make(registry)
	for _, family := range [][]op{
		viewOps(), movingOps(), unaryOps(), binaryOps(), comparisonOps(), reductionOps(), layerOps(), layerGradOps(), updateOps(),
	} {
		for _, o := range family {
			if _, twice := r[o.name]; twice {
				panic("eager: two operations have the same name")
			}
			r[o.name] = &o
		}
	}
	return r
}
