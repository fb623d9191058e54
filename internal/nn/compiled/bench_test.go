package compiled

import (
	"fmt"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// BenchmarkStep is one whole step on one thread.
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
				batch := &model.Batch{X32: make([]float32, n+h.Window-1), Starts: make([]int, n), Classes: make([]uint8, n)}
				for i := range batch.X32 {
					batch.X32[i] = float32(i*7919%2003)/1000 - 1
				}
				for i := range batch.Starts {
					batch.Starts[i], batch.Classes[i] = i, uint8(i%2)
				}
				for b.Loop() {
					if _, err := m.Step(batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/sample")
			})
		}
	}
}
