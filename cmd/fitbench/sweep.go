package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/record"
	"fitbench/internal/typeset"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sweepOptions are the flags of sweep that are not the plan's.
type sweepOptions struct {
	runOptions
	maxTime time.Duration // 0: no limit
	resume  string
}

func newSweep(s streams) *cobra.Command {
	var o sweepOptions
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Train the modes side by side at several batch sizes: how a step's time goes with the batch",
		Long: `Trains every mode at every batch size in a process of its own, the rounds interleaved, and prints milliseconds a step, times
fit and CPU load by batch size; below it a cost model of each mode, ms a step = a + b x batch size, and from which size on
a mode is within 10 % of fit. Nothing is said of sizes outside the measured range.

First a short run of each tells how long it will take. With --max-time there are as many rounds as fit into that.
An interrupted sweep with an --output-file goes on with --resume and that file.`,
		Example: `  fitbench sweep
  fitbench sweep --batch-sizes 16..8192x2 --modes fit@compiled,train-on-batch@eager --max-time 2m
  fitbench sweep --output-file sweep.json --plot sweep.svg
  fitbench sweep --resume sweep.json`,
		Args: noArguments,
	}
	flags := addPlanFlags(c.Flags(), severalSizes)
	addOutputFlags(c.Flags(), &o.runOptions)
	c.Flags().DurationVar(&o.maxTime, "max-time", 0, "lower the rounds so far that the sweep takes about this long, as in 90s or 5m")
	c.Flags().Var(fileFlag{&o.resume}, "resume", "go on with the record in this file, of the same plan, and keep the record there")
	c.Flags().SortFlags = false
	c.RunE = func(c *cobra.Command, _ []string) error {
		if o.maxTime < 0 {
			return usagef("--max-time %v: a duration above 0 is accepted", o.maxTime)
		}
		plan, err := flags.make()
		if err != nil {
			return err
		}
		return sweep(c.Context(), plan, o, c.Flags(), s)
	}
	return c
}

// sweep does what the command was asked for. Its error is what the exit code says; the results that there are have been shown.
func sweep(ctx context.Context, plan record.Plan, o sweepOptions, given *pflag.FlagSet, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	b, err := newBenchmark(ctx, plan, kill)
	if err != nil {
		return err
	}
	if o.resume != "" {
		if err := resume(&b, &o, given); err != nil {
			return err
		}
	}
	if err := o.canWrite(); err != nil {
		return err
	}
	if err := estimate(ctx, &b, o, s); err != nil {
		return err
	}
	rec, err := measure(ctx, b, o.outputFile, newProgress(s, o.quiet))
	if errors.As(err, new(usageError)) {
		return err
	}
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	return errors.Join(err, show(s.out, rec, o.runOptions))
}

// estimate tells how long the sweep will take, after a short run of each, and lowers its rounds where there is a limit.
func estimate(ctx context.Context, b *bench.Options, o sweepOptions, s streams) error {
	tell := func(format string, args ...any) {
		if !o.quiet {
			fmt.Fprintf(s.err, "fitbench sweep: "+format+"\n", args...)
		}
	}
	began := time.Now()
	if bench.Missing(*b) == 0 {
		tell("no run is missing")
		return nil
	}
	round, err := bench.Pilot(ctx, *b)
	if err != nil {
		return err
	}
	perRun := round / time.Duration(len(b.Engines)*len(b.Plan.Sizes())*len(b.Plan.Cells))
	if o.maxTime > 0 {
		wanted := b.Plan.Rounds
		if !lowerRounds(b, perRun, o.maxTime-time.Since(began)) {
			return usagef("--max-time %v: one more round of %d runs takes about %v; a longer time is accepted, or fewer --batch-sizes, --modes or --samples-per-run",
				o.maxTime, bench.Missing(*b), (time.Duration(bench.Missing(*b)) * perRun).Round(time.Second))
		}
		if b.Plan.Rounds < wanted {
			tell("%d of %d rounds, to stay within %v", b.Plan.Rounds, wanted, o.maxTime)
		}
	}
	runs := bench.Missing(*b)
	tell("%s, about %v", typeset.Counted(runs, "run"), (time.Duration(runs) * perRun).Round(time.Second))
	return nil
}

// lowerRounds takes rounds off the plan until what is missing fits into the time, but none of which there are runs. It is false where
// not even one round fits, which the plan then is left with.
func lowerRounds(b *bench.Options, perRun, left time.Duration) bool {
	least := max(1, lastRound(b.Done))
	for ; b.Plan.Rounds > least; b.Plan.Rounds-- {
		if time.Duration(bench.Missing(*b))*perRun <= left {
			return true
		}
	}
	return time.Duration(bench.Missing(*b))*perRun <= left
}
