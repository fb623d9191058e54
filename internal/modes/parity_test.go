package modes

import (
	"slices"
	"testing"
)

// The fake's losses are 1/step.
func TestARunForParityKeepsEachStepsLossAndNoOtherDoes(t *testing.T) {
	job := smallJob(3)
	job.Parity = true
	if run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil); !slices.Equal(run.StepLosses, []float64{1, 1.0 / 2, 1.0 / 3}) {
		t.Errorf("losses %v", run.StepLosses)
	}
	if run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), smallJob(3), nil); run.StepLosses != nil {
		t.Errorf("losses %v of a run that is timed", run.StepLosses)
	}
}
