package modes

import (
	"context"
	"fmt"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// openGenerator is generator's feed: workers build train-on-batch's batches into a queue, as Keras's OrderedEnqueuer does for
// fit_generator.
func openGenerator(_ context.Context, s source) (Feed, error) {
	return newQueue(filling{
		what: "batch", batch: s.batch, part: s.batch, ahead: queueAhead(s.queue, s.set.Samples(), s.batch), workers: s.workers,
		empty: func() *model.Batch { return newBuilt(s) },
		fill: func(_ context.Context, b *model.Batch, _ int, samples []int32) error {
			build(b, s, samples)
			return nil
		},
	}), nil
}

func generatorNeeds(p record.Plan) need {
	places := queuePlaces(p)
	return need{
		bytes:  product(places, builtBytes(p.BatchSize, p.Window, model.Default(p.Window).Classes)),
		what:   fmt.Sprintf("%d batches of %d x %d float64 in and before its queue", places, p.BatchSize, p.Window),
		remedy: "a shorter queue or a smaller batch would do",
	}
}

// queueAhead is the length of a queue of batches, no more than an epoch's batches.
func queueAhead(size, samples, batch int) int { return min(size, samples/batch) }

// queuePlaces is the number of batches in memory where that plan's batches go through a queue: those in it, and the one being trained.
func queuePlaces(p record.Plan) int64 {
	return int64(queueAhead(p.QueueSize, p.Samples, p.BatchSize)) + 1
}
