package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"fitbench/internal/atomicfile"
	"fitbench/internal/baseline"
	"fitbench/internal/check"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/reference"
	"fitbench/internal/report"
)

// checkBaseline holds this build against a kept record, or makes that record.
func checkBaseline(ctx context.Context, flags *planFlags, o checkOptions, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	if !flags.set.Changed("steps") {
		flags.plan.Steps = defaultBaselineSteps
	}
	plan, err := flags.make()
	if err != nil {
		return err
	}
	var base record.Record
	if o.updateBaseline {
		err = canKeepBaseline(o.baseline)
	} else if base, err = loadBaseline(o.baseline); err == nil {
		plan, err = planFor(base, plan, flags.anyGiven(), o.baseline)
	}
	if err != nil {
		return err
	}
	if err := check.CheckInjection(o.inject, plan.Cells); err != nil {
		return usagef("--inject-slowdown: %w", err)
	}
	plan.Inject = o.inject
	b, err := newBenchmark(ctx, plan, kill)
	if err != nil {
		return err
	}
	b.Reference = reference.New().Seconds
	rec, err := measure(ctx, b, o.outputFile, newProgress(s, o.quiet))
	if err != nil {
		return err
	}
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	if o.updateBaseline {
		return writeBaseline(o.baseline, rec, s, o.quiet)
	}
	rec.Plan.Inject = "" // it is in the runs; the plan is the same otherwise
	found := baseline.Check(base, rec, baseline.Options{MinChange: float64(o.minChange)})
	if found.Err != nil {
		return fmt.Errorf("--baseline %s: %w", o.baseline, found.Err)
	}
	result := check.Baseline(o.baseline, found, rec)
	result.Warnings = append(check.Injected(o.inject), result.Warnings...)
	return o.conclude(result, s)
}

// loadBaseline reads a kept record that can serve as a baseline, and whose plan this build can run.
func loadBaseline(path string) (record.Record, error) {
	base, err := loadRecord(path)
	if errors.Is(err, fs.ErrNotExist) {
		return base, fmt.Errorf("--baseline: %w; with --update-baseline it is made", err)
	}
	if err != nil {
		return base, fmt.Errorf("--baseline: %w", err)
	}
	if err = baseline.Validate(base); err == nil {
		err = runnable(base.Plan)
	}
	if err != nil {
		return base, fmt.Errorf("--baseline %s: %w", path, err)
	}
	return base, nil
}

// planFor is the baseline's plan, which one that was given must be too.
func planFor(base record.Record, asked record.Plan, given bool, path string) (record.Plan, error) {
	if !given {
		return base.Plan, nil
	}
	if err := baseline.SamePlan(base.Plan, asked); err != nil {
		return asked, fmt.Errorf("--baseline %s: %w; without flags for the plan the baseline's own is run", path, err)
	}
	return asked, nil
}

// runnable tells what of a plan that somebody may have edited cannot be run.
func runnable(p record.Plan) error {
	var names []string
	for _, c := range p.Cells {
		names = append(names, c.String())
	}
	if _, err := modes.ParseCells(names, []string{"compiled"}); err != nil {
		return err
	}
	if err := engine.CheckCells([]string{nativeEngine}, p.Cells); err != nil {
		return err
	}
	for _, size := range p.Sizes() {
		if err := modes.CheckPlan(p.At(size)); err != nil {
			return fmt.Errorf("its plan cannot be run: %w", err)
		}
	}
	return nil
}

// canKeepBaseline tells beforehand whether the file can be written.
func canKeepBaseline(path string) error {
	file, err := atomicfile.Open(path)
	if err != nil {
		return usagef("--baseline %s: %w", path, err)
	}
	return file.Close()
}

// writeBaseline keeps the record, which must be one that a check could use.
func writeBaseline(path string, rec record.Record, s streams, quiet bool) error {
	if err := baseline.Validate(rec); err != nil {
		return fmt.Errorf("this run cannot be a baseline: %w", err)
	}
	if err := writeFile("--baseline", path, func(w io.Writer) error { return report.JSON(w, rec) }); err != nil {
		return err
	}
	for _, reason := range baseline.Doubts(rec) {
		fmt.Fprintf(s.err, "fitbench check: warning: %s\n", reason)
	}
	if !quiet {
		fmt.Fprintf(s.err, "fitbench check: %s is the baseline of %d runs from now on\n", path, len(rec.Runs))
	}
	return nil
}
