package main

import (
	"fitbench/internal/engine"

	"github.com/spf13/cobra"
)

// newWorker is the other end of a training run: what the program starts itself as.
func newWorker(s streams) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Train one run: the job comes on standard input, events go to standard output as JSON lines",
		Hidden: true,
		Args:   noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if code := engine.Worker(c.Context(), s.in, s.out, s.err); code != exitOK {
				return silent(code)
			}
			return nil
		},
	}
}
