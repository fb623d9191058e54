package data

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"testing"

	"fitbench/testdata"
)

func TestEpochZerosOrderBeginsAsInTheGoldenSteps(t *testing.T) {
	file, err := fs.ReadFile(testdata.Golden(), "keras_b64/order.npy")
	if err != nil {
		t.Fatal(err)
	}
	const header = 128
	want := make([]int32, (len(file)-header)/4)
	if err := binary.Read(bytes.NewReader(file[header:]), binary.LittleEndian, want); err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 65536)
	if err := EpochOrder(t.Context(), got, 0, 0); err != nil {
		t.Fatal(err)
	}
	if len(want) != 400*64 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("order of epoch 0 begins %v, want %v", got[:8], want[:8])
	}
}

func TestEpochOrderSeedsWithSeedPlusOnePlusEpochModulo2To32(t *testing.T) {
	seed0, seed42 := []int32{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}, []int32{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}
	for _, c := range []struct {
		seed  uint32
		epoch int
		want  []int32
	}{
		{41, 0, seed42}, {0, 41, seed42}, {30, 11, seed42},
		{math.MaxUint32, 0, seed0}, {math.MaxUint32 - 1, 1, seed0}, {math.MaxUint32, 42, seed42},
		{math.MaxUint32 - 1, 0, []int32{6, 9, 5, 1, 8, 0, 7, 4, 2, 3}},
	} {
		got := []int32{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}
		if err := EpochOrder(t.Context(), got, c.seed, c.epoch); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("seed %d, epoch %d: %v, want %v", c.seed, c.epoch, got, c.want)
		}
	}
}

func TestEpochOrderAllocatesNothingThatGrows(t *testing.T) {
	dst := make([]int32, 100_000)
	if bytes := allocated(func() { _ = EpochOrder(context.Background(), dst, 0, 0) }); bytes > 10_000 {
		t.Errorf("%d bytes allocated for an order of %d", bytes, len(dst))
	}
}

// allocated is how many bytes do allocates, whatever becomes of them.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

func TestEpochOrderStopsWhenItsContextEnds(t *testing.T) {
	dst := make([]int32, 10*piece)
	for looks := range 20 {
		ctx := &expiring{Context: context.Background(), looks: looks}
		if err := EpochOrder(ctx, dst, 0, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks at the context: error %v", looks, err)
		}
		if ctx.after > 0 {
			t.Errorf("looked %d times more after the context had ended", ctx.after)
		}
	}
	if err := EpochOrder(t.Context(), dst[:4], 0, 0); err != nil {
		t.Error(err)
	}
}

// expiring is a context that ends after it was looked at that often.
type expiring struct {
	context.Context
	looks int
	after int // looks after the first that said so
	ended bool
}

func (e *expiring) Err() error {
	if e.ended {
		e.after++
	}
	if e.looks == 0 {
		e.ended = true
		return context.Canceled
	}
	e.looks--
	return nil
}
