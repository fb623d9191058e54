// Command kernelbench holds the compiled step and the kernels that it runs on against a yardstick in C, interleaved in the same
// minute on the same cores: the whole step of every variant, the parts of those that have lanes, and two threads against one beside
// two yardsticks at once against one alone. `make bench` builds the yardstick and runs it.
//
// It is for work on the kernels: it needs a machine with nothing else to do, and judges nothing. The question that the project
// answers is measured by the command fitbench.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"fitbench/internal/record"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are what a run can be told.
type options struct {
	yardstick string        // the program; none where empty
	duration  time.Duration // of all rounds; there are at least three
	burst     time.Duration // of one reading
	samples   int           // length of the series
}

// execute runs the command line and returns the exit code: 2 for a usage error, 1 for another.
func execute(ctx context.Context, args []string, out, err io.Writer) int {
	o := options{burst: 20 * time.Millisecond, samples: record.Experiment().Samples}
	flags := flag.NewFlagSet("kernelbench", flag.ContinueOnError)
	flags.SetOutput(err)
	flags.StringVar(&o.yardstick, "yardstick", "", "the yardstick's `program`; without it there are no ratios")
	flags.DurationVar(&o.duration, "duration", 55*time.Second, "time for all rounds")
	if flags.Parse(args) != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(err, "kernelbench: unexpected argument %q; only flags are accepted\n", flags.Arg(0))
		return 2
	}
	if failure := run(ctx, o, out); failure != nil {
		fmt.Fprintln(err, "kernelbench:", failure)
		return 1
	}
	return 0
}
