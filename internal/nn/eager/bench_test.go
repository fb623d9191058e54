package eager

import (
	"fmt"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// BenchmarkStep is one whole step on one thread, with what its timed steps say of it.
func BenchmarkStep(b *testing.B) {
	h := model.Default(104)
	for _, impl := range kernel.Available() {
		for _, n := range []int{64, 512} {
			b.Run(fmt.Sprintf("impl=%s/batch=%d", impl.Name, n), func(b *testing.B) {
				m, err := New(model.Config{Hyperparameters: h, BatchSize: n, Threads: 1, Impl: impl, Weights: h.InitialWeights(1)})
				if err != nil {
					b.Fatal(err)
				}
				defer m.Close()
				batch := batchOf(h, n)
				for b.Loop() {
					if _, err := m.Step(batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/sample")
				if split, ok := m.Split(); ok {
					b.ReportMetric(split.Dispatch*1e6, "us-dispatch")
					b.ReportMetric(split.Allocation*1e6, "us-allocation")
					b.ReportMetric(split.Casts*1e6, "us-casts")
					b.ReportMetric(split.Arithmetic*1e6, "us-arithmetic")
				}
			})
		}
	}
}
