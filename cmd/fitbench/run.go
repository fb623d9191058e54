package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fitbench/internal/atomicfile"
	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/environment"
	"fitbench/internal/modes"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"
	"fitbench/internal/report"
	"fitbench/internal/summary"

	"github.com/spf13/cobra"
)

// runOptions are the flags of run that are not the plan's.
type runOptions struct {
	output     string
	outputFile string
	quiet      bool
	cpuProfile string
}

func newRun(s streams) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run",
		Short: "Train the modes side by side and answer where the time goes",
		Long: `Trains every mode in a process of its own, the rounds interleaved, and prints one row a mode: milliseconds a step, times
fit, CPU load and memory, under a compiled step and under a step run op by op; below it the answer in words.

Modes are fit (an array built before), generator (a queue filled by workers), train-on-batch (batches built in the loop) and
fit-windows (offsets into the series). A bare mode is run under every execution, compiled and eager; a mode may name its own, as in
generator@eager.`,
		Example: `  fitbench run
  fitbench run --batch-size 64 --epochs 10
  fitbench run --modes fit@compiled,fit-windows@compiled --samples 10000000
  fitbench run -o json --output-file result.json`,
		Args: noArguments,
	}
	flags := addPlanFlags(c.Flags())
	o.output = "table"
	c.Flags().VarP(choice{&o.output, []string{"table", "json"}}, "output", "o", "what to print")
	c.Flags().StringVar(&o.outputFile, "output-file", "", "also keep the JSON record here, after each run")
	c.Flags().BoolVar(&o.quiet, "quiet", false, "no progress and no words, only what --output names")
	c.Flags().StringVar(&o.cpuProfile, "cpuprofile", "", "folder for CPU profiles of the training runs")
	_ = c.Flags().MarkHidden("cpuprofile") // fails only for a flag that does not exist
	c.Flags().SortFlags = false
	c.RunE = func(c *cobra.Command, _ []string) error {
		plan, err := flags.make()
		if err != nil {
			return err
		}
		return run(c.Context(), plan, o, s)
	}
	return c
}

// run does what the command was asked for. Its error is what the exit code says; the results that there are have been shown.
func run(ctx context.Context, plan record.Plan, o runOptions, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	if o.cpuProfile != "" {
		if err := os.MkdirAll(o.cpuProfile, 0o777); err != nil {
			return usagef("--cpuprofile %s: %w", o.cpuProfile, err)
		}
	}
	native, err := engine.NewNative(kill)
	if err != nil {
		return err
	}
	chosen, err := kernel.Select(plan.Kernel)
	if err != nil {
		return err
	}
	keep, closeKeep, err := openOutput(o.outputFile)
	if err != nil {
		return err
	}
	bar := newProgress(s, o.quiet)
	rec, runErr := bench.Run(ctx, bench.Options{
		Plan: plan, Environment: environment.Read(chosen.Name), Engines: []bench.Contender{{Name: modes.EngineName, Engine: native}}, CPUProfile: o.cpuProfile, Observe: bar.show, Save: keep,
	})
	bar.finish()
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	return errors.Join(runErr, failures(rec), closeKeep(), show(s.out, rec, o))
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

// show prints the record as asked; nothing where no run has ended, since there is nothing to say.
func show(w io.Writer, rec record.Record, o runOptions) error {
	if o.output == "json" {
		return unlessClosed(report.JSON(w, rec))
	}
	if len(rec.Runs) == 0 {
		return nil
	}
	return unlessClosed(report.Table(w, rec, report.Options{Width: terminalWidth(w), NoAnswer: o.quiet}))
}
