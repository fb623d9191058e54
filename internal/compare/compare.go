// Package compare holds records against records: cell by cell the medians of two, the change between them with its interval, and
// before that in what their machines and their work differ, and which figures can be compared in spite of it. What cannot be
// compared is not shown as a change. It measures nothing, and passes no verdict: a verdict needs a rule that was set before.
package compare

import (
	"io/fs"
	"math"
	"os"
	"reflect"
	"slices"

	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// Confidence is that of the interval of each change by itself.
const Confidence = 0.95

// Side is a record with the name that it is shown under.
type Side struct {
	Name   string
	Record record.Record
	// File is what the file system says of the record's file, nil where there is none.
	File fs.FileInfo
}

// Comparison is what two records have in common and in what they differ.
type Comparison struct {
	Base, Head Side
	// SameFile tells that both are one file, SameRecord that they hold the same.
	SameFile, SameRecord bool
	Environments, Plans  []Difference
	// Obstacles are what keeps figures of a kind from being compared; empty where they can be.
	Obstacles map[Kind][]Difference
	// Cells are those that are in both records, in the base's order; OnlyBase and OnlyHead name the others.
	Cells              []Cell
	OnlyBase, OnlyHead []string
}

// Cell is a cell of both records.
type Cell struct {
	// Name names the cell, with its batch size and its engine where there are several.
	Name       string
	Base, Head summary.Cell
	baseRuns   []record.Run
	headRuns   []record.Run
}

// Of compares two records.
func Of(base, head Side) Comparison {
	c := Comparison{
		Base: base, Head: head,
		SameFile:     base.File != nil && head.File != nil && os.SameFile(base.File, head.File),
		SameRecord:   reflect.DeepEqual(base.Record, head.Record),
		Environments: Environments(base.Record, head.Record),
		Plans:        Plans(base.Record, head.Record),
		Obstacles:    map[Kind][]Difference{},
	}
	for _, k := range Kinds() {
		c.Obstacles[k] = Obstacles(k, base.Record, head.Record)
	}
	c.match(summary.Of(base.Record), summary.Of(head.Record))
	return c
}

// match pairs the cells of both that have the same engine, batch size, mode and execution. A cell that was planned and not run is in
// neither.
func (c *Comparison) match(base, head summary.Summary) {
	notRun := func(c summary.Cell) bool { return c.Runs == 0 }
	base.Cells, head.Cells = slices.DeleteFunc(base.Cells, notRun), slices.DeleteFunc(head.Cells, notRun)
	name := namer(slices.Concat(base.Cells, head.Cells))
	for _, b := range base.Cells {
		h, ok := head.Find(b.Engine, b.BatchSize, b.Cell)
		if !ok {
			c.OnlyBase = append(c.OnlyBase, name(b))
			continue
		}
		c.Cells = append(c.Cells, Cell{
			Name: name(b), Base: b, Head: h,
			baseRuns: summary.UsedRuns(c.Base.Record, b), headRuns: summary.UsedRuns(c.Head.Record, h),
		})
	}
	for _, h := range head.Cells {
		if _, ok := base.Find(h.Engine, h.BatchSize, h.Cell); !ok {
			c.OnlyHead = append(c.OnlyHead, name(h))
		}
	}
}

// namer names cells, each with its batch size and its engine where these are not the same for all.
func namer(all []summary.Cell) func(summary.Cell) string {
	sizes := slices.ContainsFunc(all, func(c summary.Cell) bool { return c.BatchSize != all[0].BatchSize })
	engines := slices.ContainsFunc(all, func(c summary.Cell) bool { return c.Engine != all[0].Engine })
	return func(c summary.Cell) string {
		s := c.Cell.String()
		if sizes {
			s += ", batch " + typeset.Integer(c.BatchSize)
		}
		if engines {
			s += ", " + typeset.ASCII(c.Engine)
		}
		return s
	}
}

// Change is a figure of a cell in both records.
type Change struct {
	Base, Head summary.Value
	// Ratio is head over base as estimated from all pairs of rounds, with the interval from Low to High where there is one; valid only
	// with OK, which takes a positive figure in both.
	Ratio, Low, High float64
	HasInterval, OK  bool
}

// change compares one figure over the rounds of both.
func (c Cell) change(f figure) Change {
	out := Change{Base: f.value(c.Base), Head: f.value(c.Head)}
	base, head := logs(c.baseRuns, f.of), logs(c.headRuns, f.of)
	s, ok := stats.ShiftBetween(base, head, Confidence)
	if !ok || len(base) != out.Base.N || len(head) != out.Head.N {
		return out
	}
	out.Ratio, out.OK = math.Exp(s.Estimate), true
	out.Low, out.High, out.HasInterval = math.Exp(s.Low), math.Exp(s.High), s.HasInterval
	return out
}

// logs are the logarithms of a figure over the runs that measured it. What is not positive has none, and makes the list shorter.
func logs(runs []record.Run, of func(record.Run) *float64) []float64 {
	var x []float64
	for _, r := range runs {
		if v := of(r); v != nil && *v > 0 && !math.IsInf(*v, 0) {
			x = append(x, math.Log(*v))
		}
	}
	return x
}
