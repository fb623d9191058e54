package engine

import (
	"encoding/hex"
	"fmt"

	"fitbench/internal/plausible"
	"fitbench/internal/record"
)

// checkResult says why a result cannot be that of the job: it is of another run, it claims a success without the whole work, or a
// figure in it cannot have been measured.
func checkResult(job Job, run record.Run) error {
	if run.Cell() != job.Cell || run.Round != job.Round || run.BatchSize != job.Plan.BatchSize {
		return fmt.Errorf("the result is of %s round %d with batch size %d; asked for was %s round %d with batch size %d",
			run.Cell(), run.Round, run.BatchSize, job.Cell, job.Round, job.Plan.BatchSize)
	}
	if err := checkWork(job, run); err != nil {
		return err
	}
	for _, d := range []struct{ name, value string }{{"order_digest", run.OrderDigest}, {"weights_digest", run.WeightsDigest}} {
		if bytes, err := hex.DecodeString(d.value); d.value != "" && (err != nil || len(bytes) != 32) {
			return fmt.Errorf("%s is %s; a SHA-256 in 64 hexadecimal digits is accepted", d.name, quote([]byte(d.value)))
		}
	}
	return plausible.Figures(run)
}

// checkWork is of a run that did not fail: it did all steps.
func checkWork(job Job, run record.Run) error {
	if run.Error != "" {
		return nil
	}
	if want := job.Plan.TotalSteps(); run.Steps != want {
		return fmt.Errorf("the result has no error, but %d steps; the job has %d", run.Steps, want)
	}
	if run.SteadySteps > run.Steps {
		return fmt.Errorf("steady_steps is %d of %d steps", run.SteadySteps, run.Steps)
	}
	for _, share := range []struct {
		name  string
		value *float64
	}{{"accuracy", run.Accuracy}, {"class_one_share", run.ClassOneShare}} {
		if share.value != nil && *share.value > 1 {
			return fmt.Errorf("%s is %v; 0 to 1 is accepted", share.name, *share.value)
		}
	}
	if want := int64(run.Steps) * int64(run.BatchSize); run.SamplesTrained != want {
		return fmt.Errorf("samples_trained is %d; %d steps of batch size %d are %d", run.SamplesTrained, run.Steps, run.BatchSize, want)
	}
	return nil
}

// errorLength is how long a run's error may be, in characters.
const errorLength = 2000

// clean takes from a result's words what could disturb a terminal.
func clean(run record.Run) *record.Run {
	for _, text := range []*string{&run.Feed, &run.Kernel, &run.Injected} {
		*text = printable([]byte(*text), lineLength)
	}
	run.Error = printable([]byte(run.Error), errorLength)
	return &run
}
