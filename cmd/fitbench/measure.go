package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fitbench/internal/atomicfile"
	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/environment"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"
	"fitbench/internal/report"
	"fitbench/internal/summary"
)

// newBenchmark is a benchmark of the plan on this machine, by the engines that it names. kill, once closed, kills the run under way.
func newBenchmark(ctx context.Context, plan record.Plan, kill <-chan struct{}) (bench.Options, error) {
	chosen, err := kernel.Select(plan.Kernel)
	if err != nil {
		return bench.Options{}, err
	}
	names := plan.Engines
	if len(names) == 0 {
		names = []string{nativeEngine}
	}
	b := bench.Options{Plan: plan, Environment: environment.Read(chosen.Name)}
	for _, name := range names {
		program, err := openEngine(ctx, "--engine", name, kill)
		if err != nil {
			return bench.Options{}, err
		}
		b.Engines = append(b.Engines, bench.Contender{
			Name: program.Name(), Engine: program,
			Can: func(c record.Cell) bool { return engine.Can(name, c) },
		})
	}
	return b, nil
}

// nativeEngine is this program.
const nativeEngine = "native"

// openEngine finds the engine of that name; flag is what named it. A framework that is not installed is told before anything is run.
func openEngine(ctx context.Context, flag, name string, kill <-chan struct{}) (*engine.Program, error) {
	program, err := engine.Parse(name, engine.Options{Kill: kill})
	if err != nil {
		return nil, usagef("%s: %w", flag, err)
	}
	if lacks := program.Lacks(ctx); lacks != "" {
		return nil, usagef("%s %s: its Python lacks what that needs: %s", flag, name, lacks)
	}
	return program, nil
}

// measure runs a benchmark and keeps its record in the output file, where there is one. The record is that of all runs that ended;
// the error tells of an interruption, of failed runs and of a record that could not be kept.
func measure(ctx context.Context, b bench.Options, outputFile string, bar *progress) (record.Record, error) {
	keep, closeKeep, err := openOutput(outputFile)
	if err != nil {
		return record.Record{}, err
	}
	b.Observe, b.Save = bar.show, keep
	rec, err := bench.Run(ctx, b)
	bar.finish()
	return rec, errors.Join(err, failures(rec), closeKeep())
}

// failures is an error where runs failed: how many, and why.
func failures(rec record.Record) error {
	list := summary.Failures(rec)
	if len(list) == 0 {
		return nil
	}
	failed := 0
	for _, r := range rec.Runs {
		if r.Error != "" {
			failed++
		}
	}
	lines := make([]string, len(list))
	for i, f := range list {
		lines[i] = f.String()
	}
	return fmt.Errorf("%d of %d runs failed\n%s", failed, len(rec.Runs), strings.Join(lines, "\n"))
}

// openOutput prepares the output file; without one, keeping and closing do nothing.
func openOutput(path string) (keep func(record.Record) error, closeFile func() error, err error) {
	if path == "" {
		return func(record.Record) error { return nil }, func() error { return nil }, nil
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, nil, usagef("--output-file %s: %w", path, err)
	}
	named := func(err error) error {
		if err == nil {
			return nil
		}
		return fmt.Errorf("--output-file %s: %w", path, err)
	}
	keep = func(rec record.Record) error {
		return named(file.Replace(func(w io.Writer) error { return report.JSON(w, rec) }))
	}
	return keep, func() error { return named(file.Close()) }, nil
}
