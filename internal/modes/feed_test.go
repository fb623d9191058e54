package modes

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"testing"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
)

// checkBatch holds a batch against the definition of a sample: values i to i+window of the series, wrapping at its end.
func checkBatch(set *data.Set, b *model.Batch, samples []int32) error {
	n := set.Samples()
	for s, sample := range samples {
		for j := range set.Window {
			want := set.Values[(int(sample)+j)%n]
			if got := valueAt(b, b.Starts[s]+j); got != float64(float32(want)) && !(b.X64 != nil && got == want) {
				return fmt.Errorf("sample %d, value %d: got %v, want %v", sample, j, got, want)
			}
		}
		if err := checkClass(b, s, set.Labels[sample]); err != nil {
			return fmt.Errorf("sample %d: %w", sample, err)
		}
	}
	return nil
}

func valueAt(b *model.Batch, i int) float64 {
	if b.X64 != nil {
		return b.X64[i]
	}
	return float64(b.X32[i])
}

func checkClass(b *model.Batch, s int, want uint8) error {
	if b.OneHot == nil {
		if b.Classes[s] != want {
			return fmt.Errorf("class is %d, not %d", b.Classes[s], want)
		}
		return nil
	}
	row, oneHot := b.OneHot[2*s:2*s+2], []float64{0, 0}
	oneHot[want] = 1
	if !slices.Equal(row, oneHot) {
		return fmt.Errorf("one-hot row is %v, not %v", row, oneHot)
	}
	return nil
}

func forEachFeed(t *testing.T, s source, do func(t *testing.T, f Feed)) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			f, err := m.open(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			do(t, f)
		})
	}
}

func TestEveryFeedMakesTheWindowsOfTheOrder(t *testing.T) {
	s := smallSource(t, 5003, 13, 16) // more than one piece of the array, and not a multiple of the batch
	orders := [][]int32{backwards(5003), make([]int32, 5003), backwards(3 * 16)}
	if err := data.EpochOrder(t.Context(), orders[1], 3, 0); err != nil {
		t.Fatal(err)
	}
	forEachFeed(t, s, func(t *testing.T, f Feed) {
		for _, order := range orders {
			if err := f.StartEpoch(order); err != nil {
				t.Fatal(err)
			}
			for k := range len(order) / 16 {
				batch, samples, err := f.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if want := order[k*16 : (k+1)*16]; !slices.Equal(samples, want) {
					t.Fatalf("batch %d: samples %v, want %v", k, samples, want)
				}
				if batch.Len() != 16 {
					t.Fatalf("batch %d has %d samples", k, batch.Len())
				}
				if err := checkBatch(s.set, batch, samples); err != nil {
					t.Fatalf("batch %d: %v", k, err)
				}
			}
		}
	})
}

func TestBatchesAreOfTheModesDtypes(t *testing.T) {
	s := smallSource(t, 200, 13, 16)
	forEachFeed(t, s, func(t *testing.T, f Feed) {
		start(t, f, backwards(16))
		b, _, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch mode := path.Base(t.Name()); mode {
		case "fit", "fit-windows", "pipeline", "fit-chunked":
			if b.X32 == nil || b.X64 != nil || b.Classes == nil || b.OneHot != nil {
				t.Error("want float32 values and classes")
			}
		default:
			if b.X32 != nil || len(b.X64) != 16*13 || b.Classes != nil || len(b.OneHot) != 16*2 {
				t.Error("want rows of float64 and one-hot rows")
			}
		}
	})
}

func TestFeedBytesAreWhatWasBuiltBefore(t *testing.T) {
	want := map[string]int64{"fit": 4 * 200 * 13, "generator": 0, "train-on-batch": 0, "fit-windows": 4 * (200 + 12),
		"pipeline": 4 * (200 + 12), "fit-chunked": 4 * (200 + 12)}
	s := smallSource(t, 200, 13, 16)
	for _, m := range All() {
		f, err := m.open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if f.Bytes() != want[m.Name] {
			t.Errorf("%s: %d bytes, want %d", m.Name, f.Bytes(), want[m.Name])
		}
		f.Close()
	}
}

func TestACancelledContextEndsEveryFeed(t *testing.T) {
	forEachFeed(t, smallSource(t, 200, 13, 16), func(t *testing.T, f Feed) {
		ctx, cancel := context.WithCancel(t.Context())
		if err := f.StartEpoch(backwards(64)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Next(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, _, err := f.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestACancelledContextStopsTheArray(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openArray(ctx, smallSource(t, 200, 13, 16)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheArrayDoesNotDependOnTheThreads(t *testing.T) {
	set := smallSet(t, 5003, 13)
	one, err := buildArray(t.Context(), set, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 7} {
		if many, err := buildArray(t.Context(), set, threads); err != nil || !slices.Equal(one, many) {
			t.Errorf("%d threads differ (%v)", threads, err)
		}
	}
}

func TestMoreBatchesThanTheEpochHasIsAProgrammersError(t *testing.T) {
	forEachFeed(t, smallSource(t, 200, 13, 16), func(t *testing.T, f Feed) {
		if err := f.StartEpoch(backwards(31)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		f.Next(t.Context())
	})
}

func TestANextBatchAllocatesNothing(t *testing.T) {
	s := smallSource(t, 4096, 13, 16)
	order := backwards(4096)
	forEachFeed(t, s, func(t *testing.T, f Feed) {
		if err := f.StartEpoch(order); err != nil {
			t.Fatal(err)
		}
		allocated := testing.AllocsPerRun(200, func() {
			if _, _, err := f.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if allocated != 0 {
			t.Errorf("%v allocations a batch", allocated)
		}
	})
}
