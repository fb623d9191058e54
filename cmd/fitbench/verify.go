package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fitbench/internal/verify"
	"fitbench/testdata"

	"github.com/spf13/cobra"
)

// embeddedGolden is the folder of the golden values inside the program that verify takes by default.
const embeddedGolden = "keras_b64"

func newVerify(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Hold every execution and kernel against golden values from NumPy and Keras, or other engines against this one",
		Long: `Regenerates the data, trains every execution on every kernel that this machine has from the golden initial weights, and
prints a line a check with the largest difference and its tolerance. Without DIR the golden values inside the program are
taken: 400 steps of Keras. testdata/golden/README.md describes the files of such a folder.

With --engine it holds other engines against its own instead: whether they do the same work. Each mode of each engine is run from
the same weights on the same batches in the same order, and its losses are compared step by step; nothing is timed.`,
		Example: `  fitbench verify
  fitbench verify testdata/golden/keras_b64
  fitbench verify --engine keras
  fitbench verify --engine tf-keras:./env/bin/python --modes fit,fit-windows@compiled`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("arguments %q: one folder at most is accepted", args)
			}
			return nil
		},
	}
	parity := addParityFlags(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(c *cobra.Command, args []string) error {
		if parity.wanted() {
			return parity.run(c.Context(), args, s)
		}
		folder, err := goldenFolder(args)
		if err != nil {
			return err
		}
		return runVerify(c.Context(), folder, s)
	}
	return c
}

func goldenFolder(args []string) (fs.FS, error) {
	if len(args) == 0 {
		return fs.Sub(testdata.Golden(), embeddedGolden)
	}
	info, err := os.Stat(args[0])
	if err != nil {
		return nil, usagef("DIR: %w; a folder of golden values is accepted", err)
	}
	if !info.IsDir() {
		return nil, usagef("DIR is %s, which is no folder; a folder of golden values is accepted", args[0])
	}
	return os.DirFS(args[0]), nil
}

func runVerify(ctx context.Context, folder fs.FS, s streams) error {
	defer catchBrokenPipes()()
	ctx, _, stop := interruptible(ctx)
	defer stop()
	checks, err := verify.Run(ctx, folder, verify.Options{})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return fmt.Errorf("these golden values cannot be used: %w", err)
	}
	stop()
	if err := unlessClosed(verify.Print(s.out, checks)); err != nil {
		return err
	}
	if !verify.Passed(checks) {
		return errors.New("not every check passed")
	}
	return nil
}
