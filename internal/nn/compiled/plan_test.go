package compiled

import (
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func TestShardsCoverTheBatchOnceInOrder(t *testing.T) {
	for n := 1; n <= 8192; n++ {
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

func TestACompiledStepIsOneOpWithoutTensorsAndCopiesOnlyWhatItNarrows(t *testing.T) {
	h := model.Default(104)
	m, err := New(model.Config{Hyperparameters: h, BatchSize: 3, Threads: 1, Impl: kernel.Available()[0], Weights: h.InitialWeights(1)})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
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
