package check

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/baseline"
	"fitbench/internal/record"
	"fitbench/internal/report"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
	"fitbench/internal/verdict"
)

// Baseline puts into words what package baseline found of a record against the kept one of that name. found.Err must be nil.
func Baseline(name string, found baseline.Result, rec record.Record) report.CheckResult {
	c := report.CheckResult{
		Title:   "this build against the baseline " + name,
		How:     baselineHow(rec),
		Verdict: string(found.Verdict), Record: rec, Warnings: found.Notes,
	}
	exact, timed := 0, false
	for _, l := range found.Lines {
		timed = timed || l.Figure == baseline.Step
		if l.Verdict == verdict.Same && l.Figure != baseline.Step && l.Figure != baseline.PeakMemory {
			exact++
			continue
		}
		c.Rows = append(c.Rows, baselineRow(l))
	}
	if !timed {
		c.NotCompared = append(c.NotCompared, "times")
	}
	if exact > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of operations, of bytes of tensors and of bytes copied a step: the same", typeset.Counted(exact, "exact count")))
	}
	for _, r := range found.Ratios {
		c.Shown = append(c.Shown, report.CheckRow{Figure: r.Cell + ", times fit", Base: median(r.Base), Head: median(r.Head), Verdict: shownOnly})
	}
	return c
}

func baselineHow(rec record.Record) string {
	p := rec.Plan
	sizes, steps := []string{}, []string{}
	for _, size := range p.Sizes() {
		sizes = append(sizes, typeset.Integer(size))
		if text := typeset.Counted(p.At(size).TotalSteps(), "step"); !slices.Contains(steps, text) {
			steps = append(steps, text)
		}
	}
	return strings.Join([]string{
		fmt.Sprintf("%s of %s at batch %s on %s", typeset.Counted(p.Rounds, "round"), strings.Join(steps, " or "), strings.Join(sizes, " and "),
			typeset.Counted(p.Samples, "window")),
		kernels(rec.Runs), threads(rec.Runs),
	}, ", ")
}

// baselineRow is a line in units that are easy to read.
func baselineRow(l baseline.Line) report.CheckRow {
	unit, factor := l.Unit, 1.0
	switch l.Figure {
	case baseline.PeakMemory:
		unit, factor = "MB", 1/typeset.Megabyte
	case baseline.Step:
		unit, factor = "loops a 1,000 steps", 1000
	}
	title := l.Cell + ", " + l.Figure
	if unit != "" {
		title += ", " + unit
	}
	scaled := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return record.Of(*v * factor)
	}
	return report.CheckRow{
		Figure: title, Base: scaled(l.Base), Head: scaled(l.Head), Change: l.Change, Low: l.Low, High: l.High, Verdict: string(l.Verdict), Note: l.Note,
	}
}

func median(v summary.Value) *float64 {
	if !v.OK {
		return nil
	}
	return &v.Median
}
