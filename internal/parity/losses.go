package parity

import (
	"fmt"
	"math"

	"fitbench/internal/record"
)

// LossTolerance is how far the losses of two correct float32 implementations may be apart, as in package verify.
const LossTolerance = 5e-4

// seriesTolerance is for values that another mathematical library computed in float64.
const seriesTolerance = 1e-12

// atBoundaries are the running means of each epoch's losses at the ends of executions of several steps. The last execution of an epoch
// is cut short where they do not divide it.
func atBoundaries(losses []float64, stepsPerEpoch, perExecution int) (means []float64) {
	for len(losses) > 0 {
		epoch := losses[:min(stepsPerEpoch, len(losses))]
		losses = losses[len(epoch):]
		sum := 0.0
		for i, loss := range epoch {
			sum += loss
			if done := i + 1; done%perExecution == 0 || done == len(epoch) {
				means = append(means, sum/float64(done))
			}
		}
	}
	return means
}

// comparable brings the native losses into the form that an engine told as many figures of: each step's, or the running means at the
// ends of executions. what names them.
func comparable(p record.Plan, perExecution, told int, native []float64) (want []float64, what string, err error) {
	if told == len(native) {
		return native, fmt.Sprintf("losses of %d steps", told), nil
	}
	if perExecution <= 1 {
		return nil, "", fmt.Errorf("%d losses; %d steps have as many", told, len(native))
	}
	means := atBoundaries(native, p.StepsPerEpoch(), perExecution)
	if told != len(means) {
		return nil, "", fmt.Errorf("%d losses; %d steps have as many, or %d means at the ends of executions of %d steps",
			told, len(native), len(means), perExecution)
	}
	return means, fmt.Sprintf("mean losses after %d executions of %d steps", told, perExecution), nil
}

// differ is the largest difference of two lists of the same length, NaN where there is one; and the first place, counted from 1, at which
// it is more than the tolerance, 0 for none.
func differ(got, want []float64, tolerance float64) (largest float64, first int) {
	for i := range want {
		difference := math.Abs(got[i] - want[i])
		if !(difference <= tolerance) && first == 0 {
			first = i + 1
		}
		largest = max(largest, difference) // a NaN stays
	}
	return largest, first
}
