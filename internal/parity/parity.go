// Package parity holds engines against the native one: whether they train the same network, from the same weights, on the same series
// in the same order. It has each of their cells run once, for its losses alone, and compares these step by step with those of a native
// run of the same execution. An engine that makes its own series is handed the native one, and compares them itself.
//
// The package times nothing, and does not know what an engine is written in.
package parity

import (
	"context"
	"fmt"
	"os"

	"fitbench/internal/engine"
	"fitbench/internal/record"
)

// Contender is an engine to be held against the native one, with the cells to be compared.
type Contender struct {
	Name   string // in the lines
	Engine engine.Engine
	Cells  []record.Cell
}

// Options say what is compared.
type Options struct {
	// Plan is that of every run; its cells do not count.
	Plan       record.Plan
	Native     engine.Engine
	Contenders []Contender
	// Tell is given each line as it is found.
	Tell func(Line)
}

// NoLossesError is of an engine that did a run without telling its losses, as the protocol allows.
type NoLossesError struct{ Engine string }

func (e *NoLossesError) Error() string {
	return fmt.Sprintf("engine %q tells no step_losses, and without them it cannot be compared", e.Engine)
}

// Run compares all cells of all contenders, and tells a line for each. A difference or a failed run is a line. An error says why nothing
// could be compared: the data could not be written, a native run failed, an engine tells no losses (*NoLossesError), or ctx ended, whose
// cause it then is.
func Run(ctx context.Context, o Options) (Summary, error) {
	dir, err := os.MkdirTemp("", "fitbench-parity-*")
	if err != nil {
		return Summary{}, fmt.Errorf("the native data cannot be handed over: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder that stays changes no finding
	c := &comparison{Options: o, native: map[string][]float64{}}
	if c.data, err = writeData(ctx, dir, o.Plan); err != nil {
		return Summary{}, fmt.Errorf("the native data cannot be handed over: %w", err)
	}
	for _, contender := range o.Contenders {
		if err := c.contender(ctx, contender); err != nil {
			return c.summary, err
		}
	}
	return c.summary, nil
}

// comparison is one under way.
type comparison struct {
	Options
	data    engine.NativeData
	native  map[string][]float64 // losses of the native engine by execution
	summary Summary
}

func (c *comparison) contender(ctx context.Context, contender Contender) error {
	s := subject{Contender: contender}
	for _, cell := range contender.Cells {
		want, err := c.nativeLosses(ctx, cell.Execution)
		if err != nil {
			return err
		}
		run := contender.Engine.Run(ctx, c.job(cell), nil)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.hear(run)
		if run.Error == "" && len(run.StepLosses) == 0 {
			return &NoLossesError{contender.Name}
		}
		if whole, why := unusable(run); whole {
			c.tell(s.line(Failed, why))
			return nil
		}
		line := s.losses(c.Plan, run, want)
		if line.Outcome == Passed {
			c.summary.Losses++
		}
		c.tell(line)
	}
	c.tell(s.series())
	return nil
}

func (c *comparison) tell(l Line) {
	c.summary.add(l.Outcome)
	c.Tell(l)
}

// job is a run for parity.
func (c *comparison) job(cell record.Cell) engine.Job {
	plan := c.Plan
	plan.Cells, plan.Engines, plan.Rounds = []record.Cell{cell}, nil, 1
	return engine.Job{Plan: plan, Cell: cell, Round: 1, Parity: true, NativeData: c.data}
}

// nativeMode is the one whose native runs the others' are compared with: all native modes train the same, and it needs least.
const nativeMode = "fit-windows"

// nativeLosses are those of the execution's native run, which is done once.
func (c *comparison) nativeLosses(ctx context.Context, execution string) ([]float64, error) {
	if losses, ok := c.native[execution]; ok {
		return losses, nil
	}
	run := c.Native.Run(ctx, c.job(record.Cell{Mode: nativeMode, Execution: execution}), nil)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case run.Error != "":
		return nil, fmt.Errorf("the native run to compare with failed: %s", run.Error)
	case len(run.StepLosses) != c.Plan.TotalSteps():
		return nil, fmt.Errorf("the native run to compare with told %d losses of %d steps", len(run.StepLosses), c.Plan.TotalSteps())
	}
	c.native[execution] = run.StepLosses
	return run.StepLosses, nil
}
