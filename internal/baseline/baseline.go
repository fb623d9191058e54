// Package baseline is the rule by which a run is held against a kept record. It reads no files and prints nothing.
//
// What a machine cannot change is compared everywhere and exactly: the work (digests), and what a step counts. Peak memory has a band.
// Times are compared only on the same kind of machine in the same setting, as multiples of the reference loop that was timed around
// each run, so that a machine that is a little faster today does not count. That takes away only what slows loop and training alike:
// nothing in two sessions tells a slower program from a machine that was slower for training alone. A check that builds both versions
// and runs them in turns in one session can tell, and should be preferred where times matter.
package baseline

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/compare"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/verdict"
)

// Verdicts beside those of package verdict.
const (
	// NotCompared is of a figure that the baseline does not have; it counts for nothing.
	NotCompared verdict.Verdict = "not compared"
	// Invalid is of a whole check: there is an error, and nothing was compared.
	Invalid verdict.Verdict = "invalid"
)

// Figures of lines that are measured; the others are exact counts.
const (
	Step       = "step"
	PeakMemory = "peak memory"
)

// Options of a check; the zero value stands for the defaults.
type Options struct {
	// MinChange is the relative change of a time from which on it counts, 0.05 for 5 %; 0 for DefaultMinChange.
	MinChange float64
	// Confidence is that of the interval of each change of a time by itself; 0 for the one at which a check without any change finds
	// one of all its times regressed with probability FalseAlarm at most, by Bonferroni's inequality.
	Confidence float64
}

const (
	DefaultMinChange = 0.05
	// FalseAlarm takes intervals at a confidence of 0.9967 for six cells, which six rounds against six reach, and five do not.
	FalseAlarm = 0.01
	// MemoryBand is the relative change of peak memory from which on it counts.
	MemoryBand = 0.05
)

// Line is one figure of one cell.
type Line struct {
	// Cell names the cell, with its batch size and its engine where there are several.
	Cell string
	// Figure is what was compared, Unit its unit, empty for a number.
	Figure, Unit string
	// Base and Head are the figure in both; nil where it was not measured.
	Base, Head *float64
	// Change is head over base minus 1, 0.02 for 2 %; nil where there is none. Low and High bound it, where it has an interval.
	Change, Low, High *float64
	Verdict           verdict.Verdict
	// Note says why where the verdict does not follow from the figures; it may be empty.
	Note string
}

// Ratio is the step of a cell in times that of fit@compiled, in both records. It is shown and never judged: a step that all modes
// share may become slower and leave it as it is.
type Ratio struct {
	Cell       string
	Base, Head summary.Value
}

// Result of a check.
type Result struct {
	// Err is why there is nothing to compare: a baseline that is none, or not the same work. The verdict is Invalid then.
	Err     error
	Verdict verdict.Verdict
	Lines   []Line
	// Notes say what was not compared and why, as in "cannot compare times: not the same CPU model".
	Notes  []string
	Ratios []Ratio
}

// Check holds head, a record of this run, against base, the kept one. A regressed figure makes the whole regressed, else an
// inconclusive one inconclusive, else an improved one improved. Nothing that was compared is inconclusive, too.
func Check(base, head record.Record, o Options) Result {
	if err := comparable(base, head); err != nil {
		return Result{Err: err, Verdict: Invalid}
	}
	if o.MinChange == 0 {
		o.MinChange = DefaultMinChange
	}
	c := check{base: base, head: head, options: o}
	both := compare.Of(compare.Side{Record: base}, compare.Side{Record: head})
	if odd := slices.Concat(both.OnlyBase, both.OnlyHead); len(odd) > 0 {
		return Result{Err: fmt.Errorf("baseline and this run did not run the same cells: only one of them has %s", strings.Join(odd, "; ")), Verdict: Invalid}
	}
	for _, cell := range both.Cells {
		c.cells = append(c.cells, pair{cell.Name, cell.Base, cell.Head, summary.UsedRuns(base, cell.Base), summary.UsedRuns(head, cell.Head)})
	}
	if c.options.Confidence == 0 {
		c.options.Confidence = 1 - 2*FalseAlarm/float64(len(c.cells))
	}
	if err := c.sameWork(); err != nil {
		return Result{Err: err, Verdict: Invalid}
	}
	c.counts()
	c.memory()
	c.times()
	c.ratios()
	c.result.Verdict = overall(c.result.Lines)
	return c.result
}

// comparable is an error where the records are none, or of different plans.
func comparable(base, head record.Record) error {
	if err := Validate(base); err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	if err := validate(head); err != nil {
		return fmt.Errorf("this run: %w", err)
	}
	return SamePlan(base.Plan, head.Plan)
}

// check is a check under way.
type check struct {
	base, head record.Record
	options    Options
	cells      []pair
	result     Result
}

// pair is a cell in both records, with the runs that count.
type pair struct {
	name               string
	base, head         summary.Cell
	baseRuns, headRuns []record.Run
}

func (c *check) add(l Line) { c.result.Lines = append(c.result.Lines, l) }

func (c *check) note(format string, args ...any) {
	c.result.Notes = append(c.result.Notes, fmt.Sprintf(format, args...))
}

// obstructed notes what keeps figures of a kind from being compared.
func (c *check) obstructed(k compare.Kind, what string) bool {
	obstacles := compare.Obstacles(k, c.base, c.head)
	if len(obstacles) == 0 {
		return false
	}
	c.note("cannot compare %s: %s", what, because(obstacles))
	return true
}

// because is the obstacles with their values.
func because(obstacles []compare.Difference) string {
	text := compare.Reason(obstacles)
	for i, d := range obstacles {
		mark := ", "
		if i == 0 {
			mark = " ("
		}
		text += fmt.Sprintf("%s%s: %s in the baseline, %s here", mark, d.Field, d.Base, d.Head)
	}
	return text + ")"
}

// overall is the verdict of all lines that were compared.
func overall(lines []Line) verdict.Verdict {
	var all []verdict.Verdict
	for _, l := range lines {
		if l.Verdict != NotCompared {
			all = append(all, l.Verdict)
		}
	}
	return verdict.Overall(all)
}
