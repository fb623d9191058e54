package modes

import (
	"context"
	"fmt"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// inline is train-on-batch's feed: the training loop builds each batch itself, between two steps.
type inline struct {
	source
	cursor cursor
	built  *model.Batch
}

func openInline(_ context.Context, s source) (Feed, error) {
	return &inline{source: s, cursor: cursor{batch: s.batch}, built: newBuilt(s)}, nil
}

func inlineNeeds(p record.Plan) need {
	return need{
		bytes:  builtBytes(p.BatchSize, p.Window, model.Default(p.Window).Classes),
		what:   fmt.Sprintf("a batch of %d x %d float64", p.BatchSize, p.Window),
		remedy: "a smaller batch would do",
	}
}

func (f *inline) StartEpoch(order []int32) error {
	f.cursor.left = order
	return nil
}

func (f *inline) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	samples := f.cursor.next()
	build(f.built, f.source, samples)
	return f.built, samples, nil
}

func (f *inline) Builds() bool { return true }

func (f *inline) Bytes() int64 { return 0 }

func (f *inline) Close() {}
