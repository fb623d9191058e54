package modes

import (
	"fitbench/internal/data"
	"fitbench/internal/nn/model"
)

// built is a batch as the reported script's NumPy makes it: the windows' rows copied to [batch][window] float64, the labels as
// one-hot rows [batch][classes] float64. Its memory is reused from batch to batch.
type built struct {
	model.Batch
	window, classes int
}

func newBuilt(s source) *built {
	b := &built{window: s.set.Window, classes: s.classes}
	b.X64 = make([]float64, s.batch*b.window)
	b.OneHot = make([]float64, s.batch*b.classes)
	b.Starts = make([]int, s.batch)
	for i := range b.Starts {
		b.Starts[i] = i * b.window
	}
	return b
}

// builtBytes is the memory of one such batch.
func builtBytes(batch, window, classes int) int64 {
	return product(int64(batch), 8*(int64(window)+int64(classes)+1))
}

// fill builds the batch of those samples, as many as the batch holds.
func (b *built) fill(set *data.Set, samples []int32) {
	clear(b.OneHot)
	for s, sample := range samples {
		copy(b.X64[s*b.window:(s+1)*b.window], set.Values[sample:])
		b.OneHot[s*b.classes+int(set.Labels[sample])] = 1
	}
}
