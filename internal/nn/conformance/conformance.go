// Package conformance holds every execution to the same rules: the gradients of the float64 reference, and what model.Execution
// promises. Only tests import it. The tests of an execution's package are
//
//	func TestConformance(t *testing.T) { conformance.Run(t, conformance.Of(New)) }
//	func TestAStepAllocatesNothing(t *testing.T) { conformance.NoAllocation(t, conformance.Of(New)) }
//	func BenchmarkStep(b *testing.B) { conformance.Benchmark(b, conformance.Of(New)) }
//
// where New is that package's New. The golden steps of Keras are not among the rules: package verify follows them with every
// execution on every kernel.
package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// Maker makes the execution under test.
type Maker func(model.Config) (model.Execution, error)

// Of makes a Maker of a package's New, whatever type that returns.
func Of[E model.Execution](build func(model.Config) (E, error)) Maker {
	return func(c model.Config) (model.Execution, error) {
		e, err := build(c)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
}

// Run runs every rule on every variant of the kernels that this CPU has.
func Run(t *testing.T, build Maker) {
	rules := []struct {
		name string
		test func(*testing.T, suite)
	}{
		{"ReferenceGradients", referenceGradients},
		{"SoftLabelsWeighTheClasses", softLabelsWeighTheClasses},
		{"ShorterBatchAfterLonger", shorterBatchAfterLonger},
		{"ThreadsDoNotChangeTheResult", threadsDoNotChangeTheResult},
		{"AStepUsesItsThreads", aStepUsesItsThreads},
		{"BatchKindsAreBitEqual", batchKindsAreBitEqual},
		{"BatchMatesDoNotChangeASample", batchMatesDoNotChangeASample},
		{"NaNReachesTheLoss", nanReachesTheLoss},
		{"NoSubnormalAfter2000Steps", noSubnormalAfter2000Steps},
		{"BadBatchesAreRefused", badBatchesAreRefused},
		{"BadConfigsAreRefused", badConfigsAreRefused},
		{"BeforeTheFirstStepThereIsNothingToRead", beforeTheFirstStepThereIsNothingToRead},
		{"CloseEndsTheThreads", closeEndsTheThreads},
		{"AClosedExecutionDoesNotStep", aClosedExecutionDoesNotStep},
	}
	for _, impl := range kernel.Available() {
		for _, rule := range rules {
			t.Run(impl.Name+"/"+rule.name, func(t *testing.T) { rule.test(t, suite{build, impl}) })
		}
	}
}

// suite is what is under test.
type suite struct {
	build Maker
	impl  *kernel.Impl
}

// cutSmall is the suite with a kernel whose work is cut into shards already where it is small, so that tests need no large batches.
func (s suite) cutSmall() suite {
	impl := *s.impl
	impl.ShardWork = 1 << 14
	return suite{s.build, &impl}
}

// execution makes an execution that ends with the test.
func (s suite) execution(t *testing.T, h model.Hyperparameters, batch, threads int, weights []float32) model.Execution {
	t.Helper()
	e, err := s.build(model.Config{Hyperparameters: h, BatchSize: batch, Threads: threads, Impl: s.impl, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// step takes one step, which must not fail.
func step(t *testing.T, e model.Execution, b *model.Batch) model.Result {
	t.Helper()
	r, err := e.Step(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// problem draws weights, with biases that are not 0, and a batch of n rows. The same arguments give the same problem.
func problem(h model.Hyperparameters, n int) (weights []float32, b *model.Batch) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(h.Window)))
	weights = h.InitialWeights(7)
	for _, v := range h.Layout().Variables() {
		if v.FanIn == 0 {
			for i, w := 0, v.Of(weights); i < len(w); i++ {
				w[i] = float32(rng.NormFloat64()) * 0.1
			}
		}
	}
	b = &model.Batch{}
	for range n * h.Window {
		b.X32 = append(b.X32, float32(rng.NormFloat64()))
	}
	for s := range n {
		b.Starts = append(b.Starts, s*h.Window)
		b.Classes = append(b.Classes, uint8(rng.IntN(h.Classes)))
	}
	return weights, b
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = float64(x[i])
	}
	return y
}

func oneHot(classes []uint8, n int) []float64 {
	y := make([]float64, len(classes)*n)
	for s, c := range classes {
		y[s*n+int(c)] = 1
	}
	return y
}

// within says whether got is as long as want and nowhere further from it than tolerance.
func within[T float32 | float64](t *testing.T, what string, got []float32, want []T, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tolerance) {
			t.Errorf("%s[%d] is %g, want %g: off by %.2g, accepted %.2g", what, i, got[i], want[i], d, tolerance)
			return
		}
	}
}

// bitEqual says whether two slices hold the same bits.
func bitEqual(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Errorf("%s[%d] is %g (%#x), want %g (%#x)", what, i, got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
			return
		}
	}
}

// gradientsWithin holds each variable's gradient to 1e-5 of the largest in its tensor.
func gradientsWithin[T float32 | float64](t *testing.T, h model.Hyperparameters, got []float32, want []T) {
	t.Helper()
	for _, v := range h.Layout().Variables() {
		part, largest := want[v.Offset:v.Offset+v.Size], 0.0
		for _, g := range part {
			largest = max(largest, math.Abs(float64(g)))
		}
		within(t, fmt.Sprintf("gradient by %s", v.Name), v.Of(got), part, 1e-5*largest)
	}
}
