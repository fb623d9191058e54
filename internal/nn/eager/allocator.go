package eager

import "math/bits"

// Size classes are powers of two and three steps between each and the next, so that at most a fifth of a buffer stays unused
// above the smallest, 256 bytes. Each class of each dtype has a list of free buffers, which are reused last in, first out, and
// not zeroed. A list never holds more buffers than were in use at once, so what batches of all sizes up to the largest leave
// behind is bounded by a small multiple of what the largest one needs (the classes below form a geometric series).
const (
	smallestClassBits = 8
	stepsPerDoubling  = 4
	classes           = stepsPerDoubling * (63 - smallestClassBits)
)

// classOf is the size class of that many bytes, and the bytes of a buffer of that class.
func classOf(n int) (class, size int) {
	if n <= 1<<smallestClassBits {
		return 0, 1 << smallestClassBits
	}
	doubling := bits.Len(uint(n-1)) - 1 // 2^doubling < n <= 2^(doubling+1)
	base, step := 1<<doubling, 1<<doubling/stepsPerDoubling
	steps := (n - base + step - 1) / step
	return stepsPerDoubling*(doubling-smallestClassBits) + steps, base + steps*step
}

// allocator hands out tensors from size-class free lists and takes them back when their last reference goes. Tensor headers and
// buffers are both reused: once the lists are filled, nothing comes from Go's heap.
type allocator struct {
	free    [dtypes][classes + 1]*buffer
	foreign *buffer // unused headers of foreign buffers
	headers *tensor // unused headers of tensors

	handedOut   int64 // bytes of tensors handed out so far
	owned       int64 // bytes of all buffers made so far, free ones and used ones
	outstanding int   // tensors whose last reference is still held
}

// get is a new tensor with one reference. Its values are whatever the buffer held before.
func (a *allocator) get(d dtype, s shape) *tensor {
	t := a.header(d, s)
	t.buf = a.buffer(d, t.size*d.size())
	a.handedOut += int64(t.size * d.size())
	return t
}

// view is a new tensor of another shape on the same buffer.
func (a *allocator) view(of *tensor, s shape) *tensor {
	t := a.header(of.dtype, s)
	t.buf = of.buf
	t.buf.refs++
	return t
}

// wrap is a new tensor over memory that belongs to somebody else; the caller sets the slice that d names.
func (a *allocator) wrap(d dtype, s shape) *tensor {
	t := a.header(d, s)
	b := a.foreign
	if b == nil {
		b = &buffer{class: foreign}
	} else {
		a.foreign, b.next = b.next, nil
	}
	b.refs = 1
	t.buf = b
	return t
}

// release gives back one reference; with the last one the tensor's header and, where no view is left, its buffer become free.
func (a *allocator) release(t *tensor) {
	t.refs--
	if t.refs > 0 {
		return
	}
	a.outstanding--
	b := t.buf
	b.refs--
	if b.refs == 0 {
		a.put(b, t.dtype)
	}
	t.buf, t.node, t.next = nil, 0, a.headers
	a.headers = t
}

func (a *allocator) header(d dtype, s shape) *tensor {
	t := a.headers
	if t == nil {
		t = new(tensor)
	} else {
		a.headers, t.next = t.next, nil
	}
	t.dtype, t.shape, t.size, t.refs = d, s, s.elements(), 1
	a.outstanding++
	return t
}

func (a *allocator) buffer(d dtype, n int) *buffer {
	class, size := classOf(n)
	b := a.free[d][class]
	if b != nil {
		a.free[d][class], b.next = b.next, nil
		b.refs = 1
		return b
	}
	b = &buffer{refs: 1, class: class}
	a.owned += int64(size)
	switch elements := size / d.size(); d {
	case float32s:
		b.f32 = make([]float32, elements)
	case float64s:
		b.f64 = make([]float64, elements)
	case int64s:
		b.ints = make([]int, elements)
	case bools:
		b.bools = make([]bool, elements)
	case uint8s:
		b.bytes = make([]uint8, elements)
	}
	return b
}

func (a *allocator) put(b *buffer, d dtype) {
	if b.class == foreign {
		*b = buffer{class: foreign, next: a.foreign} // nothing of a batch is kept
		a.foreign = b
		return
	}
	b.next = a.free[d][b.class]
	a.free[d][b.class] = b
}
