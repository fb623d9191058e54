package main

import (
	"fitbench/internal/report"

	"github.com/spf13/cobra"
)

func newReported(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "reported",
		Short:   "Show the figures that were reported for Keras, and why they cannot be compared with measured ones",
		Example: `  fitbench reported`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			defer catchBrokenPipes()()
			return unlessClosed(report.Reported(s.out, report.Options{Width: terminalWidth(s.out)}))
		},
	}
}
