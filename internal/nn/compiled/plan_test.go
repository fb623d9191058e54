package compiled

import (
	"math"
	"slices"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func TestShardsCoverTheBatchOnceInOrder(t *testing.T) {
	for n := 1; n <= 8192; n++ {
		if parts, blocks := partCount(n), blockCount(n); parts < 1 || parts > maxParts || parts > blocks || blocks*kernel.LaneWidth < n {
			t.Fatalf("batch %d: %d parts of %d blocks", n, parts, blocks)
		}
		shards, next := shardCount(n), 0
		for i := range shards {
			from, to := shardRange(n, shards, i)
			if from != next || to <= from {
				t.Fatalf("batch %d: shard %d of %d is [%d, %d); want a start of %d and samples in it", n, i, shards, from, to, next)
			}
			next = to
		}
		if next != n || shards > maxShards {
			t.Fatalf("batch %d: %d shards cover %d samples", n, shards, next)
		}
	}
}

// A long part before each short one, as the pool takes them, and none without blocks.
func TestPartsCoverTheBlocksOnceInPairsOfALongAndAShortOne(t *testing.T) {
	for n := 1; n <= 8192; n++ {
		parts, blocks, next, before := partCount(n), blockCount(n), 0, 0
		for i := range parts {
			from, to := partRange(blocks, parts, i)
			if from != next || to <= from || i%2 == 1 && to-from > before {
				t.Fatalf("batch %d: part %d of %d is the blocks [%d, %d), behind one of %d; want a start of %d", n, i, parts, from, to, before, next)
			}
			next, before = to, to-from
		}
		if next != blocks {
			t.Fatalf("batch %d: %d parts cover %d of %d blocks", n, parts, next, blocks)
		}
	}
	for part, want := range [][2]int{{0, 3}, {3, 4}, {4, 7}} {
		if from, to := partRange(32, 16, part); [2]int{from, to} != want {
			t.Errorf("part %d of 32 blocks is [%d, %d), want %v", part, from, to, want)
		}
	}
}

// made is a model of the experiment's network.
func made(t *testing.T, impl *kernel.Impl, batch, threads int) *Model {
	t.Helper()
	h := model.Default(104)
	m, err := New(model.Config{Hyperparameters: h, BatchSize: batch, Threads: threads, Impl: impl, Weights: h.InitialWeights(1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func TestACompiledStepIsOneOpWithoutTensorsAndCopiesOnlyWhatItNarrows(t *testing.T) {
	m := made(t, kernel.Available()[0], 3, 1)
	narrow := &model.Batch{X32: make([]float32, 106), Starts: []int{0, 1, 2}, Classes: []uint8{0, 1, 0}}
	wide := &model.Batch{X64: make([]float64, 106), Starts: narrow.Starts, Classes: narrow.Classes}
	for _, c := range []struct {
		batch *model.Batch
		want  model.Counts
	}{{narrow, model.Counts{Ops: 1}}, {wide, model.Counts{Ops: 1, CopiedBytes: 3 * 104 * 4}}} {
		if _, err := m.Step(c.batch); err != nil {
			t.Fatal(err)
		}
		if m.Counts() != c.want {
			t.Errorf("counts are %+v, want %+v", m.Counts(), c.want)
		}
	}
	if _, step := m.Split(); step != 0 {
		t.Error("a compiled step was split")
	}
}

// series is a batch of n windows into one series, as fit-windows has them.
func series(n int) *model.Batch {
	b := &model.Batch{X32: make([]float32, n+200), Starts: make([]int, n), Classes: make([]uint8, n)}
	for i := range b.X32 {
		b.X32[i] = float32(math.Sin(float64(i)))
	}
	for i := range n {
		b.Starts[i], b.Classes[i] = i*7%n, uint8(i%2)
	}
	return b
}

// The plan by rows is the one that takes everything, so it is what the other must agree with where a value is not for the lanes:
// at the beginning of the batch or near its end.
func TestValuesThatTheLanesDoNotTakeGoByRows(t *testing.T) {
	const n = 600 // in the first part or in the last
	for _, impl := range kernel.Available() {
		if impl.Lanes == nil {
			continue
		}
		byRows := *impl
		byRows.Lanes = nil
		for _, place := range []int{50, n + 90} {
			for _, value := range []float32{1025, -1e13, float32(math.NaN())} {
				b := series(n)
				b.X32[place] = value
				m, want := made(t, impl, n, 2), made(t, &byRows, n, 2)
				for range 2 {
					got, err := m.Step(b)
					if err != nil {
						t.Fatal(err)
					}
					if expected, err := want.Step(b); err != nil || math.Float64bits(got.Loss) != math.Float64bits(expected.Loss) {
						t.Errorf("%s, %g at %d: loss %v, by rows %v, %v", impl.Name, value, place, got.Loss, expected.Loss, err)
					}
				}
				if !slices.EqualFunc(m.Weights(), want.Weights(), func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
					t.Errorf("%s, %g at %d: other weights than by rows", impl.Name, value, place)
				}
			}
		}
	}
}

func TestALargeBatchDoesNotDependOnTheThreads(t *testing.T) {
	const n = 8096
	for _, impl := range kernel.Available() {
		if impl.Lanes == nil {
			continue // portable Go takes a second a step; conformance has smaller batches for it
		}
		b, one, seven := series(n), made(t, impl, n, 1), made(t, impl, n, 7)
		for range 2 {
			for _, m := range []*Model{one, seven} {
				if _, err := m.Step(b); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.Equal(one.Weights(), seven.Weights()) {
			t.Errorf("%s: other weights with 7 threads than with 1", impl.Name)
		}
	}
}

// What the network makes of the lanes without a sample overflows here; the one sample's hidden units are all 0.
func TestLanesWithoutASampleAddNothing(t *testing.T) {
	h := model.Default(104)
	layout := h.Layout()
	weights := make([]float32, layout.Size)
	for v, value := range map[*model.Variable]float32{&layout.ConvKernel: -1, &layout.ConvBias: 1, &layout.Dense1Kernel: 1e38} {
		for i := range v.Of(weights) {
			v.Of(weights)[i] = value
		}
	}
	b := &model.Batch{X32: make([]float32, 104), Starts: []int{0}, Classes: []uint8{1}}
	for i := range b.X32 {
		b.X32[i] = 1
	}
	for _, impl := range kernel.Available() {
		m, err := New(model.Config{Hyperparameters: h, BatchSize: 1, Threads: 1, Impl: impl, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Step(b); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(m.Gradients(), func(g float32) bool { return g != g }) {
			t.Errorf("%s: a gradient is NaN", impl.Name)
		}
		m.Close()
	}
}
