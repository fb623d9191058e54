package modes

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func testChunks(t *testing.T, samples, batch, chunk int) *chunks {
	t.Helper()
	s := smallSource(t, samples, 5, batch)
	s.chunk = chunk
	f, err := openChunks(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f.(*chunks)
}

func TestAPieceIsWholeBatchesAndNoMoreThanAnEpochHas(t *testing.T) {
	for _, c := range []struct{ wanted, samples, batch, size, pieces int }{
		{100, 1000, 16, 96, 2},
		{96, 1000, 16, 96, 2},
		{95, 1000, 16, 80, 2},
		{15, 1000, 16, 16, 2},
		{1, 1000, 16, 16, 2},
		{991, 1000, 16, 976, 2},
		{992, 1000, 16, 992, 1}, // 62 batches are an epoch
		{math.MaxInt, 1000, 16, 992, 1},
		{1, 16, 16, 16, 1},
		{0, 1000, 16, 992, 1},
		{0, 1 << 20, 64, 131072, 2},
		{0, 1 << 20, 100, 131000, 2},
		{0, 1 << 20, 1 << 20, 1 << 20, 1},
	} {
		size := chunkSize(c.wanted, c.samples, c.batch)
		if pieces := chunkPieces(size, c.samples, c.batch); size != c.size || pieces != c.pieces {
			t.Errorf("%d of %d samples in batches of %d: %d pieces of %d samples, want %d of %d", c.wanted, c.samples, c.batch, pieces, size, c.pieces, c.size)
		}
	}
}

func TestOnePieceIsMaterialisedAheadAndNoMore(t *testing.T) {
	f := testChunks(t, 400, 4, 12)
	start(t, f, backwards(400))
	if f.pieces.issued != 1 || len(f.pieces.places) != 2 {
		t.Fatalf("%d pieces are begun, there is room for %d", f.pieces.issued, len(f.pieces.places))
	}
	for k := range 100 {
		takeBatch(t, f)
		if want := min(k/3+2, 34); f.pieces.issued != want {
			t.Fatalf("after batch %d, %d pieces were given out, want %d", k, f.pieces.issued, want)
		}
	}
}

func TestAnEpochOfOnePieceHasOneInMemory(t *testing.T) {
	f := testChunks(t, 403, 4, 0)
	order := backwards(403)
	for range 2 {
		start(t, f, order)
		if samples := takeBatch(t, f); !slices.Equal(samples, order[:4]) || len(f.pieces.places) != 1 {
			t.Errorf("%v with room for %d pieces", samples, len(f.pieces.places))
		}
	}
}

func TestOnlyThePiecesFirstBatchIsWaitedFor(t *testing.T) {
	f := testChunks(t, 400, 4, 12)
	for _, batches := range []int{7, 3, 1, 8} {
		start(t, f, backwards(4*batches))
		for k := range batches {
			if want := k%3 == 0; f.Builds() != want {
				t.Errorf("before batch %d of %d: Builds is %v", k, batches, f.Builds())
			}
			takeBatch(t, f)
		}
	}
}

func TestAnEpochOfPiecesMayBeLeftBeforeItsEnd(t *testing.T) {
	f := testChunks(t, 400, 4, 12)
	for taken := range 8 {
		start(t, f, backwards(400))
		for k := range taken {
			if samples := takeBatch(t, f); samples[0] != int32(399-4*k) {
				t.Fatalf("batch %d begins with %v", k, samples)
			}
		}
	}
}

func TestChunksCloseAtAnyTime(t *testing.T) {
	for taken := range 8 {
		f := testChunks(t, 400, 4, 12)
		start(t, f, backwards(400))
		for range taken {
			takeBatch(t, f)
		}
		f.Close()
		f.Close()
		if _, _, err := f.Next(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("got %v", err)
		}
	}
}

func TestACancelledContextStopsTheSeriesOfTheRows(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, open := range []func(context.Context, source) (Feed, error){openChunks, openPipeline} {
		if _, err := open(ctx, smallSource(t, 200, 13, 16)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// endsAt is a context that is cancelled when it is asked for the nth time.
type endsAt struct {
	context.Context
	asked, n int
}

func (e *endsAt) Err() error {
	if e.asked++; e.asked >= e.n {
		return context.Canceled
	}
	return nil
}

func TestGatheringEndsWithItsContextBetweenPiecesOfTheWork(t *testing.T) {
	const samples = 5 * arrayPiece
	r := &rows{series: slices.Repeat([]float32{1}, samples+2), labels: make([]uint8, samples), window: 3}
	b := r.empty(samples)
	if err := r.gather(&endsAt{Context: t.Context(), n: 3}, b, backwards(samples)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if done := slices.Index(b.X32, 0) / 3; done != 2*arrayPiece {
		t.Errorf("%d rows were gathered, want %d", done, 2*arrayPiece)
	}
}
