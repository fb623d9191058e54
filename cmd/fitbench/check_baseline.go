package main

import (
	"context"
	"fmt"
	"io"

	"fitbench/internal/baseline"
	"fitbench/internal/record"
	"fitbench/internal/reference"
	"fitbench/internal/report"
)

// checkBaseline holds this build against a kept record, or makes that record.
func checkBaseline(ctx context.Context, flags *planFlags, o checkOptions, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	plan, err := flags.make()
	if err != nil {
		return err
	}
	var base record.Record
	if !o.updateBaseline {
		if base, err = loadRecord(o.baseline); err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
		if err := baseline.Validate(base); err != nil {
			return fmt.Errorf("--baseline %s: %w", o.baseline, err)
		}
		if !flags.anyGiven() {
			plan = base.Plan // what was kept is what is run again
		}
	}
	plan.Inject = o.inject
	b, err := newBenchmark(plan, kill)
	if err != nil {
		return err
	}
	b.Reference = reference.New().Seconds
	rec, err := measure(ctx, b, o.outputFile, newProgress(s, o.quiet))
	if err != nil {
		return err
	}
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	if o.updateBaseline {
		return writeBaseline(o.baseline, rec, s, o.quiet)
	}
	rec.Plan.Inject = "" // it is in the runs; the plan is the same otherwise
	found := baseline.Check(base, rec, baseline.Options{MinChange: float64(o.minChange), Confidence: baselineConfidence})
	if found.Err != nil {
		return fmt.Errorf("--baseline %s: %w", o.baseline, found.Err)
	}
	return o.conclude(baselineResult(o, found, rec), s)
}

// writeBaseline keeps the record, which must be one that a check could use.
func writeBaseline(path string, rec record.Record, s streams, quiet bool) error {
	if err := baseline.Validate(rec); err != nil {
		return fmt.Errorf("this run cannot be a baseline: %w", err)
	}
	if err := writeFile("--baseline", path, func(w io.Writer) error { return report.JSON(w, rec) }); err != nil {
		return err
	}
	if !quiet {
		fmt.Fprintf(s.err, "fitbench check: %s is the baseline of %d runs from now on\n", path, len(rec.Runs))
	}
	return nil
}

// baselineResult is what was found, in the form in which checks are shown.
func baselineResult(o checkOptions, found baseline.Result, rec record.Record) report.CheckResult {
	c := report.CheckResult{
		Title:   "this build against the baseline " + o.baseline,
		How:     fmt.Sprintf("%d rounds of %d steps at batch %d, kernel %s, %d threads", rec.Plan.Rounds, rec.Plan.TotalSteps(), rec.Plan.BatchSize, rec.Environment.Kernel, rec.Plan.Threads),
		Verdict: string(found.Verdict), Notes: found.Notes, Record: rec,
	}
	exact := 0
	for _, l := range found.Lines {
		if l.Verdict == baseline.Same && l.Low == nil && l.Note == "" && l.Figure != memoryFigure {
			exact++
			continue
		}
		c.Rows = append(c.Rows, baselineRow(l))
	}
	if exact > 0 {
		c.Notes = append([]string{fmt.Sprintf("%d exact counts (operations, bytes of tensors, bytes copied a step) are the same", exact)}, c.Notes...)
	}
	for _, r := range found.Ratios {
		c.Shown = append(c.Shown, report.CheckRow{Figure: r.Cell + ", times fit", Base: medianOf(r.Base.Median, r.Base.OK), Head: medianOf(r.Head.Median, r.Head.OK), Verdict: "shown only"})
	}
	return c
}

// memoryFigure is the figure of a line that is measured, not counted, though it has no interval.
const memoryFigure = "peak memory"

// baselineRow is a line in units that are easy to read.
func baselineRow(l baseline.Line) report.CheckRow {
	unit, factor := l.Unit, 1.0
	switch {
	case l.Figure == memoryFigure:
		unit, factor = "MB", 1e-6
	case l.Unit == "reference loops":
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

func medianOf(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}
