package report

import (
	"slices"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// view is a record and its summary, as the table and the answer look at it: the cells of one engine and batch size. Those of another
// engine get a table of their own; nothing is concluded across engines.
type view struct {
	rec   record.Record
	sum   summary.Summary
	cells []summary.Cell
}

// viewsOf condenses the record and looks at each engine and batch size in it, the first run's first. There is always one.
func viewsOf(rec record.Record) []view {
	sum := summary.Of(rec)
	var views []view
	for _, c := range sum.Cells {
		i := slices.IndexFunc(views, func(v view) bool {
			return v.cells[0].Engine == c.Engine && v.cells[0].BatchSize == c.BatchSize
		})
		if i < 0 {
			i = len(views)
			views = append(views, view{rec: of(rec, c.Engine, c.BatchSize), sum: sum})
		}
		views[i].cells = append(views[i].cells, c)
	}
	if len(views) == 0 {
		return []view{{rec: rec, sum: sum}}
	}
	for i := range views {
		views[i].takeTimesFit()
	}
	return views
}

// fitCell is the one that times fit are taken to: fit@compiled or, where that was not run, fit@eager.
func (v view) fitCell() summary.Cell {
	for _, execution := range executions() {
		if c, _ := v.conclusive("fit", execution); c.Runs > 0 {
			return c
		}
	}
	return summary.Cell{Cell: summary.Reference()}
}

// takeTimesFit takes them to fitCell, where the summary could not take them to fit@compiled.
func (v view) takeTimesFit() {
	fit := v.fitCell()
	if fit.Cell == summary.Reference() {
		return
	}
	for i := range v.cells {
		c := &v.cells[i]
		c.TimesFit, c.TimesFitConclusive = c.StepMilliseconds.Over(fit.StepMilliseconds), c.Conclusive && fit.Conclusive
	}
}

// of is the part of a record that one engine and batch size have.
func of(rec record.Record, engine string, batchSize int) record.Record {
	runs := make([]record.Run, 0, len(rec.Runs))
	for _, r := range rec.Runs {
		if r.By() == engine && r.BatchSize == batchSize {
			runs = append(runs, r)
		}
	}
	rec.Plan, rec.Runs = rec.Plan.At(max(batchSize, 1)), runs
	return rec
}
