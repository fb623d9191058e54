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
)

// Verdict is what is said of a figure, or of a whole check.
type Verdict string

const (
	Same         Verdict = "same"
	Improved     Verdict = "improved"
	Regressed    Verdict = "regressed"
	Inconclusive Verdict = "inconclusive"
	// NotCompared is of a figure that the baseline does not have; it counts for nothing.
	NotCompared Verdict = "not compared"
	// Invalid is of a whole check: there is an error, and nothing was compared.
	Invalid Verdict = "invalid"
)

// Options of a check; the zero value stands for the defaults.
type Options struct {
	// MinChange is the relative change of a time from which on it counts, 0.05 for 5 %; 0 for DefaultMinChange.
	MinChange float64
	// Confidence is that of the interval of each change of a time by itself; 0 for DefaultConfidence.
	Confidence float64
}

const (
	DefaultMinChange = 0.05
	// DefaultConfidence is reached by five rounds against five. It holds for each time by itself: in simulated checks of six cells
	// without any change, 2 to 3 % found one regressed at 5 to 10 % noise, and one in 5,000 at 2 %. Six rounds reach 0.997, at which
	// six cells together stay within 1 %.
	DefaultConfidence = 0.99
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
	Verdict           Verdict
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
	Verdict Verdict
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
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	c := check{base: base, head: head, options: o}
	both := compare.Of(compare.Side{Record: base}, compare.Side{Record: head})
	if odd := slices.Concat(both.OnlyBase, both.OnlyHead); len(odd) > 0 {
		return Result{Err: fmt.Errorf("baseline and this run did not run the same cells: only one of them has %s", strings.Join(odd, "; ")), Verdict: Invalid}
	}
	for _, cell := range both.Cells {
		c.cells = append(c.cells, pair{cell.Name, cell.Base, cell.Head, summary.UsedRuns(base, cell.Base), summary.UsedRuns(head, cell.Head)})
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
	return samePlan(base, head)
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

// overall is the verdict of all lines.
func overall(lines []Line) Verdict {
	for _, v := range []Verdict{Regressed, Inconclusive, Improved, Same} {
		if slices.ContainsFunc(lines, func(l Line) bool { return l.Verdict == v }) {
			return v
		}
	}
	return Inconclusive
}
