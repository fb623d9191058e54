package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/record"

	"github.com/spf13/cobra"
)

func newEngines(s streams) *cobra.Command {
	var interpreters []string
	c := &cobra.Command{
		Use:   "engines",
		Short: "List the engines that there are, by their names for --engine",
		Long: `An engine is a program that is started anew for each training run, does it and reports it. Listed is how engines are named, and
which frameworks the Pythons have that there are: the one of the active virtual environment, python3 and python. Nothing is
installed. docs/protocol.md describes what such a program reads and writes, so that any can be one.`,
		Example: `  fitbench engines
  fitbench engines --python ./venv/bin/python
  fitbench engines test exec:'python3 examples/engine/engine.py'`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return listEngines(c.Context(), interpreters, s) },
	}
	c.Flags().StringArrayVar(&interpreters, "python", nil, "look at this Python too, a path or a program in $PATH; may be repeated")
	c.AddCommand(newEnginesTest(s))
	return c
}

func newEnginesTest(s streams) *cobra.Command {
	cell := "train-on-batch@eager"
	c := &cobra.Command{
		Use:   "test ENGINE",
		Short: "Hold a program against the protocol of engines",
		Long: `Has the program do some small runs and prints a line a rule of the protocol (docs/protocol.md): that it passed, or what was
wrong. The exit code is 0 where all passed.`,
		Example: `  fitbench engines test native
  fitbench engines test exec:'python3 examples/engine/engine.py'
  fitbench engines test --cell fit@compiled native:./fitbench-old`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%d arguments: the name of one engine is accepted, in quotes where it has blanks", len(args))
			}
			return nil
		},
	}
	c.Flags().StringVar(&cell, "cell", cell, "mode and execution that the program can do")
	c.RunE = func(c *cobra.Command, args []string) error {
		cells, err := modes.ParseCells([]string{cell}, nn.Names())
		if err != nil {
			return usagef("--cell %s: %w", cell, err)
		}
		if len(cells) != 1 {
			return usagef("--cell %s: a mode with its execution is accepted, as in %s", cell, cells[0])
		}
		if err := engine.CheckCells(args, cells); err != nil {
			return usagef("--cell: %w", err)
		}
		return testEngine(c.Context(), args[0], cells[0], s)
	}
	return c
}

func testEngine(ctx context.Context, spec string, cell record.Cell, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	program, err := engine.Parse(spec, engine.Options{Kill: kill})
	if err != nil {
		return usageError{err}
	}
	var printed error
	passed, err := engine.Conform(ctx, program, cell, func(c engine.Check) {
		printed = errors.Join(printed, unlessClosed(printCheck(s.out, c)))
	})
	switch {
	case err != nil:
		return err
	case printed != nil:
		return printed
	case !passed:
		return fmt.Errorf("engine %q does not keep every rule of the protocol", spec)
	}
	return nil
}

func printCheck(w io.Writer, c engine.Check) error {
	if c.Err != nil {
		_, err := fmt.Fprintf(w, "FAIL  %s: %v\n", c.Rule, c.Err)
		return err
	}
	if c.Left != "" {
		_, err := fmt.Fprintf(w, "--    %s: %s\n", c.Rule, c.Left)
		return err
	}
	_, err := fmt.Fprintf(w, "pass  %s\n", c.Rule)
	return err
}
