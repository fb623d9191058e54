package modes

import "fitbench/internal/nn/model"

// newBuilt is the memory of a batch as the reported script's NumPy makes it: the windows' rows as [batch][window] float64, the labels
// as one-hot rows [batch][classes] float64. It is used again from batch to batch.
func newBuilt(s source) *model.Batch {
	return &model.Batch{
		X64:    make([]float64, s.batch*s.set.Window),
		OneHot: make([]float64, s.batch*s.classes),
		Starts: rowStarts(s.batch, s.set.Window),
	}
}

// builtBytes is the memory of one such batch.
func builtBytes(batch, window, classes int) int64 {
	return product(int64(batch), 8*(int64(window)+int64(classes)+1))
}

// build fills such a batch with those samples, as many as it holds.
func build(b *model.Batch, s source, samples []int32) {
	clear(b.OneHot)
	window := s.set.Window
	for i, sample := range samples {
		copy(b.X64[i*window:(i+1)*window], s.set.Values[sample:])
		b.OneHot[i*s.classes+int(s.set.Labels[sample])] = 1
	}
}

// rowStarts is where the windows begin that lie in rows one behind the other.
func rowStarts(rows, window int) []int {
	starts := make([]int, rows)
	for i := range starts {
		starts[i] = i * window
	}
	return starts
}
