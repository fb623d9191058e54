package eager

import "fitbench/internal/nn/model"

// windows is the batch's input [N][Window][1] as float32: the feed's own memory where the windows lie one after the other in it,
// else gathered; cast where it is float64.
func (m *Model) windows(b *model.Batch) *tensor {
	var x *tensor
	if n, d := b.Len(), m.config.Window; contiguous(b.Starts, d) {
		x = m.wrapValues(b, newShape(n, d, 1), b.Starts[0], n*d)
	} else {
		x = m.gather(b)
	}
	if b.X64 != nil {
		m.replace(&x, "Cast", attrs{dtype: float32s})
	}
	return x
}

func contiguous(starts []int, window int) bool {
	for s, start := range starts {
		if start != starts[0]+s*window {
			return false
		}
	}
	return true
}

func (m *Model) gather(b *model.Batch) *tensor {
	length := max(len(b.X32), len(b.X64))
	series := m.wrapValues(b, newShape(length, 1), 0, length)
	starts := m.wrap(int64s, newShape(b.Len()))
	starts.buf.ints = b.Starts
	x := m.dispatch("Gather", attrs{size: m.config.Window}, series, starts)
	m.release(starts)
	m.release(series)
	return x
}

// wrapValues is a tensor over n of the batch's values, from start on.
func (m *Model) wrapValues(b *model.Batch, s shape, start, n int) *tensor {
	if b.X64 != nil {
		t := m.wrap(float64s, s)
		t.buf.f64 = b.X64[start : start+n]
		return t
	}
	t := m.wrap(float32s, s)
	t.buf.f32 = b.X32[start : start+n]
	return t
}

// targets is the batch's classes one-hot, [N][Classes] as float32.
func (m *Model) targets(b *model.Batch) *tensor {
	if b.OneHot != nil {
		t := m.wrap(float64s, newShape(b.Len(), m.config.Classes))
		t.buf.f64 = b.OneHot
		m.replace(&t, "Cast", attrs{dtype: float32s})
		return t
	}
	t := m.wrap(uint8s, newShape(b.Len()))
	t.buf.bytes = b.Classes
	m.replace(&t, "OneHot", attrs{size: m.config.Classes})
	return t
}
