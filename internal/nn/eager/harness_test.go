package eager

import (
	"math"
	"strings"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// small is a network small enough for arithmetic by hand: 6 values, 2 filters of 3 taps, pool 2, 3 units, 2 classes.
func small() model.Hyperparameters {
	h := model.Default(6)
	h.Filters, h.Kernel, h.Pool, h.Units = 2, 3, 2, 3
	return h
}

// newModel makes an execution that ends with the test.
func newModel(t *testing.T, h model.Hyperparameters, batch, threads int) *Model {
	t.Helper()
	best, err := kernel.Select(kernel.Auto)
	if err != nil {
		t.Fatal(err)
	}
	impl := *best
	impl.ShardWork = 1 << 17 // the same shards whatever kernel there is
	m, err := New(model.Config{Hyperparameters: h, BatchSize: batch, Threads: threads, Impl: &impl, Weights: h.InitialWeights(3)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// tensorOf is a float32 tensor over the values.
func tensorOf(s shape, values ...float32) *tensor { return resident(s, values) }

// tensorAs is a tensor of another dtype over the slice.
func tensorAs(s shape, values any) *tensor {
	t := resident(s, nil)
	switch v := values.(type) {
	case []float64:
		t.dtype, t.buf.f64 = float64s, v
	case []int:
		t.dtype, t.buf.ints = int64s, v
	case []bool:
		t.dtype, t.buf.bools = bools, v
	case []uint8:
		t.dtype, t.buf.bytes = uint8s, v
	}
	return t
}

// values are a tensor's elements as float64.
func values(t *tensor) []float64 {
	out := make([]float64, t.size)
	for i := range out {
		switch t.dtype {
		case float32s:
			out[i] = float64(t.f32()[i])
		case float64s:
			out[i] = t.f64()[i]
		case int64s:
			out[i] = float64(t.ints()[i])
		case bools:
			if t.bools()[i] {
				out[i] = 1
			}
		}
	}
	return out
}

// ramp is a tensor of different values, positive and negative, none at a kink.
func ramp(s shape) *tensor {
	v := make([]float32, s.elements())
	for i := range v {
		v[i] = float32(math.Sin(float64(3*i+1))) + 0.05
	}
	return resident(s, v)
}

// batchOf is a batch of n rows for h, every kind of which the test may change.
func batchOf(h model.Hyperparameters, n int) *model.Batch {
	b := &model.Batch{X32: ramp(newShape(n * h.Window)).f32()}
	for s := range n {
		b.Starts = append(b.Starts, s*h.Window)
		b.Classes = append(b.Classes, uint8(s%h.Classes))
	}
	return b
}

func mustStep(t *testing.T, m *Model, b *model.Batch) model.Result {
	t.Helper()
	r, err := m.Step(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantValues(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		same := math.IsNaN(want[i]) && math.IsNaN(got[i]) || got[i] == want[i]
		if !same && !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s[%d] is %g, want %g (all: %v, want %v)", what, i, got[i], want[i], got, want)
			return
		}
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not contain %q", err, part)
		}
	}
}
