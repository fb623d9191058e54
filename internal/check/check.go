// Package check is what `fitbench check` does. Run has base and head trained side by side, in rounds, hands their figures to package
// verdict until that has decided every gate or the time is over, and says what came of it; Baseline puts what package baseline found into
// the same form. It knows no flags, files or exit codes, and it starts no program: the engines are given to it.
package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/verdict"
)

// FalseAlarm is the probability, at the most, that a check without any change says regressed.
const FalseAlarm = 0.01

// Options are what a check of two engines is made from.
type Options struct {
	// Plan is that of each run; its cells and rounds are the check's own.
	Plan        record.Plan
	Environment record.Environment
	Gates       []Gate
	// Base and Head are the two engines under their names in records.
	Base, Head bench.Contender
	// MinChange is the smallest change that matters, 0.05 for 5 %.
	MinChange float64
	// MaxTime is how long rounds are added at the most. The round under way when it is over is ended.
	MaxTime time.Duration
	// Inject is work to add to head on purpose, as in a plan; empty for none.
	Inject string
	// Observe, Save, WatchOthers and Now are as in bench.Options.
	Observe     func(bench.Progress)
	Save        func(record.Record) error
	WatchOthers func() (read func() meter.Disturbance)
	Now         func() time.Time
}

// Validate tells what of the options cannot be used, before anything is run.
func (o Options) Validate() error {
	if _, err := o.verdicts(); err != nil {
		return err
	}
	return CheckInjection(o.Inject, Cells(o.Gates))
}

func (o Options) verdicts() (*verdict.Check, error) {
	names := make([]string, len(o.Gates))
	for i, g := range o.Gates {
		names[i] = g.Name
	}
	return verdict.New(verdict.Options{Gates: names, MinChange: o.MinChange, FalseAlarm: FalseAlarm})
}

// CheckInjection tells what is wrong with work that is to be added on purpose: it must be added to one of the cells at least.
func CheckInjection(inject string, cells []record.Cell) error {
	if err := modes.CheckInjection(inject); err != nil || inject == "" {
		return err
	}
	if slices.ContainsFunc(cells, func(c record.Cell) bool { return modes.Injects(inject, c) }) {
		return nil
	}
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.String()
	}
	return fmt.Errorf("%q is for a mode that is not run, so nothing would be tested; here kernel is accepted, and %s", inject, strings.Join(names, ", "))
}

// Run checks head against base. The error is of the options, as of Validate, or as of bench.Pairs, or says that a run failed, lacks
// the figure of a gate, or should have had work added and had not. With an error there is no verdict; the record is in Found all the same.
func Run(ctx context.Context, o Options) (Found, error) {
	if err := o.Validate(); err != nil {
		return Found{}, err
	}
	verdicts, err := o.verdicts()
	if err != nil {
		return Found{}, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Plan.Cells = Cells(o.Gates)
	c := &check{Options: o, verdicts: verdicts, began: o.Now(), round: map[record.Cell][]record.Run{}, took: map[record.Cell]*turns{}}
	c.ended = c.began
	rec, err := bench.Pairs(ctx, bench.Options{
		Plan: o.Plan, Environment: o.Environment, Engines: c.contenders(), Observe: o.Observe, Save: o.Save,
		WatchOthers: o.WatchOthers, Now: o.Now,
	}, c.judge)
	if err := firstOf(err, failed(rec), c.err); err != nil {
		return Found{Record: rec}, err
	}
	return c.found(rec), nil
}

// contenders are base, base once more, and head.
func (o Options) contenders() []bench.Contender {
	base, twin, head := o.Base, o.Base, o.Head
	base.Role, twin.Role, head.Role = record.RoleBase, record.RoleTwin, record.RoleHead
	head.Engine = slowed{head.Engine, o.Inject}
	return []bench.Contender{base, twin, head}
}

// slowed is an engine whose runs are told to add work.
type slowed struct {
	engine.Engine
	inject string
}

func (e slowed) Run(ctx context.Context, job engine.Job, observe func(modes.Event)) record.Run {
	job.Plan.Inject = e.inject
	return e.Engine.Run(ctx, job, observe)
}

// failed is an error where a run failed: nothing can be told without it.
func failed(rec record.Record) error {
	i := slices.IndexFunc(rec.Runs, func(r record.Run) bool { return r.Error != "" })
	if i < 0 {
		return nil
	}
	r := rec.Runs[i]
	return fmt.Errorf("a run failed, so that nothing can be told: %s by %s (%s), round %d: %s", r.Cell(), r.Engine, r.Role, r.Round, r.Error)
}

// firstOf is the first that is an error.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
