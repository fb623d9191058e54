package modes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"fitbench/internal/nn/model"
)

// filling is what a queue holds, and how it comes to be. A part of an epoch is a batch, or many of them in one piece.
type filling struct {
	what    string // that a part is, for errors
	batch   int    // samples; an epoch's samples beyond its whole batches are left out
	part    int    // samples, whole batches; an epoch's last part may have fewer
	ahead   int    // parts that are filled ahead, at most
	workers int    // goroutines that fill
	kept    int64  // bytes that were built before the first step
	// empty makes the memory of one part, which is filled again and again.
	empty func() *model.Batch
	// fill fills it with those samples; number counts the parts of the epoch from 0. ctx ends when the queue is closed.
	fill func(ctx context.Context, part *model.Batch, number int, samples []int32) error
}

// queue is a feed whose parts are filled by workers, in order, beside the training. Places in the queue are given out in the order
// of the parts, so any number of workers keeps the order. While the caller holds or waits for a part, at most `ahead` further ones
// are filled or being filled. An epoch fills it afresh: nothing is read ahead over an epoch's end.
//
// The caller's own calls give out the places (Keras has one more thread for it), so a worker only ever waits for the next place,
// and a part that was given out will be ready whatever the caller does meanwhile.
type queue struct {
	filling
	places  []place  // a ring of ahead+1: part k is filled in place k mod (ahead+1)
	jobs    chan int // parts given out that no worker has taken yet
	working sync.WaitGroup
	closing context.Context
	hurry   context.CancelFunc // ends closing

	order         []int32
	parts         int // of the epoch
	issued, taken int // parts of the epoch given out, and returned by Next
	failed        error
}

// place is where one part is filled. Its memory is used again as soon as the caller asks for the part after it.
type place struct {
	part  *model.Batch
	err   error
	ready chan struct{}
}

var errClosed = errors.New("the queue of batches is closed")

// newQueue starts the workers, no more than can have work at the same time.
func newQueue(f filling) *queue {
	q := &queue{filling: f, places: make([]place, f.ahead+1), jobs: make(chan int, f.ahead+1)}
	q.closing, q.hurry = context.WithCancel(context.Background())
	for i := range q.places {
		q.places[i] = place{part: f.empty(), ready: make(chan struct{}, 1)}
	}
	for range min(f.workers, f.ahead+1) {
		q.working.Go(q.work)
	}
	return q
}

func (q *queue) work() {
	for k := range q.jobs {
		p := &q.places[k%len(q.places)]
		p.err = q.guarded(p.part, k)
		p.ready <- struct{}{}
	}
}

// guarded fills part k of the epoch. A panic becomes the error, so that it ends the run and not the process.
func (q *queue) guarded(part *model.Batch, k int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("building %s %d of the epoch: panic: %v", q.what, k+1, p)
		}
	}()
	if err := q.fill(q.closing, part, k, q.samples(k)); err != nil {
		return fmt.Errorf("building %s %d of the epoch: %w", q.what, k+1, err)
	}
	return nil
}

// samples are those of part k of the epoch.
func (q *queue) samples(k int) []int32 {
	from, to := k*q.part, min((k+1)*q.part, len(q.order))
	return q.order[from:to:to]
}

func (q *queue) StartEpoch(order []int32) error {
	if q.failed != nil {
		return q.failed
	}
	q.drain()
	q.order = order[:len(order)/q.batch*q.batch]
	q.parts, q.issued, q.taken = (len(q.order)+q.part-1)/q.part, 0, 0
	for range min(q.ahead, q.parts) {
		q.issue()
	}
	return nil
}

// Next takes the next part off the queue, which makes room for one more, and waits until it is filled. An error comes when its
// part is reached, after the parts before it, and then stays.
func (q *queue) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if q.failed != nil {
		return nil, nil, q.failed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if q.taken == q.parts {
		panic("modes: more batches asked for than the epoch has")
	}
	if q.issued < q.parts && q.issued <= q.taken+q.ahead {
		q.issue()
	}
	p := &q.places[q.taken%len(q.places)]
	select {
	case <-p.ready:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	samples := q.samples(q.taken)
	q.taken++
	if p.err != nil {
		q.failed = p.err
		return nil, nil, q.failed
	}
	return p.part, samples, nil
}

func (q *queue) Builds() bool { return true }

func (q *queue) Bytes() int64 { return q.kept }

// Close forgets the parts that no worker has begun, tells those under way to end, and waits for them.
func (q *queue) Close() {
	if q.failed == errClosed {
		return
	}
	q.failed = errClosed
	q.hurry()
	for {
		select {
		case <-q.jobs:
		default:
			close(q.jobs)
			q.working.Wait()
			return
		}
	}
}

// issue gives out the next place. There is always room: at most ahead+1 parts are given out and not returned.
func (q *queue) issue() {
	q.jobs <- q.issued
	q.issued++
}

// drain waits for the parts of an epoch that the caller left before its end.
func (q *queue) drain() {
	for ; q.taken < q.issued; q.taken++ {
		<-q.places[q.taken%len(q.places)].ready
	}
}
