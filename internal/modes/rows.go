package modes

import (
	"context"

	"fitbench/internal/nn/model"
)

// rows gathers windows as rows of float32, with their samples' classes, from the series as float32: one copy a row, no conversion.
type rows struct {
	series []float32 // [samples+window-1]
	labels []uint8   // [samples]
	window int
}

// newRows makes the float32 series. The error is ctx's.
func newRows(ctx context.Context, s source) (*rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &rows{series: s.set.Narrow(), labels: s.set.Labels, window: s.set.Window}, nil
}

// bytes is the size of the series as float32.
func (r *rows) bytes() int64 { return 4 * int64(len(r.series)) }

// empty is the memory of so many rows and their classes.
func (r *rows) empty(samples int) *model.Batch {
	return &model.Batch{
		X32: make([]float32, samples*r.window), Starts: rowStarts(samples, r.window), Classes: make([]uint8, samples),
	}
}

// rowBytes is the memory of one row of a batch, its class and its place included.
func rowBytes(window int) int64 { return sum(product(4, int64(window)), 8+1) }

// gather fills the first rows of b with those samples' windows. It looks at ctx, whose error it returns, between pieces of the work.
func (r *rows) gather(ctx context.Context, b *model.Batch, samples []int32) error {
	for from := 0; from < len(samples); from += arrayPiece {
		if err := ctx.Err(); err != nil {
			return err
		}
		for row := from; row < min(from+arrayPiece, len(samples)); row++ {
			sample := samples[row]
			copy(b.X32[row*r.window:(row+1)*r.window], r.series[sample:])
			b.Classes[row] = r.labels[sample]
		}
	}
	return nil
}
