package modes

import (
	"context"
	"fmt"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// openPipeline is pipeline's feed: workers gather whole batches of float32 rows by their indices into a queue, as tf.data does where
// indices are batched, mapped to their windows in parallel, in order, and prefetched. It differs from generator in what is
// handed over: no value is cast and no label made one-hot. As in tf.data, an epoch begins with an empty queue.
func openPipeline(ctx context.Context, s source) (Feed, error) {
	r, err := newRows(ctx, s)
	if err != nil {
		return nil, err
	}
	return newQueue(filling{
		what: "batch", batch: s.batch, part: s.batch, ahead: queueAhead(s.queue, s.set.Samples(), s.batch), workers: s.workers,
		kept:  r.bytes(),
		empty: func() *model.Batch { return r.empty(s.batch) },
		fill: func(ctx context.Context, b *model.Batch, _ int, samples []int32) error {
			return r.gather(ctx, b, samples)
		},
	}), nil
}

func pipelineNeeds(p record.Plan) need {
	places, series := queuePlaces(p), windowsNeeds(p)
	return need{
		bytes: sum(series.bytes, product(places, int64(p.BatchSize), rowBytes(p.Window))),
		what: fmt.Sprintf("%s and %d batches of %d x %d float32 in and before its queue",
			series.what, places, p.BatchSize, p.Window),
		remedy: "a shorter queue or a smaller batch would do",
	}
}
