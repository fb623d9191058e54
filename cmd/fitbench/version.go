package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"fitbench/internal/engine"
	"fitbench/internal/environment"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"

	"github.com/spf13/cobra"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the revision of this build, and what it speaks and runs",
		Example: `  fitbench version`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "fitbench %s\n%s %s/%s, kernels here: %s\nrecord schema %d, engine protocol %d\n",
				cmp.Or(environment.Revision(), "devel"), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(kernel.Names(), ", "),
				record.SchemaVersion, engine.ProtocolVersion)
			return unlessClosed(err)
		},
	}
}
