package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/check"
	"fitbench/internal/engine"
	"fitbench/internal/environment"
	"fitbench/internal/nn/kernel"
)

// checkPairs compares two engines that run side by side.
func checkPairs(ctx context.Context, flags *planFlags, o checkOptions, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	options, err := pairOptions(ctx, flags, o, kill)
	if err != nil {
		return err
	}
	keep, closeKeep, err := openOutput(o.outputFile)
	if err != nil {
		return err
	}
	bar := newProgress(s, o.quiet)
	bar.limit, bar.began = o.maxTime, time.Now()
	options.Observe, options.Save, options.WatchOthers = bar.show, keep, s.watchOthers
	found, err := check.Run(ctx, options)
	bar.finish()
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	closed := closeKeep()
	if err != nil {
		return errors.Join(err, closed)
	}
	// A file that cannot be kept takes nothing from the verdict, but must not look like a pass.
	if err := o.conclude(found.Report(o.base, o.head), s); closed == nil {
		return err
	}
	return closed
}

// pairOptions are the check that the flags ask for. Their errors are of usage.
func pairOptions(ctx context.Context, flags *planFlags, o checkOptions, kill <-chan struct{}) (check.Options, error) {
	gates, err := check.ParseGates(o.gates)
	if err != nil {
		return check.Options{}, usagef("--gate %w", err)
	}
	plan, err := flags.makeCheck(check.Cells(gates))
	if err != nil {
		return check.Options{}, err
	}
	chosen, err := kernel.Select(plan.Kernel)
	if err != nil {
		return check.Options{}, err
	}
	if err := engine.CheckCells([]string{o.base, o.head}, plan.Cells); err != nil {
		return check.Options{}, usagef("--gate: %w", err)
	}
	base, err := openEngine(ctx, "--base", o.base, kill)
	if err != nil {
		return check.Options{}, err
	}
	head, err := openEngine(ctx, "--head", o.head, kill)
	if err != nil {
		return check.Options{}, err
	}
	if names := slices.Compact([]string{o.base, o.head}); !slices.Equal(names, []string{nativeEngine}) {
		plan.Engines = names
	}
	options := check.Options{
		Plan: plan, Environment: environment.Read(chosen.Name), Gates: gates,
		Base:      bench.Contender{Name: base.Name(), Engine: base},
		Head:      bench.Contender{Name: head.Name(), Engine: head},
		MinChange: float64(o.minChange), MaxTime: o.maxTime, Inject: o.inject,
	}
	if err := check.CheckInjection(o.inject, plan.Cells); err != nil {
		return check.Options{}, usagef("--inject-slowdown: %w", err)
	}
	if err := options.Validate(); err != nil {
		return check.Options{}, usageError{err}
	}
	return options, nil
}
