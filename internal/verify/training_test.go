package verify

import (
	"testing"

	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func TestMarginIsBetweenTheTwoLargest(t *testing.T) {
	if got := margin([]float32{0.25, 0.125, 0.5, 0.125}); got != 0.25 {
		t.Errorf("margin %v, want 0.25", got)
	}
}

// Four samples, of which the golden accuracy has three right; the first is nearly a tie, or not quite.
func TestAMissIsForgivenForASampleWithinAHundredthOfATie(t *testing.T) {
	tie, decided := []float32{0.504, 0.496}, []float32{0.506, 0.494}
	clear := []float32{0.9, 0.1, 0.2, 0.8, 0.7, 0.3}
	for _, c := range []struct {
		first             []float32
		correct           int
		missed, undecided float64
	}{
		{tie, 3, 0, 1}, {tie, 2, 1, 1}, {tie, 4, 1, 1}, {tie, 1, 2, 1},
		{decided, 3, 0, 0}, {decided, 2, 1, 0}, {decided, 4, 1, 0}, {decided, 0, 3, 0},
	} {
		missed, undecided := misjudged(0.75, c.correct, append(c.first[:2:2], clear...), 2)
		if missed != c.missed || undecided != c.undecided {
			t.Errorf("%d of 4 correct where 3 are, the first at %v: %v missed and %v undecided, want %v and %v",
				c.correct, c.first, missed, undecided, c.missed, c.undecided)
		}
	}
}

// The check shows the step that decides it, with what is forgiven there.
func TestTheStepWithTheMostUnforgivenMissesIsTold(t *testing.T) {
	for _, c := range []struct {
		steps [][2]float64 // missed, undecided
		want  misses
		ok    bool
	}{
		{[][2]float64{{0, 0}, {0, 5}}, misses{0, 0}, true},
		{[][2]float64{{0, 3}, {2, 2}, {1, 1}, {0, 0}}, misses{2, 2}, true},
		{[][2]float64{{0, 0}, {1, 3}}, misses{1, 3}, true},
		{[][2]float64{{4, 4}, {1, 0}, {2, 9}}, misses{1, 0}, false},
		{[][2]float64{{3, 2}, {1, 0}}, misses{3, 2}, false},
	} {
		var m misses
		for _, step := range c.steps {
			m.add(step[0], step[1])
		}
		check := newCheck("accuracies", m.most, m.forgiven, classified)
		if m != c.want || check.OK != c.ok {
			t.Errorf("%v: %+v, passed %t; want %+v, %t", c.steps, m, check.OK, c.want, c.ok)
		}
	}
}

// The wider a network and the more shards a batch has, the more of an execution are arenas of parameters, the longer a batch the
// more are activations: the estimate must hold for both.
func TestAnExecutionAllocatesNoMoreThanIsCountedForIt(t *testing.T) {
	wide := model.Default(20)
	wide.Units = 500
	for _, c := range []struct {
		h     model.Hyperparameters
		batch int
	}{{wide, 512}, {model.Default(104), 64}, {model.Default(104), 512}, {smallNetwork(), smallBatch}} {
		for _, name := range nn.Names() {
			batch := &model.Batch{X32: make([]float32, c.h.Window), Starts: make([]int, c.batch), Classes: make([]uint8, c.batch)}
			weights := c.h.InitialWeights(1)
			before := allocated()
			e, err := nn.New(name, model.Config{Hyperparameters: c.h, BatchSize: c.batch, Threads: 1, Impl: kernel.Available()[0], Weights: weights})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Step(batch); err != nil {
				t.Fatal(err)
			}
			taken := float64(allocated() - before)
			e.Close()
			const fixed = 256 << 10 // what does not grow: registries, and the buffers of scalars
			counted := arenaBytes(c.h)
			if name != "compiled" {
				counted += activationBytes(c.h, c.batch)
			}
			if taken > counted+fixed {
				t.Errorf("%s, %d parameters, %d samples: %.0f bytes were allocated, %.0f are counted", name, c.h.Layout().Size, c.batch, taken, counted)
			}
		}
	}
}
