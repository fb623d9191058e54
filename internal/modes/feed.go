package modes

import (
	"context"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
)

// Feed makes the batches of a run, epoch by epoch. It is used by one goroutine.
type Feed interface {
	// StartEpoch begins an epoch whose samples come in that order. Only whole batches are made, len(order)/batch of them; the
	// caller cuts order to what will be trained, and does not change it before the epoch's last batch was taken.
	StartEpoch(order []int32) error
	// Next returns the next batch and the sample numbers in it; both are valid until the following call of Next or StartEpoch.
	// The error is ctx's, or says which batch could not be built. More calls than the epoch has batches are a programmer's error.
	Next(ctx context.Context) (*model.Batch, []int32, error)
	// Builds tells whether the coming Next builds a batch or waits for what others build; where not, it only picks places, some 10 ns each.
	Builds() bool
	// Bytes is the size of what was built before the first step and is kept: the array of fit, the float32 series of
	// fit-windows. Buffers for the batches and pieces under way are not in it.
	Bytes() int64
	// Close ends every goroutine and waits for it. It may be called at any point of an epoch, and more than once.
	Close()
}

// source is what a feed is made from.
type source struct {
	set     *data.Set
	classes int // of the model, the width of a one-hot row
	batch   int // samples
	threads int // that the one-time work may use
	workers int // goroutines that build batches for the queue
	queue   int // batches that the queue holds
	chunk   int // samples in a piece of fit-chunked; 0 for the default
}

// cursor walks through an epoch's order, one batch at a time.
type cursor struct {
	batch int
	left  []int32
}

// next returns the sample numbers of the next batch.
func (c *cursor) next() []int32 {
	if len(c.left) < c.batch {
		panic("modes: more batches asked for than the epoch has")
	}
	samples := c.left[:c.batch:c.batch]
	c.left = c.left[c.batch:]
	return samples
}
