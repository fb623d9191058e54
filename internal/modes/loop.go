package modes

import (
	"context"
	"fmt"
	"math"

	"fitbench/internal/record"
)

// epochs trains all steps of the plan, epoch by epoch.
func (t *trainer) epochs(ctx context.Context) error {
	for epoch := 0; t.clock.steps < t.total; epoch++ {
		if err := t.shuffle(ctx, epoch); err != nil {
			return err
		}
		steps := min(t.job.Plan.StepsPerEpoch(), t.total-t.clock.steps)
		t.report.phase(PhaseTrain, t.clock.steps)
		if err := t.epoch(ctx, steps); err != nil {
			return err
		}
		t.report.epoch(t.clock.steps, t.run.Epochs[len(t.run.Epochs)-1])
	}
	return nil
}

// shuffle draws the epoch's order, in the same memory each time.
func (t *trainer) shuffle(ctx context.Context, epoch int) error {
	t.report.phase(PhaseShuffle, t.clock.steps)
	began := t.now()
	if t.order == nil {
		t.order = make([]int32, t.job.Plan.Samples)
		t.run.Phases.Shuffle = record.Of(0.0)
	}
	err := t.draw(ctx, t.order, t.job.Plan.Seed, epoch)
	*t.run.Phases.Shuffle += *t.since(began)
	return err
}

// epoch trains that many steps. The feed gets the order of these alone, so that no batch is built that is not trained. What was
// measured is kept however the epoch ends, by a panic too.
func (t *trainer) epoch(ctx context.Context, steps int) error {
	t.tally = tally{}
	t.clock.beginSegment()
	defer t.endEpoch()
	if err := t.feed.StartEpoch(t.order[:steps*t.job.Plan.BatchSize]); err != nil {
		return err
	}
	for range steps {
		t.clock.beforeStep()
		if err := t.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *trainer) endEpoch() {
	t.execution.Rest()
	wall := t.clock.endSegment()
	if t.tally.steps > 0 {
		t.run.Epochs = append(t.run.Epochs, t.tally.epoch(wall))
	}
}

// step trains one batch. The bookkeeping comes after the step's own clock has stopped.
func (t *trainer) step(ctx context.Context) error {
	t0 := t.now()
	if t.feed.Builds() {
		t.execution.Rest() // a core that waits for work has no business in the CPU load, and may be needed for the building
	}
	batch, samples, err := t.feed.Next(ctx)
	if err != nil {
		return err
	}
	t1 := t.now()
	result, err := t.execution.Step(batch)
	t.injection.add(t.now, t0)
	t2 := t.now()
	if err != nil {
		return fmt.Errorf("step %d of %d: %w", t.clock.steps+1, t.total, err)
	}
	if math.IsNaN(result.Loss) || math.IsInf(result.Loss, 0) {
		return fmt.Errorf("step %d of %d: the loss is %v; training needs a finite one", t.clock.steps+1, t.total, result.Loss)
	}
	t.clock.add(t0, t1, t2)
	t.tally.add(result, len(samples))
	if t.job.Parity {
		t.run.StepLosses = append(t.run.StepLosses, result.Loss)
	}
	t.digest.add(samples)
	t.splits.add(t.execution)
	t.report.progress(t.clock.steps, t2, t.tally.loss())
	return nil
}
