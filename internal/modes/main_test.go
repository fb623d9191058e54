package modes

import (
	"testing"

	"go.uber.org/goleak"

	"fitbench/internal/data"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// smallSet is a series with a few anomalies, so that both classes occur.
func smallSet(t testing.TB, samples, window int) *data.Set {
	t.Helper()
	set, err := data.Generate(t.Context(), data.Config{
		Samples: samples, Window: window, Anomalies: max(1, samples/(2*window)), Noise: 0.2, Shift: 0.5, Seed: 7,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func smallSource(t testing.TB, samples, window, batch int) source {
	return source{set: smallSet(t, samples, window), classes: 2, batch: batch, threads: 2, workers: 2, queue: 3, chunk: 100}
}

// backwards is an order that is easy to check: the last sample first.
func backwards(n int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(n - 1 - i)
	}
	return order
}
