package verify

import (
	"context"
	"fmt"
	"math"

	"fitbench/internal/data"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// How far two correct float32 implementations may be apart. Errors of rounding grow from step to step, so that after some hundred steps
// only the losses can be compared.
const (
	probabilityTolerance = 1e-6
	gradientTolerance    = 1e-5 // of the largest in the tensor
	lossTolerance        = 5e-4
	// decisionMargin is how near the two largest probabilities of a sample are where it may be classified either way.
	decisionMargin = 1e-2
)

// weightTolerance is the tolerance of weights after that many steps; ok is false where they are no longer comparable.
func weightTolerance(steps int) (tolerance float64, ok bool) {
	switch {
	case steps <= 10:
		return 2e-6, true
	case steps <= 100:
		return 3e-5, true
	}
	return 0, false
}

// training follows one execution through the golden steps.
type training struct {
	g      *golden
	name   string // of the execution and the kernel
	checks []Check

	loss   largest
	misses misses
}

// checkTraining trains as the golden steps did, from the same weights on the same batches, and compares.
func checkTraining(ctx context.Context, g *golden, set *data.Set, x []float32, execution string, impl *kernel.Impl, o Options) ([]Check, error) {
	e, err := o.New(execution, model.Config{
		Hyperparameters: g.network, BatchSize: g.steps.Batch, Threads: o.Threads, Impl: impl, Weights: g.initialWeights,
	})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	t := &training{g: g, name: execution + ", " + impl.Name + ": "}
	batch := &model.Batch{X32: x, Starts: make([]int, g.steps.Batch), Classes: make([]uint8, g.steps.Batch)}
	for step := range g.steps.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for s, i := range g.order[step*g.steps.Batch:][:g.steps.Batch] {
			batch.Starts[s], batch.Classes[s] = int(i), set.Labels[i]
		}
		result, err := e.Step(batch)
		if err != nil {
			return nil, fmt.Errorf("%sstep %d: %w", t.name, step+1, err)
		}
		t.follow(step, e, result)
	}
	t.report(fmt.Sprintf("losses of %d steps", g.steps.Steps), float64(t.loss), lossTolerance, absolute)
	t.report(fmt.Sprintf("accuracies of %d steps, either way within %g of a tie", g.steps.Steps, decisionMargin), t.misses.most, t.misses.forgiven, classified)
	return t.checks, nil
}

// follow compares what can be compared after the step, which counts from 0.
func (t *training) follow(step int, e model.Execution, result model.Result) {
	if step == 0 {
		t.report("probabilities of the first batch", largestDifference(e.Probabilities(), t.g.probabilities), probabilityTolerance, absolute)
		t.report("gradients of the first batch", t.gradientDifference(e.Gradients()), gradientTolerance, inTensor)
	}
	t.loss.add(math.Abs(result.Loss - t.g.steps.Loss[step]))
	t.misses.add(misjudged(t.g.steps.Accuracy[step], result.Correct, e.Probabilities(), t.g.network.Classes))
	for _, after := range t.g.weightsAfter {
		if tolerance, ok := weightTolerance(after.steps); ok && after.steps == step+1 {
			t.report(fmt.Sprintf("weights after step %d", step+1), largestDifference(e.Weights(), after.values), tolerance, absolute)
		}
	}
}

func (t *training) report(name string, difference, tolerance float64, unit string) {
	t.checks = append(t.checks, newCheck(t.name+name, difference, tolerance, unit))
}

// gradientDifference is the largest difference of a gradient, relative to the largest gradient of its own tensor.
func (t *training) gradientDifference(got []float32) float64 {
	if len(got) != len(t.g.gradients) {
		return math.NaN()
	}
	var most largest
	for _, v := range t.g.network.Layout().Variables() {
		golden := v.Of(t.g.gradients)
		var scale largest
		for _, gradient := range golden {
			scale.add(math.Abs(float64(gradient)))
		}
		if difference := largestDifference(v.Of(got), golden); difference != 0 { // 0 also where the whole tensor is 0
			most.add(difference / float64(scale))
		}
	}
	return float64(most)
}

// misses are those of the step that came worst off: by how many samples the number of correct ones differed from the golden one, and
// how many lay so near a tie that they may be classified either way.
type misses struct{ most, forgiven float64 }

// add takes one more step. Where two steps have as many misses that are not forgiven, or none, the one with more misses is told: so
// that what was forgiven is not told as equal.
func (m *misses) add(missed, undecided float64) {
	excess, before := max(0, missed-undecided), max(0, m.most-m.forgiven)
	if excess > before || excess == before && missed > m.most {
		*m = misses{missed, undecided}
	}
}

// misjudged is by how many samples the number of correct ones differs from that of the golden accuracy, and how many samples may be
// classified either way. probabilities are [N][classes].
func misjudged(accuracy float64, correct int, probabilities []float32, classes int) (missed, undecided float64) {
	want := math.Round(accuracy * float64(len(probabilities)/classes))
	for s := 0; s+classes <= len(probabilities); s += classes {
		if margin(probabilities[s:s+classes]) < decisionMargin {
			undecided++
		}
	}
	return math.Abs(float64(correct) - want), undecided
}

// margin is the difference of the two largest of at least two probabilities.
func margin(p []float32) float64 {
	first, second := math.Inf(-1), math.Inf(-1)
	for _, v := range p {
		if v64 := float64(v); v64 > first {
			first, second = v64, first
		} else if v64 > second {
			second = v64
		}
	}
	return first - second
}
