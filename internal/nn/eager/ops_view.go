package eager

import "fmt"

// viewOps give another shape to the same buffer; they are dispatched, but move no bytes.
func viewOps() []op {
	return []op{
		{name: "Reshape", result: view, check: checkReshape, grad: gradReshapeBack},
		{name: "ExpandDims", result: view, check: checkExpandDims, grad: gradReshapeBack},
		{name: "Squeeze", result: view, check: checkSqueeze, grad: gradReshapeBack},
		{name: "ReadVariableOp", result: view, check: checkRead, grad: gradPass},
	}
}

func checkReshape(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	if n := c.shape.elements(); n != c.in[0].size {
		return fmt.Errorf("shape %v has %d elements; the input of shape %v has %d", c.shape, n, c.in[0].shape, c.in[0].size)
	}
	c.returns(c.in[0].dtype, c.shape)
	return nil
}

func checkExpandDims(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	s := c.in[0].shape
	if s.rank == maxRank || c.axis < 0 || c.axis > s.rank {
		return fmt.Errorf("axis %d cannot be inserted into shape %v", c.axis, s)
	}
	c.returns(c.in[0].dtype, s.insert(c.axis))
	return nil
}

func checkSqueeze(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	s := c.in[0].shape
	if c.axis < 0 || c.axis >= s.rank || s.dims[c.axis] != 1 {
		return fmt.Errorf("axis %d of shape %v is not of size 1", c.axis, s)
	}
	c.returns(c.in[0].dtype, s.remove(c.axis))
	return nil
}

func checkRead(c *call) error {
	if err := c.wantInputs(1); err != nil {
		return err
	}
	c.returns(c.in[0].dtype, c.in[0].shape)
	return nil
}

func gradReshapeBack(m *Model, e *entry, dy *tensor) {
	m.give(e, 0, m.dispatch("Reshape", attrs{shape: e.shapes[0]}, dy))
}

// gradPass hands the gradient on as it is; no operation is needed for it.
func gradPass(m *Model, e *entry, dy *tensor) { m.give(e, 0, retain(dy)) }
