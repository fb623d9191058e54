package compiled

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// withLanes runs a test on each variant that has lanes, which the test may replace functions of.
func withLanes(t *testing.T, test func(t *testing.T, impl *kernel.Impl)) {
	for _, impl := range kernel.Available() {
		if impl.Lanes == nil {
			continue
		}
		own, lanes := *impl, *impl.Lanes
		own.Lanes = &lanes
		t.Run(impl.Name, func(t *testing.T) { test(t, &own) })
	}
}

func modelOf(t *testing.T, impl *kernel.Impl, window, batch, threads int) *Model {
	t.Helper()
	h := model.Default(window)
	m, err := New(model.Config{Hyperparameters: h, BatchSize: batch, Threads: threads, Impl: impl, Weights: h.InitialWeights(1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func mustStep(t *testing.T, m *Model, b *model.Batch) model.Result {
	t.Helper()
	r, err := m.Step(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Windows of 104, 32 and 20 have 8, 2 and 1 ranges of parameters to update: fewer than some of these threads. The kernel gives way now
// and then, so that threads take one another's parts.
func TestAnyNumberOfThreadsGivesTheSameBits(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		conv := impl.Lanes.ConvReLUPool
		var calls atomic.Int32
		impl.Lanes.ConvReLUPool = func(c kernel.Conv, a []float32, picks []byte, x, taps []float32) {
			if calls.Add(1)%3 == 0 {
				runtime.Gosched()
			}
			conv(c, a, picks, x, taps)
		}
		for _, c := range []struct{ window, batch int }{{104, 40}, {104, 256}, {104, 1040}, {32, 127}, {20, 127}} {
			b := series(c.batch)
			for _, threads := range []int{2, 9, 17} {
				many, one := modelOf(t, impl, c.window, c.batch, threads), modelOf(t, impl, c.window, c.batch, 1)
				for step := range 4 {
					want, got := mustStep(t, one, b), mustStep(t, many, b)
					if got != want || !slices.Equal(many.Gradients(), one.Gradients()) || !slices.Equal(many.Weights(), one.Weights()) {
						t.Fatalf("%+v, %d threads, step %d: %+v, with one thread %+v, or other gradients or weights", c, threads, step+1, got, want)
					}
				}
			}
		}
	})
}

// By hand: 32 blocks are eight pairs of three and one, and one thread takes them in their order.
func TestPartsAreTrainedInPairsOfALongAndAShortOne(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		grad := impl.Lanes.DenseWeightGrad
		var got []int
		impl.Lanes.DenseWeightGrad = func(flat, blocks, from, to int, sum, old, a, dhs []float32, stream bool) {
			got = append(got, blocks)
			grad(flat, blocks, from, to, sum, old, a, dhs, stream)
		}
		m := modelOf(t, impl, 104, 512, 1)
		mustStep(t, m, series(512))
		if want := slices.Repeat([]int{3, 1}, 8); !slices.Equal(got, want) {
			t.Errorf("parts of %v blocks, want %v", got, want)
		}
		if !m.lanes.training.LongFirst || m.lanes.updating.LongFirst {
			t.Error("the long parts are not taken first, or the ranges are not taken in their order")
		}
	})
}

// Batches of more than 1,024 samples have parts of several groups of blocks; the plan by rows knows neither.
func TestTheLanesAgreeWithTheRowsOnLargeBatches(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		rows := *impl
		rows.Lanes = nil
		for _, n := range []int{1025, 2100} {
			b := series(n)
			got, want := modelOf(t, impl, 104, n, 2), modelOf(t, &rows, 104, n, 1)
			mustStep(t, got, b)
			mustStep(t, want, b)
			largest := 0.0
			for _, g := range want.Gradients() {
				largest = max(largest, math.Abs(float64(g)))
			}
			for i, g := range want.Gradients() {
				if d := math.Abs(float64(g) - float64(got.Gradients()[i])); !(d <= 1e-5*largest) {
					t.Fatalf("batch %d: gradient %d is %g, by rows %g", n, i, got.Gradients()[i], g)
				}
			}
		}
	})
}

// counts are calls of functions whose stores go past the caches, and of their plain forms.
type counts struct {
	adam, adamStream, streams, weightGrad, weightGradStream atomic.Int32
	streamed                                                atomic.Int32 // values
}

func counted(impl *kernel.Impl) (*kernel.Impl, *counts) {
	own, lanes, c := *impl, *impl.Lanes, &counts{}
	own.Lanes = &lanes
	own.Adam = func(s kernel.AdamStep, w, m, v, g []float32) {
		c.adam.Add(1)
		impl.Adam(s, w, m, v, g)
	}
	lanes.AdamStream = func(s kernel.AdamStep, w, m, v, g []float32) {
		c.adamStream.Add(1)
		impl.Lanes.AdamStream(s, w, m, v, g)
	}
	lanes.Stream = func(dst, src []float32) {
		c.streams.Add(1)
		c.streamed.Add(int32(len(dst)))
		impl.Lanes.Stream(dst, src)
	}
	lanes.DenseWeightGrad = func(flat, blocks, from, to int, dw, old, a, rows []float32, stream bool) {
		if stream {
			c.weightGradStream.Add(1)
		} else {
			c.weightGrad.Add(1)
		}
		impl.Lanes.DenseWeightGrad(flat, blocks, from, to, dw, old, a, rows, stream)
	}
	return &own, c
}

