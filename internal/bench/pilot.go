package bench

import (
	"context"
	"time"

	"fitbench/internal/engine"
	"fitbench/internal/modes"
)

// pilotSteps is the length of a pilot's runs: enough for a first idea of the pace.
const pilotSteps = 20

// Pilot does one short run of each that a round has, and estimates what a round of the plan takes. A run that fails is taken to take
// as long as it did; what is measured is not kept. The error is ctx's cause.
func Pilot(ctx context.Context, o Options) (round time.Duration, err error) {
	b := newBenchmark(o)
	for _, l := range b.lanes {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		round += b.pilot(ctx, l)
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return round, nil
}

// Missing is the number of runs that the plan has and Done does not.
func Missing(o Options) int { return newBenchmark(o).forecast.runsLeft() }

func (b *benchmark) pilot(ctx context.Context, l lane) time.Duration {
	planned := b.Plan.At(l.batchSize)
	steps := planned.TotalSteps()
	short := planned
	short.Steps, short.Epochs = min(pilotSteps, steps), 0
	began := b.Now()
	run := l.contender.Engine.Run(ctx, engine.Job{Plan: short, Cell: l.cell, Round: 1}, func(modes.Event) {})
	took := b.Now().Sub(began)
	if run.StepMilliseconds != nil {
		took += time.Duration(float64(steps-short.Steps) * *run.StepMilliseconds * float64(time.Millisecond))
	}
	return took
}
