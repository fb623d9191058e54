package report_test

import (
	"testing"

	"fitbench/internal/record"
)

// waits gives the runs of a cell a wait for the batch, in ms.
func waits(rec record.Record, cell string, ms float64) {
	for i, r := range rec.Runs {
		if r.Cell() == cellOf(cell) {
			rec.Runs[i].InputWaitMilliseconds = record.Of(ms)
		}
	}
}

func TestHowMuchOfAFrameworksStepIsItsInputIsToldWhereItIsKnown(t *testing.T) {
	rec := byFramework(milliseconds{{"fit@eager", 2}, {"generator@eager", 5}, {"train-on-batch@eager", 4}}, "torch")
	const title = "Input or model"
	says(t, rec, title)
	waits(rec, "train-on-batch@eager", 1)
	says(t, rec, title, "torch: of a step, the wait for its batch is: train-on-batch@eager 1.00 ms of 4.00 ms (25 %); the step is the slow part, not the input.")
	waits(rec, "generator@eager", 2.6)
	says(t, rec, title, "torch: of a step, the wait for its batch is: train-on-batch@eager 1.00 ms of 4.00 ms (25 %), "+
		"generator@eager 2.60 ms of 5.00 ms (52 %); the input is the slow part in generator@eager alone.")
	waits(rec, "train-on-batch@eager", 3)
	says(t, rec, title, "torch: of a step, the wait for its batch is: train-on-batch@eager 3.00 ms of 4.00 ms (75 %), "+
		"generator@eager 2.60 ms of 5.00 ms (52 %); the input is the slow part.")
}

func TestWhatIsPaidOnceIsToldOfAFramework(t *testing.T) {
	rec := byFramework(milliseconds{{"fit@compiled", 2}, {"generator@compiled", 5}}, "keras")
	for i, r := range rec.Runs {
		rec.Runs[i].ImportSeconds, rec.Runs[i].FirstStepSeconds = record.Of(4.125), record.Of(0.5)
		if r.Mode == "generator" {
			rec.Runs[i].FirstStepSeconds = record.Of(1.25)
		}
	}
	says(t, rec, "One time", "keras: loading it took 4.12 s, building fit's array and the framework's own copies 0.243 s, the first step 0.500 s (fit@compiled) to 1.25 s (generator@compiled), "+
		"with tracing and compiling; none of it is in ms/step.")
	for i := range rec.Runs {
		rec.Runs[i].ImportSeconds, rec.Runs[i].FirstStepSeconds = nil, nil
	}
	says(t, rec, "One time", "keras: building fit's array and the framework's own copies 0.243 s; none of it is in ms/step.")
}

func TestTensorFlow200IsHeldAgainstWhatWasReportedOfIt(t *testing.T) {
	steps := milliseconds{{"fit@compiled", 2}, {"generator@compiled", 8}, {"train-on-batch@compiled", 7}}
	rec := byFramework(steps, "tf-keras")
	says(t, rec, "Reported of it") // another version
	for i := range rec.Runs {
		rec.Runs[i].EngineVersion = "tf.keras, TensorFlow 2.0.0, Python 3.7.9"
	}
	// 1852 / 407 and 1985 / 407.
	says(t, rec, "Reported of it", "tf-keras: generator 4.00 x fit and train-on-batch 3.50 x fit here, and 4.55 and 4.88 reported "+
		"(1,852 and 1,985 against 407 s for 10 epochs, on another machine): this version runs both op by op, whatever feeds them.")
	rec.Plan.Seed = 1
	says(t, rec, "Reported of it")
}

func TestLossesOfModesThatShuffleByThemselvesAreToldApart(t *testing.T) {
	rec := byFramework(milliseconds{{"fit@compiled", 2}, {"generator@compiled", 8}}, "keras")
	says(t, rec, "Loss", "keras: mean over the 2,000 steps: 0.0312 in every mode.")
	rec = change(rec, "generator@compiled", func(r *record.Run) { r.Loss = record.Of(0.0433) })
	says(t, rec, "Loss", "keras: mean over the 2,000 steps: 0.0312 (fit@compiled) to 0.0433 (generator@compiled). "+
		"A mode that shuffles by itself trains on other batches; fitbench verify --engine proves equal work.")
}