func TestOneThreadWritesNothingPastTheCaches(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		impl, c := counted(impl)
		mustStep(t, modelOf(t, impl, 104, 64, 1), series(64))
		if c.adam.Load() != 8 || c.adamStream.Load()+c.streams.Load()+c.weightGradStream.Load() != 0 {
			t.Errorf("%d updates of 8 ranges; past the caches %d updates, %d copies, %d gradients",
				c.adam.Load(), c.adamStream.Load(), c.streams.Load(), c.weightGradStream.Load())
		}
	})
}

// Two threads in step: each has two of the four parts, and adds the second to the first where it is computed. The half of the sum that
// the other updates is written past the caches there, so that only the small gradients are copied: of the thread that does not update
// them, the 240 of the convolution and the 62 of the biases and the last layer.
func TestTwoThreadsExchangeTheirSumsPastTheCaches(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		meetings := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
		var begun atomic.Int32
		conv := impl.Lanes.ConvReLUPool
		impl.Lanes.ConvReLUPool = func(c kernel.Conv, a []float32, picks []byte, x, taps []float32) {
			pair := (begun.Add(1) - 1) / 2
			select { // two come to each meeting
			case meetings[pair] <- struct{}{}:
			case <-meetings[pair]:
			}
			conv(c, a, picks, x, taps)
		}
		impl, c := counted(impl)
		mustStep(t, modelOf(t, impl, 104, 64, 2), series(64))
		if c.adam.Load() != 0 || c.adamStream.Load() != 8 {
			t.Errorf("%d updates through the caches and %d past them, want 0 and 8", c.adam.Load(), c.adamStream.Load())
		}
		if c.weightGrad.Load() != 4 || c.weightGradStream.Load() != 2 {
			t.Errorf("%d gradients through the caches and %d past them, want 4 and 2", c.weightGrad.Load(), c.weightGradStream.Load())
		}
		if c.streams.Load() != 2 || c.streamed.Load() != 240+62 {
			t.Errorf("%d copies of %d values, want 2 of 302", c.streams.Load(), c.streamed.Load())
		}
	})
}

func TestTheLanesComeBackAfterABatchThatWentByRows(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		const n = 64
		impl, c := counted(impl)
		m := modelOf(t, impl, 104, n, 2)
		wild := series(n)
		wild.X32[90] = 5000
		mustStep(t, m, wild)
		before := c.weightGrad.Load() + c.weightGradStream.Load()
		mustStep(t, m, series(n))
		if after := c.weightGrad.Load() + c.weightGradStream.Load(); after == before {
			t.Error("an ordinary batch went by rows")
		}
	})
}

// The caller's tree of what is left to add has room for all that threads may leave, from the beginning.
func TestTheTreeNeedsNoMoreMemoryThanItBeginsWith(t *testing.T) {
	withLanes(t, func(t *testing.T, impl *kernel.Impl) {
		m := modelOf(t, impl, 104, 16*kernel.LaneWidth, 2)
		held, free, additions := cap(m.lanes.rest.held), cap(m.lanes.rest.free), cap(m.lanes.additions)
		if held < maxParts || free < maxParts || additions < maxParts-1 {
			t.Errorf("room for %d branches, %d arenas and %d additions of %d parts", held, free, additions, maxParts)
		}
	})
}

func TestBranchesAddUpToTheRootInAnyOrder(t *testing.T) {
	for parts := 1; parts <= maxParts; parts++ {
		for shift := range parts {
			b := newBranches(parts, 1)
			b.reset()
			var sums []string
			names := map[*float32]string{}
			for i := range parts {
				part := (i*7 + shift) % parts
				if gcd(7, parts) != 1 {
					part = (i + shift) % parts
				}
				a := b.arena()
				names[&a[0]] = fmt.Sprint(part)
				b.add(branch{first: part, sum: a}, parts, func(dst, src branch) {
					left, right := names[&dst.sum[0]], names[&src.sum[0]]
					if src.first < dst.first {
						left, right = right, left
					}
					names[&dst.sum[0]] = "(" + left + "+" + right + ")"
					sums = append(sums, names[&dst.sum[0]])
				})
			}
			if len(b.held) != 1 || names[&b.held[0].sum[0]] != tree(0, parts, 16) {
				t.Fatalf("%d parts from %d on: %d branches, %v; want %s", parts, shift, len(b.held), sums, tree(0, parts, 16))
			}
		}
	}
}

// tree writes the sum over [first, first+width) of so many parts as the tree has it.
func tree(first, parts, width int) string {
	switch {
	case width == 1:
		return fmt.Sprint(first)
	case first+width/2 >= parts:
		return tree(first, parts, width/2)
	}
	return "(" + tree(first, parts, width/2) + "+" + tree(first+width/2, parts, width/2) + ")"
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
