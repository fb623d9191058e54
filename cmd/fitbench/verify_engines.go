package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/data"
	"fitbench/internal/engine"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/parity"
	"fitbench/internal/record"

	"github.com/spf13/pflag"
)

// Defaults of a comparison: long enough for an error in the optimizer to show, short enough for the differences of rounding to stay small.
const (
	paritySamples = 20_000
	paritySteps   = 100
	parityChunk   = 2048 // so that fit-chunked has several pieces
	// maxParitySteps bounds the list of losses in a result, long after which differences of rounding are beyond any tolerance.
	maxParitySteps = 10_000
)

// parityFlags are those of verify that are about other engines.
type parityFlags struct {
	planFlags
}

func addParityFlags(set *pflag.FlagSet) *parityFlags {
	f := &parityFlags{planFlags{set: set, plan: record.Experiment()}}
	p := &f.plan
	p.Samples, p.BatchSize, p.Steps, p.Rounds, p.ChunkSize = paritySamples, defaultBatch, paritySteps, 1, parityChunk
	p.Threads, p.Kernel, p.Workers, p.QueueSize = meter.ReadMachine().UsableCores, kernel.Auto, defaultWorkers, defaultQueueSize
	set.StringArrayVar(&f.engines, "engine", nil, "engine to hold against the native one, may be repeated; fitbench engines lists how they are named")
	set.Var(listOf(&f.modes), "modes", "modes to compare, each in every execution that the engine has or, as in fit@compiled, in its own; all where not given")
	set.Var(whole{&p.Samples, 1, data.MaxSamples}, "samples", "length of the series, and so the number of windows")
	set.Var(whole{&p.BatchSize, 1, data.MaxSamples}, "batch-size", "samples in a batch")
	set.Var(whole{&p.Steps, 1, maxParitySteps}, "steps", "training steps to compare")
	set.Var(wholes{&f.stepsPerExecution, 1, maxStepsPerExecution}, "steps-per-execution", "steps that an engine runs in one call, where it can; several numbers, as in 1,16, are compared")
	f.names = []string{"engine", "modes", "samples", "batch-size", "steps", "steps-per-execution"}
	return f
}

// wanted tells whether any of the flags was given.
func (f *parityFlags) wanted() bool { return f.anyGiven() }

// settle checks the flags and completes the plan.
func (f *parityFlags) settle(args []string) (record.Plan, error) {
	p := f.plan
	if len(f.engines) == 0 {
		return p, usagef("no engine is given; with --modes, --samples, --batch-size, --steps and --steps-per-execution an --engine is needed")
	}
	if len(args) > 0 {
		return p, usagef("DIR %s and --engine %s: give one of the two", args[0], f.engines[0])
	}
	p.Anomalies = inProportion(p.Samples)
	if err := f.check(p); err != nil {
		return p, err
	}
	return p, f.nameEngines(&p)
}

func (f *parityFlags) run(ctx context.Context, args []string, s streams) error {
	plan, err := f.settle(args)
	if err != nil {
		return err
	}
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	o := parity.Options{Plan: plan}
	if o.Native, err = openEngine(ctx, "--engine", nativeEngine, kill); err != nil {
		return err
	}
	if o.Contenders, err = f.contenders(ctx, kill); err != nil {
		return err
	}
	var printed error
	o.Tell = func(l parity.Line) { printed = errors.Join(printed, unlessClosed(l.Print(s.out))) }
	summary, err := parity.Run(ctx, o)
	if silentOne := new(parity.NoLossesError); errors.As(err, &silentOne) {
		return usagef("--engine: %w", err)
	}
	if err := errors.Join(err, printed); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.out, summary); unlessClosed(err) != nil {
		return err
	}
	if !summary.OK() {
		return errors.New("not every engine was found to do the same work")
	}
	return nil
}

func (f *parityFlags) contenders(ctx context.Context, kill <-chan struct{}) (all []parity.Contender, err error) {
	var every []record.Cell
	for _, name := range f.engines {
		program, err := openEngine(ctx, "--engine", name, kill)
		if err != nil {
			return nil, err
		}
		cells, err := chosenCells(name, f.modes)
		if err != nil {
			return nil, err
		}
		cells = severalSteps(cells, f.stepsPerExecution, []string{name})
		all, every = append(all, parity.Contender{Name: name, Engine: program, Cells: cells}), append(every, cells...)
	}
	return all, anySeveral(every, f.stepsPerExecution)
}

// chosenCells are those of an engine that the items name, all where there are none. A bare mode stands for every execution of it that the
// engine has. Of a program that does not say what it knows, the native cells are tried.
func chosenCells(name string, items []string) ([]record.Cell, error) {
	known := engine.Cells(name)
	if known == nil {
		known = engine.Cells(nativeEngine)
	}
	if len(items) == 0 {
		items = known
	}
	var chosen []string
	for _, item := range items {
		item = strings.TrimSpace(item)
		found := slices.DeleteFunc(slices.Clone(known), func(cell string) bool {
			mode, _, _ := strings.Cut(cell, "@")
			return cell != item && mode != item
		})
		if len(found) == 0 {
			return nil, usagef("--modes %s: engine %q has no %q; it has %s", strings.Join(items, ","), name, item, strings.Join(known, ", "))
		}
		chosen = append(chosen, found...)
	}
	cells, err := modes.ParseCells(chosen, nn.Names())
	if err != nil {
		return nil, usagef("--modes %s: %w", strings.Join(items, ","), err)
	}
	return cells, nil
}
