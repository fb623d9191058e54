package eager

import (
	"errors"
	"fmt"
)

// dispatch runs the named operation on the inputs and returns its result, whose one reference is the caller's; nil for an
// operation without a result. After an error in the step it does nothing and returns nil; the first error stays in m.err.
func (m *Model) dispatch(name string, a attrs, inputs ...*tensor) *tensor {
	if m.err != nil {
		return nil
	}
	c := &m.call
	*c = call{attrs: a, kernels: m.config.Impl}
	if err := m.prepare(c, name, inputs); err != nil {
		m.fail(fmt.Errorf("operation %s: %w", name, err))
		return nil
	}
	m.counts.Ops++
	switch c.op.result {
	case fresh:
		m.clock.to(allocating)
		c.out = m.memory.get(c.outType, c.outShape)
		m.clock.to(dispatching)
	case view:
		m.clock.to(allocating)
		c.out = m.memory.view(c.in[0], c.outShape)
		m.clock.to(dispatching)
	}
	if c.op.result != view {
		m.run(c)
	}
	m.tape.record(c)
	return c.out
}

// fail keeps the first error of the step.
func (m *Model) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// prepare looks the operation up, takes the inputs and checks them.
func (m *Model) prepare(c *call, name string, inputs []*tensor) error {
	o, ok := m.registry[name]
	if !ok {
		return errors.New("there is none of that name")
	}
	if len(inputs) > maxInputs {
		return fmt.Errorf("%d inputs are given; at most %d are possible", len(inputs), maxInputs)
	}
	for i, t := range inputs {
		if t == nil || t.refs < 1 {
			return fmt.Errorf("input %d is released already", i)
		}
	}
	c.op, c.inputs = o, copy(c.in[:], inputs)
	if err := o.check(c); err != nil {
		return err
	}
	if o.grad == nil && o.result != update && m.tape.watches(c) {
		return errors.New("its input is being watched, but it has no gradient")
	}
	return nil
}

// replace dispatches with *t as the first input and puts the result in its place, whose reference it releases.
func (m *Model) replace(t **tensor, name string, a attrs, others ...*tensor) {
	var inputs [maxInputs]*tensor
	inputs[0] = *t
	n := 1 + copy(inputs[1:], others)
	out := m.dispatch(name, a, inputs[:n]...)
	m.release(*t)
	*t = out
}

// wrap is a tensor over memory of the batch, whose slice the caller sets.
func (m *Model) wrap(d dtype, s shape) *tensor {
	m.clock.to(allocating)
	t := m.memory.wrap(d, s)
	m.clock.to(dispatching)
	return t
}

// release gives back one reference; nil, which an operation after an error returns, is nothing to release.
func (m *Model) release(t *tensor) {
	if t == nil {
		return
	}
	m.clock.to(allocating)
	m.memory.release(t)
	m.clock.to(dispatching)
}

// retain takes one more reference.
func retain(t *tensor) *tensor {
	t.refs++
	return t
}
