package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/report"
	"fitbench/internal/verdict"

	"github.com/spf13/cobra"
)

// Exit codes of check beside those of every command.
const (
	exitRegressed  = 3
	exitNotDecided = 4
)

// Defaults of a check. Its plan is small, so that there are rounds enough within the time: what disturbs a machine for seconds falls on
// single runs, and many short ones bear that better than a few long ones.
const (
	defaultMinChange    = share(0.05)
	defaultMaxTime      = 3 * time.Minute
	defaultCheckSamples = 1 << 16
	defaultCheckSteps   = 300
)

// Against a baseline there are no pairs: long runs tell for themselves whether something else used the machine meanwhile.
const (
	defaultBaselineSteps  = 5000
	defaultBaselineRounds = 10
)

func defaultGates() []string {
	return []string{"fit@compiled", "generator@compiled", "train-on-batch@eager", "fit-windows@compiled"}
}

// checkOptions are the flags of check that are not the plan's.
type checkOptions struct {
	base, head         string
	baseline           string
	updateBaseline     bool
	gates              []string
	minChange          share
	maxTime            time.Duration
	allowInconclusive  bool
	inject             string
	output, outputFile string
	quiet              bool
}

func newCheck(s streams) *cobra.Command {
	o := checkOptions{gates: defaultGates(), minChange: defaultMinChange, maxTime: defaultMaxTime, output: "table", head: nativeEngine}
	c := &cobra.Command{
		Use:   "check --base ENGINE | --baseline FILE",
		Short: "Tell whether training became slower: against another build, or against a kept record",
		Long: `With --base, two builds run side by side on this machine, in rounds: base, base once more, and head, in changing order.
A gate is a figure that is watched: ms a step of a mode, or with cpu: its CPU seconds, with memory: its peak memory. Rounds are
added until every gate is decided or --max-time is over. The verdict says regressed by chance in no more than 1 % of checks.

With --baseline, this build is run once against a kept record: counts and digests exactly, memory within 5 %, and times, as
multiples of a loop that never changes, where the machine is of the same kind. Times of another session are weak evidence;
--base should be preferred.

Exit code: 0 same or improved, 3 regressed, 4 not decided (0 with --allow-inconclusive), 1 error, 2 wrong usage.`,
		Example: `  fitbench check --base native:./fitbench-old
  fitbench check --base native:./fitbench-old --head native:./fitbench-new -o markdown
  fitbench check --baseline baseline.json --update-baseline
  fitbench check --baseline baseline.json`,
		Args: noArguments,
	}
	flags := addPlanFlags(c.Flags(), checked)
	c.Flags().Lookup("steps").Usage += fmt.Sprintf("; %d with --baseline", defaultBaselineSteps)
	set := c.Flags()
	set.StringVar(&o.base, "base", "", "engine to compare with: native, native:PATH, exec:COMMAND")
	set.StringVar(&o.head, "head", o.head, "engine to judge")
	set.Var(fileFlag{&o.baseline}, "baseline", "record to compare with, made by --update-baseline")
	set.BoolVar(&o.updateBaseline, "update-baseline", false, "measure anew and make that the --baseline")
	set.Var(listOf(&o.gates), "gate", "what is watched, 1 to 5 of MODE@EXECUTION, cpu:MODE@EXECUTION, memory:MODE@EXECUTION")
	set.Var(&o.minChange, "min-change", "the smallest change that matters")
	set.DurationVar(&o.maxTime, "max-time", o.maxTime, "with --base: how long rounds are added at the most")
	set.BoolVar(&o.allowInconclusive, "allow-inconclusive", false, "exit with 0 where it is not decided")
	set.StringVar(&o.inject, "inject-slowdown", "", "add work to head's steps, as in fit@compiled=10% or kernel=10%, to test the check")
	_ = set.MarkHidden("inject-slowdown") // fails only for a flag that does not exist
	set.VarP(choice{&o.output, []string{"table", "json", "markdown"}}, "output", "o", "what to print")
	set.Var(fileFlag{&o.outputFile}, "output-file", "also keep the JSON record of all runs here")
	set.BoolVar(&o.quiet, "quiet", false, "no progress and no words, only what --output names")
	set.SortFlags = false
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := o.validate(c); err != nil {
			return err
		}
		if o.baseline != "" {
			return checkBaseline(c.Context(), flags, o, s)
		}
		return checkPairs(c.Context(), flags, o, s)
	}
	return c
}

// validate settles which of the two forms is meant.
func (o checkOptions) validate(c *cobra.Command) error {
	given := c.Flags().Changed
	switch {
	case o.base == "" && o.baseline == "":
		return usagef("--base or --baseline: one of the two says what to compare with")
	case o.base != "" && o.baseline != "":
		return usagef("--base %s and --baseline %s: give one of the two", o.base, o.baseline)
	case o.baseline != "" && (given("head") || given("gate") || given("max-time")):
		return usagef("--head, --gate and --max-time belong to --base; --baseline compares what its record has")
	case o.base != "" && o.updateBaseline:
		return usagef("--update-baseline belongs to --baseline FILE")
	case o.base != "" && (given("modes") || given("executions") || given("rounds")):
		return usagef("--modes, --executions and --rounds belong to --baseline; with --base the gates say what is run: --gate")
	case o.maxTime <= 0:
		return usagef("--max-time %v: a duration above 0 is accepted", o.maxTime)
	case o.inject != "" && o.updateBaseline:
		return usagef("--inject-slowdown %s with --update-baseline: a baseline must not be slowed down", o.inject)
	}
	if err := modes.CheckInjection(o.inject); err != nil {
		return usagef("--inject-slowdown: %w", err)
	}
	return differ("--baseline", o.baseline, "--output-file", o.outputFile)
}

// conclude shows what a check found, and turns its verdict into the exit code.
func (o checkOptions) conclude(c report.CheckResult, s streams) error {
	if err := unlessClosed(o.write(s.out, c)); err != nil {
		return err
	}
	switch verdict.Verdict(c.Verdict) {
	case verdict.Same, verdict.Improved:
		return nil
	case verdict.Regressed:
		return silent(exitRegressed)
	case verdict.Inconclusive:
		if o.allowInconclusive {
			return nil
		}
		return silent(exitNotDecided)
	}
	return fmt.Errorf("the verdict is %q, which is none that passes", c.Verdict)
}

func (o checkOptions) write(w io.Writer, c report.CheckResult) error {
	switch o.output {
	case "json":
		return report.CheckJSON(w, c)
	case "markdown":
		return report.CheckMarkdown(w, c)
	}
	return report.CheckTable(w, c, report.Options{Width: terminalWidth(w), NoAnswer: o.quiet})
}

// parseShare reads 5% or 0.05.
func parseShare(s string) (float64, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		v /= 100
	}
	return v, err
}

// share is a flag that takes a fraction above 0, as in 5% or 0.05.
type share float64

func (f *share) String() string { return fmt.Sprintf("%g%%", float64(*f)*100) }

func (*share) Type() string { return "percent" }

func (f *share) Set(s string) error {
	v, err := parseShare(s)
	if err == nil && !(v > 0 && v <= 10) {
		err = errors.New("out of range")
	}
	if err != nil {
		return errors.New("a change above 0 % and up to 1000 % is accepted, as in 5% or 0.05")
	}
	*f = share(v)
	return nil
}
