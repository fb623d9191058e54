package modes

import (
	"time"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// tally is an epoch's running means as Keras shows them: of the loss over its batches, of the accuracy over its samples.
type tally struct {
	steps, samples, correct int
	lossSum                 float64
}

func (t *tally) add(r model.Result, samples int) {
	t.steps++
	t.samples += samples
	t.correct += r.Correct
	t.lossSum += r.Loss
}

func (t *tally) loss() float64 { return t.lossSum / float64(t.steps) }

// epoch is the record of an epoch of at least one step, which took that long.
func (t *tally) epoch(wall time.Duration) record.Epoch {
	return record.Epoch{
		Steps: t.steps, WallSeconds: wall.Seconds(),
		Loss: t.loss(), Accuracy: float64(t.correct) / float64(t.samples),
	}
}
