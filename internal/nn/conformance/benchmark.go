package conformance

import (
	"fmt"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// Benchmark is one whole step on one thread, with the parts of its last timed step where the execution times any.
func Benchmark(b *testing.B, build Maker) {
	h := model.Default(104)
	for _, impl := range kernel.Available() {
		for _, n := range []int{64, 512} {
			b.Run(fmt.Sprintf("impl=%s/batch=%d", impl.Name, n), func(b *testing.B) {
				weights, batch := problem(h, n)
				e, err := build(model.Config{Hyperparameters: h, BatchSize: n, Threads: 1, Impl: impl, Weights: weights})
				if err != nil {
					b.Fatal(err)
				}
				defer e.Close()
				for b.Loop() {
					if _, err := e.Step(batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/sample")
				if split, step := e.Split(); step > 0 {
					b.ReportMetric(split.Dispatch*1e6, "us-dispatch")
					b.ReportMetric(split.Allocation*1e6, "us-allocation")
					b.ReportMetric(split.Casts*1e6, "us-casts")
					b.ReportMetric(split.Arithmetic*1e6, "us-arithmetic")
				}
			})
		}
	}
}
