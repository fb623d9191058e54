package modes

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fitbench/internal/nn/model"
)

// fill is a queue's filling of one part.
type fill = func(ctx context.Context, part *model.Batch, number int, samples []int32) error

// testQueue holds batches of 4.
func testQueue(t *testing.T, samples, workers, size int, do fill) *queue {
	return queueOf(t, filling{batch: 4, part: 4, ahead: queueAhead(size, samples, 4), workers: workers, fill: do})
}

// queueOf is a queue of parts that have room for their first value alone.
func queueOf(t *testing.T, f filling) *queue {
	f.what, f.empty = "batch", func() *model.Batch { return &model.Batch{X64: make([]float64, 1)} }
	q := newQueue(f)
	t.Cleanup(q.Close)
	return q
}

func takeBatch(t *testing.T, f Feed) []int32 {
	t.Helper()
	_, samples, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

func start(t *testing.T, f Feed, order []int32) {
	t.Helper()
	if err := f.StartEpoch(order); err != nil {
		t.Fatal(err)
	}
}

// mark writes the batch's first sample into its memory, so that a batch in another's place is found.
func mark(_ context.Context, b *model.Batch, _ int, samples []int32) error {
	b.X64[0] = float64(samples[0])
	return nil
}

func TestTheQueueKeepsTheOrderWithAnyNumberOfWorkers(t *testing.T) {
	order := backwards(403)
	for workers := 1; workers <= 4; workers++ {
		for _, size := range []int{1, 2, 3, 10, 1000} {
			t.Run(fmt.Sprintf("workers=%d,queue=%d", workers, size), func(t *testing.T) {
				q := testQueue(t, 403, workers, size, mark)
				for range 3 {
					start(t, q, order)
					for k := range 100 {
						batch, samples, err := q.Next(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						if !slices.Equal(samples, order[4*k:4*k+4]) || batch.X64[0] != float64(samples[0]) {
							t.Fatalf("batch %d is %v, marked %v", k, samples, batch.X64[0])
						}
					}
				}
			})
		}
	}
}

// gate is a building that tells which batch it begins and waits until it may go on.
type gate struct {
	begun chan int
	open  chan struct{}
}

func newGate() gate { return gate{begun: make(chan int, 100), open: make(chan struct{}, 100)} }

func (g gate) fill(_ context.Context, _ *model.Batch, batch int, _ []int32) error {
	g.begun <- batch
	<-g.open
	return nil
}

func TestAtMostQueueSizeBatchesAreBuiltAhead(t *testing.T) {
	const size = 3
	var highest atomic.Int64
	q := testQueue(t, 400, 4, size, func(_ context.Context, _ *model.Batch, batch int, _ []int32) error {
		for {
			h := highest.Load()
			if int64(batch) <= h || highest.CompareAndSwap(h, int64(batch)) {
				return nil
			}
		}
	})
	start(t, q, backwards(400))
	for k := range 100 {
		takeBatch(t, q)
		if ahead := highest.Load() - int64(k); ahead > size {
			t.Fatalf("batch %d was built while batch %d was the last one taken", highest.Load(), k)
		}
	}
}

func TestTheQueueIsFilledWithoutBeingAsked(t *testing.T) {
	g := newGate()
	q := testQueue(t, 400, 4, 3, g.fill)
	defer close(g.open)
	start(t, q, backwards(400))
	begun := []int{<-g.begun, <-g.begun, <-g.begun}
	slices.Sort(begun)
	if !slices.Equal(begun, []int{0, 1, 2}) || q.issued != 3 {
		t.Errorf("begun: %v, given out: %d", begun, q.issued)
	}
}

func TestTakingABatchMakesRoomForOneMore(t *testing.T) {
	const size = 3
	q := testQueue(t, 400, 4, size, mark)
	start(t, q, backwards(400))
	for k := range 100 {
		takeBatch(t, q)
		if want := min(k+1+size, 100); q.issued != want {
			t.Fatalf("after batch %d, %d batches were given out, want %d", k, q.issued, want)
		}
	}
}

func TestNothingIsBuiltOverTheEndOfAnEpoch(t *testing.T) {
	var builds atomic.Int64
	q := testQueue(t, 400, 3, 10, func(context.Context, *model.Batch, int, []int32) error {
		builds.Add(1)
		return nil
	})
	order := backwards(400)
	for epoch := range 3 {
		start(t, q, order[:4*7+3])
		for range 7 {
			takeBatch(t, q)
		}
		if got, want := builds.Load(), int64(7*(epoch+1)); got != want || q.issued != 7 {
			t.Fatalf("after epoch %d: %d batches built, want %d; %d given out", epoch, got, want, q.issued)
		}
	}
}

func TestABatchStaysValidUntilTheNextIsAskedFor(t *testing.T) {
	s := smallSource(t, 400, 5, 4)
	s.workers, s.queue, s.chunk = 4, 2, 12
	forEachFeed(t, s, func(t *testing.T, f Feed) {
		start(t, f, backwards(400))
		for k := range 100 {
			batch, samples, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for range 3 { // the race detector sees a worker that writes meanwhile
				if err := checkBatch(s.set, batch, samples); err != nil {
					t.Fatalf("batch %d: %v", k, err)
				}
			}
		}
	})
}

func failAt(k int, fail func() error) fill {
	return func(_ context.Context, _ *model.Batch, batch int, _ []int32) error {
		if batch == k {
			return fail()
		}
		return nil
	}
}

func TestAWorkersFailureEndsTheRunWithItsBatch(t *testing.T) {
	broken := errors.New("sensor unplugged")
	for name, c := range map[string]struct {
		fail func() error
		says string
	}{
		"error": {func() error { return broken }, "building batch 6 of the epoch: sensor unplugged"},
		"panic": {func() error { panic("index out of reach") }, "building batch 6 of the epoch: panic: index out of reach"},
	} {
		for workers := 1; workers <= 4; workers++ {
			for _, size := range []int{1, 4, 10} {
				q := testQueue(t, 400, workers, size, failAt(5, c.fail))
				start(t, q, backwards(400))
				for range 5 {
					takeBatch(t, q)
				}
				for range 2 { // it stays
					if _, _, err := q.Next(t.Context()); err == nil || err.Error() != c.says {
						t.Errorf("%s: got %v", name, err)
					}
				}
				if err := q.StartEpoch(backwards(400)); err == nil || !strings.Contains(err.Error(), "batch 6") {
					t.Errorf("%s: another epoch begins: %v", name, err)
				}
			}
		}
	}
}

func TestTheErrorOfAWorkerCanBeTold(t *testing.T) {
	broken := errors.New("sensor unplugged")
	q := testQueue(t, 400, 1, 1, failAt(0, func() error { return broken }))
	start(t, q, backwards(400))
	if _, _, err := q.Next(t.Context()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestTheQueueClosesAtAnyTime(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		for _, size := range []int{1, 3, 10} {
			for taken := range 12 {
				q := testQueue(t, 400, workers, size, mark)
				start(t, q, backwards(400))
				for range taken {
					takeBatch(t, q)
				}
				q.Close()
				q.Close()
				if _, _, err := q.Next(t.Context()); !errors.Is(err, errClosed) {
					t.Errorf("got %v", err)
				}
			}
		}
	}
}

func TestCloseDoesNotBuildWhatNobodyBegan(t *testing.T) {
	g := newGate()
	q := testQueue(t, 400, 1, 10, g.fill)
	start(t, q, backwards(400))
	<-g.begun
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		q.Close()
	}()
	for len(q.jobs) > 0 { // until Close has emptied it
		runtime.Gosched()
	}
	close(g.open)
	<-closed
	if n := len(g.begun); n > 0 {
		t.Errorf("%d more batches were begun", n)
	}
}

// cancelledInWait is a context that ends as soon as somebody waits for it.
type cancelledInWait struct {
	context.Context
	err error
}

func (c *cancelledInWait) Err() error { return c.err }

func (c *cancelledInWait) Done() <-chan struct{} {
	c.err = context.Canceled
	done := make(chan struct{})
	close(done)
	return done
}

func TestACancelledContextEndsTheWaitForABatch(t *testing.T) {
	g := newGate()
	q := testQueue(t, 400, 2, 3, g.fill)
	order := backwards(400)
	start(t, q, order)
	for range 2 {
		if _, _, err := q.Next(&cancelledInWait{Context: t.Context()}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if q.issued != 4 {
			t.Errorf("%d batches were given out, want the one waited for and 3 more", q.issued)
		}
	}
	close(g.open)
	if samples := takeBatch(t, q); !slices.Equal(samples, order[:4]) {
		t.Errorf("goes on with %v", samples)
	}
}

func TestAnEpochMayBeLeftBeforeItsEnd(t *testing.T) {
	q := testQueue(t, 400, 2, 5, mark)
	for range 4 {
		start(t, q, backwards(400))
		if samples := takeBatch(t, q); samples[0] != 399 {
			t.Fatalf("begins with %v", samples)
		}
	}
}

func TestPartsOfManyBatchesCoverTheEpochsWholeBatches(t *testing.T) {
	order := backwards(403)
	for part, sizes := range map[int][]int{4: slices.Repeat([]int{4}, 10), 12: {12, 12, 12, 4}, 20: {20, 20}, 40: {40}, 400: {40}} {
		q := queueOf(t, filling{batch: 4, part: part, ahead: 1, workers: 1, fill: mark})
		for range 3 {
			start(t, q, order[:43])
			at := 0
			for k, size := range sizes {
				b, samples, err := q.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(samples, order[at:at+size]) || b.X64[0] != float64(samples[0]) {
					t.Errorf("part %d of %d: %v, marked %v", k, part, samples, b.X64[0])
				}
				at += size
			}
			if q.taken != q.parts {
				t.Errorf("parts of %d: %d in the epoch, %d taken", part, q.parts, q.taken)
			}
		}
	}
}

// Without being told, the part that waits for its context would keep Close for ever.
func TestCloseEndsThePartsUnderWay(t *testing.T) {
	begun := make(chan struct{}, 2)
	q := testQueue(t, 400, 2, 3, func(ctx context.Context, _ *model.Batch, _ int, _ []int32) error {
		begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	start(t, q, backwards(400))
	<-begun
	<-begun
	q.Close()
}

// A sample that there is not is a window that cannot be gathered.
func TestABuildersPanicEndsTheRunOfEveryQueuedFeed(t *testing.T) {
	s := smallSource(t, 400, 5, 4)
	s.chunk = 4
	for mode, says := range map[string]string{
		"generator": "building batch 6 of the epoch: panic: ", "pipeline": "building batch 6 of the epoch: panic: ", "fit-chunked": "building piece 6 of the epoch: panic: ",
	} {
		m, _ := Lookup(mode)
		f, err := m.open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		order := backwards(400)
		order[5*4] = 1e6
		start(t, f, order)
		for range 5 {
			takeBatch(t, f)
		}
		for range 2 { // it stays
			if _, _, err := f.Next(t.Context()); err == nil || !strings.HasPrefix(err.Error(), says) {
				t.Errorf("%s: got %v", mode, err)
			}
		}
	}
}
