package main

import (
	"fmt"
	"os"

	"fitbench/internal/compare"

	"github.com/spf13/cobra"
)

func newCompare(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "compare BASE.json OTHER.json...",
		Short: "Hold kept records against the first of them",
		Long: `Compares kept records (run --output-file) with the first: mode by mode the medians, the change, and an interval for it. In what the
machines, the builds and the work differ is said line by line, and then which figures can still be compared: counts everywhere; digests
under the same kernel, architecture and Go; peak memory under the same OS, architecture, kernel and threads; times and CPU load only
where CPU model, cores, kernel and threads are the same. What cannot be compared is not shown as a change.

It passes no verdict: that is for a check, whose rule is set before.`,
		Example: `  fitbench compare monday.json tuesday.json
  fitbench compare base.json first-try.json second-try.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("%d files: two or more kept records are needed, the first of which is the base", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return compareFiles(args, s) },
	}
}

// compareFiles shows the records of the files against the first one's.
func compareFiles(paths []string, s streams) error {
	defer catchBrokenPipes()()
	sides := make([]compare.Side, len(paths))
	for i, path := range paths {
		rec, err := loadRecord(path)
		if err != nil {
			return err
		}
		file, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("compare: %w", err)
		}
		sides[i] = compare.Side{Name: path, Record: rec, File: file}
	}
	return unlessClosed(compare.Write(s.out, sides, terminalWidth(s.out)))
}
