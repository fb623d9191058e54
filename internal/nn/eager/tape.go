package eager

import "errors"

// maxTaped is the most inputs of an operation that has a gradient.
const maxTaped = 2

// entry is one operation on the tape: what its gradient needs of it.
type entry struct {
	attrs
	op     *op
	nodes  [maxTaped]int     // the inputs' nodes, 0 where not watched
	shapes [maxTaped]shape   // the inputs' shapes
	in     [maxTaped]*tensor // those that the gradient reads
	out    *tensor
	node   int // the result's
}

// wants says whether the gradient of that input is asked for.
func (e *entry) wants(input int) bool { return e.nodes[input] != 0 }

// tape records operations whose inputs are being watched, and the gradients on the way back. Its memory is reused.
type tape struct {
	recording bool
	entries   []entry
	gradients []*tensor // by node; node 0 is nobody's
}

// start begins a recording.
func (t *tape) start() {
	t.recording = true
	t.entries = t.entries[:0]
	t.gradients = append(t.gradients[:0], nil)
}

// watch gives the tensor a node, so that operations on it are recorded.
func (t *tape) watch(x *tensor) {
	x.node = len(t.gradients)
	t.gradients = append(t.gradients, nil)
}

// watches says whether an input of the call is being watched now, and a gradient can pass: counts and truth values have none.
func (t *tape) watches(c *call) bool {
	if !t.recording || c.outType != float32s {
		return false
	}
	for _, x := range c.in[:c.inputs] {
		if x.node != 0 {
			return true
		}
	}
	return false
}

// record puts a call on the tape, with references to what its gradient reads.
func (t *tape) record(c *call) {
	if c.out == nil || !t.watches(c) {
		return
	}
	t.watch(c.out)
	e := t.next()
	e.attrs, e.op, e.node = c.attrs, c.op, c.out.node
	for i, x := range c.in[:c.inputs] {
		e.nodes[i], e.shapes[i] = x.node, x.shape
	}
	for _, i := range c.op.keeps {
		e.in[i] = retain(c.in[i])
	}
	if c.op.keepsResult {
		e.out = retain(c.out)
	}
}

// next is the memory of one more entry.
func (t *tape) next() *entry {
	n := len(t.entries)
	if n == cap(t.entries) {
		t.entries = append(t.entries, entry{})
	} else {
		t.entries = t.entries[:n+1]
	}
	e := &t.entries[n]
	*e = entry{}
	return e
}

// backward walks the tape from its end and leaves each watched tensor's gradient of y, a scalar, on its node. What the tape
// holds is released on the way, also after an error.
func (m *Model) backward(y *tensor) {
	t := &m.tape
	t.recording = false
	if y != nil && y.node != 0 {
		t.gradients[y.node] = m.dispatch("Fill", attrs{shape: y.shape, value: 1})
	}
	for i := len(t.entries) - 1; i >= 0; i-- {
		e := &t.entries[i]
		dy := t.gradients[e.node]
		t.gradients[e.node] = nil
		if dy != nil && m.err == nil {
			e.op.grad(m, e, dy)
		}
		m.release(dy)
		m.forget(e)
	}
	t.entries = t.entries[:0]
}

// forget releases what an entry holds.
func (m *Model) forget(e *entry) {
	for _, i := range e.op.keeps {
		m.release(e.in[i])
	}
	m.release(e.out)
	*e = entry{}
}

// give hands the gradient dx of an input to the tape, which owns it from then on. Where the tensor was used twice, the gradients
// are added.
func (m *Model) give(e *entry, input int, dx *tensor) {
	if dx == nil {
		return
	}
	place := &m.tape.gradients[e.nodes[input]]
	if *place == nil {
		*place = dx
		return
	}
	m.replace(place, "AddN", attrs{}, dx)
	m.release(dx)
}

// take is the gradient of a watched tensor after backward, which owns its reference from then on.
func (m *Model) take(x *tensor) *tensor {
	dx := m.tape.gradients[x.node]
	m.tape.gradients[x.node] = nil
	if dx == nil {
		m.fail(errors.New("the loss does not depend on a watched tensor"))
	}
	return dx
}
