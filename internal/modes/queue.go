package modes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// queue is generator's feed: workers build the batches, in order, into a bounded queue, as Keras's OrderedEnqueuer does for
// fit_generator. Places in the queue are given out in the order of the batches, so any number of workers keeps the order. While
// the caller holds or waits for a batch, at most `ahead` further ones are built or being built. An epoch fills it afresh: nothing
// is read ahead over an epoch's end.
//
// The caller's own calls give out the places (Keras has one more thread for it), so a worker only ever waits for the next place,
// and a batch that was given out will be ready whatever the caller does meanwhile.
type queue struct {
	batch   int
	ahead   int
	build   func(b *built, batch int, samples []int32) error // batch counts from 0 in the epoch
	places  []place                                          // a ring of ahead+1: batch k is built in place k mod (ahead+1)
	jobs    chan int                                         // batches given out that no worker has taken yet
	workers sync.WaitGroup

	order         []int32
	batches       int // of the epoch
	issued, taken int // batches of the epoch given out, and returned by Next
	failed        error
}

// place is where one batch is built. Its memory is reused as soon as the caller asks for the batch after it.
type place struct {
	built *built
	err   error
	ready chan struct{}
}

var errClosed = errors.New("the queue of batches is closed")

func openQueue(_ context.Context, s source) (Feed, error) {
	return newQueue(s, func(b *built, _ int, samples []int32) error {
		b.fill(s.set, samples)
		return nil
	}), nil
}

// newQueue starts the workers, no more than can have work at the same time.
func newQueue(s source, build func(b *built, batch int, samples []int32) error) *queue {
	ahead := queueAhead(s.queue, s.set.Samples(), s.batch)
	q := &queue{batch: s.batch, ahead: ahead, build: build, places: make([]place, ahead+1), jobs: make(chan int, ahead+1)}
	for i := range q.places {
		q.places[i] = place{built: newBuilt(s), ready: make(chan struct{}, 1)}
	}
	for range min(s.workers, ahead+1) {
		q.workers.Go(q.work)
	}
	return q
}

// queueAhead is the length of the queue, no more than an epoch's batches.
func queueAhead(size, samples, batch int) int { return min(size, samples/batch) }

func queueNeeds(p record.Plan) need {
	places := queueAhead(p.QueueSize, p.Samples, p.BatchSize) + 1
	return need{
		bytes:  product(int64(places), builtBytes(p.BatchSize, p.Window, model.Default(p.Window).Classes)),
		what:   fmt.Sprintf("%d batches of %d x %d float64 in and before its queue", places, p.BatchSize, p.Window),
		remedy: "a shorter queue or a smaller batch would do",
	}
}

func (q *queue) work() {
	for k := range q.jobs {
		p := &q.places[k%len(q.places)]
		p.err = q.guarded(p.built, k)
		p.ready <- struct{}{}
	}
}

// guarded builds batch k of the epoch. A panic becomes the error, so that it ends the run and not the process.
func (q *queue) guarded(b *built, k int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("building batch %d of the epoch: panic: %v", k+1, p)
		}
	}()
	if err := q.build(b, k, q.order[k*q.batch:(k+1)*q.batch:(k+1)*q.batch]); err != nil {
		return fmt.Errorf("building batch %d of the epoch: %w", k+1, err)
	}
	return nil
}

func (q *queue) StartEpoch(order []int32) error {
	if q.failed != nil {
		return q.failed
	}
	q.drain()
	q.order, q.batches, q.issued, q.taken = order, len(order)/q.batch, 0, 0
	for range min(q.ahead, q.batches) {
		q.issue()
	}
	return nil
}

// Next takes the next batch off the queue, which makes room for one more, and waits until it is built. An error comes when its
// batch is reached, after the batches before it, and then stays.
func (q *queue) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if q.failed != nil {
		return nil, nil, q.failed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if q.taken == q.batches {
		panic("modes: more batches asked for than the epoch has")
	}
	if q.issued < q.batches && q.issued <= q.taken+q.ahead {
		q.issue()
	}
	p := &q.places[q.taken%len(q.places)]
	select {
	case <-p.ready:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	from := q.taken * q.batch
	q.taken++
	if p.err != nil {
		q.failed = p.err
		return nil, nil, q.failed
	}
	return &p.built.Batch, q.order[from : from+q.batch : from+q.batch], nil
}

func (q *queue) Builds() bool { return true }

func (q *queue) Bytes() int64 { return 0 }

// Close forgets the batches that no worker has begun, and waits for those under way.
func (q *queue) Close() {
	if q.failed == errClosed {
		return
	}
	q.failed = errClosed
	for {
		select {
		case <-q.jobs:
		default:
			close(q.jobs)
			q.workers.Wait()
			return
		}
	}
}

// issue gives out the next place. There is always room: at most ahead+1 batches are given out and not returned.
func (q *queue) issue() {
	q.jobs <- q.issued
	q.issued++
}

// drain waits for the batches of an epoch that the caller left before its end.
func (q *queue) drain() {
	for ; q.taken < q.issued; q.taken++ {
		<-q.places[q.taken%len(q.places)].ready
	}
}
