package main

import (
	"context"
	"errors"
	"io"
	"os"

	"fitbench/internal/record"
	"fitbench/internal/report"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runOptions are the flags of run that are not the plan's.
type runOptions struct {
	output     string
	outputFile string
	quiet      bool
	cpuProfile string
	plot       string
}

func newRun(s streams) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run",
		Short: "Train the modes side by side and answer where the time goes",
		Long: `Trains every mode in a process of its own, the rounds interleaved, and prints one row a mode: milliseconds a step, times
fit, CPU load and memory, under a compiled step and under a step run op by op; below it the answer in words.

Modes are fit (an array built before), generator (a queue filled by workers), train-on-batch (batches built in the loop),
fit-windows (offsets into the series), pipeline (rows gathered by workers, as in tf.data) and fit-chunked (the array piece by
piece). Keras has pipeline-map-first, timeseries-helper, fit-sequence and fit-sequence-unshuffled besides. A bare mode is run
under every execution, compiled and eager; a mode may name its own, as in generator@eager.`,
		Example: `  fitbench run
  fitbench run --batch-size 64 --epochs 10
  fitbench run --modes fit@compiled,fit-windows@compiled --samples 10000000
  fitbench run -o json --output-file result.json`,
		Args: noArguments,
	}
	flags := addPlanFlags(c.Flags(), oneSize)
	addOutputFlags(c.Flags(), &o)
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

// addOutputFlags are those of what a measuring command shows and keeps.
func addOutputFlags(set *pflag.FlagSet, o *runOptions) {
	o.output = "table"
	set.VarP(outputChoice(&o.output), "output", "o", "what to print")
	set.Var(fileFlag{&o.outputFile}, "output-file", "also keep the JSON record here, after each run")
	set.Var(plotFlag{&o.plot}, "plot", plotUsage)
	set.BoolVar(&o.quiet, "quiet", false, "no progress and no words, only what --output names")
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
	b, err := newBenchmark(ctx, plan, kill)
	if err != nil {
		return err
	}
	b.CPUProfile = o.cpuProfile
	if err := o.canWrite(); err != nil {
		return err
	}
	rec, err := measure(ctx, b, o.outputFile, newProgress(s, o.quiet))
	if errors.As(err, new(usageError)) {
		return err
	}
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	return errors.Join(err, show(s.out, rec, o))
}

// canWrite tells beforehand what is wrong with the files that are written at the end.
func (o runOptions) canWrite() error {
	if err := differ("--output-file", o.outputFile, "--plot", o.plot); err != nil {
		return err
	}
	return canPlot(o.plot)
}

// show prints the record as asked; nothing but JSON where no run has ended, since there is nothing to say.
func show(w io.Writer, rec record.Record, o runOptions) error {
	if len(rec.Runs) == 0 && o.output != "json" {
		return nil
	}
	options := report.Options{Width: terminalWidth(w), NoAnswer: o.quiet}
	err := unlessClosed(formatOf(o.output).Write(w, []record.Record{rec}, options))
	if len(rec.Runs) == 0 {
		return err
	}
	return errors.Join(err, plot(o.plot, rec))
}
