package eager

import (
	"testing"

	"fitbench/internal/nn/conformance"
)

func BenchmarkStep(b *testing.B) { conformance.Benchmark(b, conformance.Of(New)) }
