package main

import (
	"github.com/spf13/cobra"
)

// newRoot builds the whole command tree anew, so that no command line sees another's flags.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "fitbench",
		Short: "Train one small 1D CNN in several ways, side by side: time, CPU load, memory, and where the difference comes from",
		Long: `fitbench trains one small 1D CNN on a synthetic series in the ways that Keras offers (fit on a ready-made array,
fit_generator with a Sequence, a train_on_batch loop) and in a leaner one, each under a compiled step and under an
eager step, with identical seeds, and prints time, CPU load and memory side by side.

It measures its own engine, written in Go, on this machine; with --engine keras, tf-keras, torch or jax also your own
installation of those.`,
		Example: `  fitbench run
  fitbench run --batch-size 64 --epochs 10
  fitbench sweep
  fitbench check --base native:./fitbench-old
  fitbench verify`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newRun(s), newSweep(s), newCheck(s), newReport(s), newReported(s), newCompare(s), newEngines(s), newRecipe(s), newVerify(s), newVersion(s), newWorker(s))
	completeFlags(root)
	return root
}

// noArguments refuses arguments as wrong usage.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if c.HasSubCommands() {
		return usagef("unknown command %q; see the list of commands", args[0])
	}
	return usagef("argument %q: this command takes flags only", args[0])
}
