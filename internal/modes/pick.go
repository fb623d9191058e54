package modes

import (
	"context"

	"fitbench/internal/nn/model"
)

// picked is a feed whose windows lie ready in memory as float32: a batch is where they start, and their classes. The array's rows
// and the offsets into the series differ only in the distance from one sample's window to the next.
type picked struct {
	stride int     // values from the start of a sample's window to that of the next
	labels []uint8 // [samples]
	bytes  int64
	cursor cursor
	batch  model.Batch
}

func newPicked(s source, x []float32, stride int) *picked {
	return &picked{
		stride: stride, labels: s.set.Labels, bytes: 4 * int64(len(x)),
		cursor: cursor{batch: s.batch},
		batch:  model.Batch{X32: x, Starts: make([]int, s.batch), Classes: make([]uint8, s.batch)},
	}
}

func (p *picked) StartEpoch(order []int32) error {
	p.cursor.left = order
	return nil
}

func (p *picked) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	samples := p.cursor.next()
	for s, sample := range samples {
		p.batch.Starts[s] = int(sample) * p.stride
		p.batch.Classes[s] = p.labels[sample]
	}
	return &p.batch, samples, nil
}

func (p *picked) Builds() bool { return false }

func (p *picked) Bytes() int64 { return p.bytes }

func (p *picked) Close() {}
