package modes

import (
	"fmt"
	"math"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// FieldError says which field of a plan cannot be run, by its JSON name in record.Plan, with its value and what is accepted.
type FieldError = data.FieldError

// maxSteps is the largest number of steps in a run.
const maxSteps = math.MaxInt32

// CheckPlan says what in a plan cannot be run, its cells left aside. The error is a *FieldError.
func CheckPlan(p record.Plan) error {
	if shapes := model.Default(p.Window); p.Window < shapes.MinWindow() {
		accepted := fmt.Sprintf("%d or more (kernel %d, pool %d)", shapes.MinWindow(), shapes.Kernel, shapes.Pool)
		return &FieldError{Field: "window", Value: p.Window, Accepted: accepted}
	}
	if err := DataConfig(p).Validate(); err != nil {
		return err
	}
	if p.BatchSize < 1 || p.BatchSize > p.Samples {
		return &FieldError{Field: "batch_size", Value: p.BatchSize, Accepted: fmt.Sprintf("1 to %d", p.Samples), LimitedBy: "samples"}
	}
	for _, c := range []struct {
		field string
		value int
	}{{"threads", p.Threads}, {"workers", p.Workers}, {"queue_size", p.QueueSize}, {"rounds", p.Rounds}} {
		if c.value < 1 {
			return &FieldError{Field: c.field, Value: c.value, Accepted: "1 or more"}
		}
	}
	if p.ChunkSize < 0 {
		return &FieldError{Field: "chunk_size", Value: p.ChunkSize, Accepted: "1 or more"}
	}
	return checkLength(p)
}

// checkLength is of the number of steps, which is given itself where no epochs are.
func checkLength(p record.Plan) error {
	if p.Epochs == 0 {
		if p.Steps < 1 || p.Steps > maxSteps {
			return &FieldError{Field: "steps", Value: p.Steps, Accepted: fmt.Sprintf("1 to %d", maxSteps)}
		}
		return nil
	}
	if most := maxSteps / p.StepsPerEpoch(); p.Epochs < 0 || p.Epochs > most {
		return &FieldError{Field: "epochs", Value: p.Epochs, Accepted: fmt.Sprintf("with %d steps an epoch 1 to %d", p.StepsPerEpoch(), most)}
	}
	return nil
}
