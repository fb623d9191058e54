// Package bench is the experiment: it goes through a plan's rounds, has an engine do one training run after the other, each in a
// fresh process, and gathers their records. It decides which run comes when, what happens when one fails or the user interrupts,
// and estimates the time left. It neither trains nor prints, and measures no more than what else used the machine.
package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fitbench/internal/engine"
	"fitbench/internal/footing"
	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// Options are what a benchmark is made from.
type Options struct {
	Plan        record.Plan
	Environment record.Environment
	// Engines are what is compared, at least one; each does every cell that it can at every batch size.
	Engines []Contender
	// MaxRounds bounds the rounds of Pairs, which the plan does not; 0 for no bound.
	MaxRounds int
	// Done are runs of the same plan that an earlier benchmark has done. They are in the record, and not done again unless they failed.
	Done []record.Run
	// CPUProfile is the folder for the runs' CPU profiles; empty for none.
	CPUProfile string
	// Observe is told how it goes on, by one goroutine at a time; nil for nobody.
	Observe func(Progress)
	// Save is given the record after each run and must not keep it; nil for nowhere.
	Save func(record.Record) error
	// Reference times a loop that never changes, in seconds, before and after each run; nil for none.
	Reference func() float64
	// WatchOthers watches what else uses the machine until the function that it returns is called, for Pairs; nil for package meter's.
	WatchOthers func() (read func() meter.Disturbance)
	// Now is the clock that the time left is estimated by; nil for time.Now.
	Now func() time.Time
}

// Contender is an engine under the name, and in the role, that its runs have in the record.
type Contender struct {
	Name   string
	Role   string // one of record's, or empty
	Engine engine.Engine
	// Can tells which of the plan's cells it does; nil for all.
	Can func(record.Cell) bool
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

// Run does the plan: in each round every cell once for each engine and batch size, in the order that Order gives. The record holds all runs that ended, in every
// case; it is valid also where there is an error.
//
// A failed run is kept with its Error and ends nothing; a cell that failed in two rounds running is left out of the later ones.
// The error joins what applies: ctx's cause where ctx ended the benchmark (the run under way is dropped), a *SaveError, a
// *FootingError. Failed runs alone are no error here: they are in the record.
func Run(ctx context.Context, o Options) (record.Record, error) {
	b := newBenchmark(o)
	err := b.rounds(ctx)
	return b.record, b.onEqualFooting(err)
}

// onEqualFooting joins err with what the runs differ in that they should not.
func (b *benchmark) onEqualFooting(err error) error {
	if differences := footing.Check(b.record.Runs); len(differences) > 0 {
		err = join(err, &FootingError{Differences: differences})
	}
	return err
}

// join leaves a single error as it is.
func join(err, other error) error {
	if err == nil {
		return other
	}
	return errors.Join(err, other)
}

// lane is one of the combinations that take turns.
type lane struct {
	contender Contender
	batchSize int
	cell      record.Cell
}

// lanes are all of them: the cells of each batch size together, and those of each engine.
func lanes(o Options) []lane {
	var all []lane
	for _, e := range o.Engines {
		for _, size := range o.Plan.Sizes() {
			for _, c := range o.Plan.Cells {
				if e.Can == nil || e.Can(c) {
					all = append(all, lane{e, size, c})
				}
			}
		}
	}
	return all
}

// benchmark is one under way.
type benchmark struct {
	Options
	lanes     []lane
	record    record.Record
	failures  []int // of each lane, in how many rounds running it has failed
	disturbed int   // runs
	others    watches
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
	if o.WatchOthers == nil {
		o.WatchOthers = func() func() meter.Disturbance { return meter.WatchOthers().Read }
	}
	all := lanes(o)
	b := &benchmark{
		Options:  o,
		lanes:    all,
		record:   record.Record{SchemaVersion: record.SchemaVersion, Plan: o.Plan, Environment: o.Environment},
		failures: make([]int, len(all)),
		forecast: newForecast(all, o.Plan.Rounds),
	}
	b.resume()
	return b
}

// resume takes over the runs that have been done and did not fail.
func (b *benchmark) resume() {
	for _, run := range b.Done {
		i := slices.IndexFunc(b.lanes, func(l lane) bool { return l.did(run) })
		if i < 0 || run.Error != "" || run.Round < 1 || run.Round > b.Plan.Rounds || b.has(i, run.Round) {
			continue
		}
		b.keep(i, run)
		b.forecast.left[i]--
		if run.WallSeconds != nil {
			b.forecast.end(i, time.Duration(*run.WallSeconds*float64(time.Second)), false, false)
		}
	}
}

func (l lane) did(run record.Run) bool {
	return run.Engine == l.contender.Name && run.Role == l.contender.Role && run.BatchSize == l.batchSize && run.Cell() == l.cell
}

// has tells whether the record has a run of that lane and round.
func (b *benchmark) has(lane, round int) bool {
	return slices.ContainsFunc(b.record.Runs, func(r record.Run) bool { return r.Round == round && b.lanes[lane].did(r) })
}

// rounds does all of them. The error is ctx's cause or Save's.
func (b *benchmark) rounds(ctx context.Context) error {
	resumed := len(b.record.Runs) > 0
	for i, order := range Order(len(b.lanes), b.Plan.Rounds) {
		for _, lane := range order {
			if b.givenUp(lane) || resumed && b.has(lane, i+1) {
				continue
			}
			if err := b.run(ctx, lane, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxFailures is the number of rounds running after whose failures a cell is not run again: once may be bad luck (another process
// that took the memory), twice is not, and a third would cost the time of the other cells' rounds.
const maxFailures = 2

func (b *benchmark) givenUp(lane int) bool { return b.failures[lane] >= maxFailures }

// run does one run and keeps its record.
func (b *benchmark) run(ctx context.Context, lane, round int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l := b.lanes[lane]
	job := engine.Job{Plan: b.record.Plan.At(l.batchSize), Cell: l.cell, Round: round, CPUProfile: b.CPUProfile}
	w := b.watch(lane, round)
	reference := b.reference()
	run := l.contender.Engine.Run(ctx, job, w.observe)
	run.ReferenceSeconds = reference()
	if ctx.Err() != nil && run.Error != "" {
		return context.Cause(ctx)
	}
	run.Engine, run.Role, run.BatchSize = l.contender.Name, l.contender.Role, l.batchSize
	b.keep(lane, run)
	w.end(run.Error != "", b.givenUp(lane))
	return b.save()
}

func (b *benchmark) save() error {
	if err := b.Save(b.record); err != nil {
		return &SaveError{Err: err}
	}
	return nil
}

// reference times the loop before a run; what it returns times it again and gives the mean of both.
func (b *benchmark) reference() func() *float64 {
	if b.Reference == nil {
		return func() *float64 { return nil }
	}
	before := b.Reference()
	return func() *float64 { return record.Of((before + b.Reference()) / 2) }
}

func (b *benchmark) keep(lane int, run record.Run) {
	b.record.Runs = append(b.record.Runs, run)
	if run.Disturbed {
		b.disturbed++
	}
	if run.Error == "" {
		b.failures[lane] = 0
	} else {
		b.failures[lane]++
	}
}
