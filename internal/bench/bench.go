// Package bench is the experiment: it goes through a plan's rounds, has an engine do one training run after the other, each in a
// fresh process, and gathers their records. It decides which run comes when, what happens when one fails or the user interrupts,
// and estimates the time left. It neither trains nor measures nor prints.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fitbench/internal/engine"
	"fitbench/internal/footing"
	"fitbench/internal/record"
)

// Options are what a benchmark is made from.
type Options struct {
	Plan        record.Plan
	Environment record.Environment
	Engine      engine.Engine
	// CPUProfile is the folder for the runs' CPU profiles; empty for none.
	CPUProfile string
	// Observe is told how it goes on, by one goroutine at a time; nil for nobody.
	Observe func(Progress)
	// Save is given the record after each run and must not keep it; nil for nowhere.
	Save func(record.Record) error
	// Now is the clock that the time left is estimated by; nil for time.Now.
	Now func() time.Time
}

// SaveError says that the record could not be saved, which ends a benchmark: what would come after would be lost as well.
type SaveError struct{ Err error }

func (e *SaveError) Error() string { return fmt.Sprintf("the record cannot be saved: %v", e.Err) }

func (e *SaveError) Unwrap() error { return e.Err }

// FootingError says that the runs were not compared on an equal footing.
type FootingError struct {
	// Differences are those that footing.Check found, at least one.
	Differences []error
}

func (e *FootingError) Error() string {
	return fmt.Sprintf("the runs are not on an equal footing: %v", errors.Join(e.Differences...))
}

func (e *FootingError) Unwrap() []error { return e.Differences }

// Run does the plan: in each round every cell once, in the order that Order gives. The record holds all runs that ended, in every
// case; it is valid also where there is an error.
//
// A failed run is kept with its Error and ends nothing; a cell that failed in two rounds running is left out of the later ones.
// The error joins what applies: ctx's cause where ctx ended the benchmark (the run under way is dropped), a *SaveError, a
// *FootingError. Failed runs alone are no error here: they are in the record.
func Run(ctx context.Context, o Options) (record.Record, error) {
	b := newBenchmark(o)
	err := b.rounds(ctx)
	if differences := footing.Check(b.record.Runs); len(differences) > 0 {
		err = join(err, &FootingError{Differences: differences})
	}
	return b.record, err
}

// join leaves a single error as it is.
func join(err, other error) error {
	if err == nil {
		return other
	}
	return errors.Join(err, other)
}

// benchmark is one under way.
type benchmark struct {
	Options
	record    record.Record
	failures  []int // of each cell, in how many rounds running it has failed
	disturbed int   // runs
	forecast  *forecast
}

func newBenchmark(o Options) *benchmark {
	if o.Observe == nil {
		o.Observe = func(Progress) {}
	}
	if o.Save == nil {
		o.Save = func(record.Record) error { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &benchmark{
		Options:  o,
		record:   record.Record{SchemaVersion: record.SchemaVersion, Plan: o.Plan, Environment: o.Environment},
		failures: make([]int, len(o.Plan.Cells)),
		forecast: newForecast(o.Plan),
	}
}

// rounds does all of them. The error is ctx's cause or Save's.
func (b *benchmark) rounds(ctx context.Context) error {
	for i, order := range Order(len(b.Plan.Cells), b.Plan.Rounds) {
		for _, cell := range order {
			if b.givenUp(cell) {
				continue
			}
			if err := b.run(ctx, cell, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxFailures is the number of rounds running after whose failures a cell is not run again: once may be bad luck (another process
// that took the memory), twice is not, and a third would cost the time of the other cells' rounds.
const maxFailures = 2

func (b *benchmark) givenUp(cell int) bool { return b.failures[cell] >= maxFailures }

// run does one run and keeps its record.
func (b *benchmark) run(ctx context.Context, cell, round int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	job := engine.Job{Plan: b.Plan, Cell: b.Plan.Cells[cell], Round: round, CPUProfile: b.CPUProfile}
	w := b.watch(cell, round)
	run := b.Engine.Run(ctx, job, w.observe)
	if ctx.Err() != nil && run.Error != "" {
		return context.Cause(ctx)
	}
	b.keep(cell, run)
	w.end(run.Error != "", b.givenUp(cell))
	if err := b.Save(b.record); err != nil {
		return &SaveError{Err: err}
	}
	return nil
}

func (b *benchmark) keep(cell int, run record.Run) {
	b.record.Runs = append(b.record.Runs, run)
	if run.Disturbed {
		b.disturbed++
	}
	if run.Error == "" {
		b.failures[cell] = 0
	} else {
		b.failures[cell]++
	}
}
