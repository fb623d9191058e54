// Package summary condenses a record into one set of figures a cell: medians over its rounds and how far the rounds lie apart. It
// decides which runs count, and carries its doubts as warnings beside the figures. It prints nothing and judges no differences.
package summary

import (
	"math"

	"fitbench/internal/record"
	"fitbench/internal/stats"
)

// MinUndisturbed is the number of undisturbed rounds of a cell from which on its disturbed ones are left out of the medians.
const MinUndisturbed = 3

// MaxSpread is the widest spread of a step over the rounds with which a conclusion may rest on a cell.
const MaxSpread = 0.25

// Summary is a record, condensed.
type Summary struct {
	// Cells holds the planned cells in the plan's order, run or not, then cells that were run unplanned; all of that once for every
	// engine and batch size in the record, in the order in which they come.
	Cells    []Cell
	Failures []Failure
	Warnings []Warning
}

// Cell is one cell of the comparison under one engine and batch size.
type Cell struct {
	record.Cell
	// Engine is empty where no run says it.
	Engine    string
	BatchSize int
	// Label names the cell, with its batch size and its engine where the record has several.
	Label string
	// Feed is empty where no run says it.
	Feed string

	// Injected is work that was added to runs of the cell on purpose; empty for none.
	Injected string

	// Planned tells whether the plan names the cell.
	Planned bool
	// Runs is the number of runs in the record; Failed of them have an error; among the others, Disturbed are the disturbed ones and
	// Unwatched those for which other load could not be measured; Used are those in the medians.
	Runs, Failed, Disturbed, Unwatched, Used int
	// GivenUp tells that the cell's last two runs failed and that rounds are left in which it was not tried again.
	GivenUp bool
	// UsedDisturbed tells that disturbed runs had to be used, Scattered that the spread of the step is over MaxSpread.
	UsedDisturbed, Scattered bool
	// Conclusive tells whether a conclusion about time may rest on the cell: a run finished, neither of the two doubts applies, and nothing
	// was injected.
	Conclusive bool

	StepMilliseconds Value
	// InputWaitMilliseconds is the median wait for the batch alone, a part of StepMilliseconds.
	InputWaitMilliseconds Value
	// WaitMeanMilliseconds and ComputeMeanMilliseconds are means over all steps of a run, in ms a step: the wait for the batch, and
	// the step without it. Unlike medians they add up, and so bound what can be won.
	WaitMeanMilliseconds    Value
	ComputeMeanMilliseconds Value
	SteadyCPUPercent        Value
	// EpochSeconds is the wall time of all trained epochs where the plan is in epochs. Otherwise EpochComputed is true, and it is
	// the time of one epoch: the median step times the steps of an epoch.
	EpochSeconds  Value
	EpochComputed bool
	// TimesFit is the median step divided by the median step of fit@compiled under the same engine and batch size; its spread is
	// the sum of the two spreads. It is absent without that cell. TimesFitConclusive tells whether both cells are conclusive.
	TimesFit           Value
	TimesFitConclusive bool

	// ImportSeconds is how long the engine took to load what it trains with, FirstStepSeconds the first step or execution, in which
	// frameworks trace and compile.
	ImportSeconds    Value
	FirstStepSeconds Value

	BuildSeconds Value
	PeakRSSBytes Value
	FeedBytes    Value

	OpsPerStep         Value
	TensorBytesPerStep Value
	CopiedBytesPerStep Value
	Split              Split

	Loss     Value
	Accuracy Value
	// ClassOneShare is the share of the samples that are of class 1, 0 to 1.
	ClassOneShare Value
}

// Split is where the time of an eager step goes, in milliseconds a step.
type Split struct{ Dispatch, Allocation, Casts, Arithmetic Value }

// Value is one figure of a cell over its rounds. The zero Value is one that was not measured.
type Value struct {
	Median float64
	// Spread is stats.RelativeSpread, 0.02 for 2 %; valid only with HasSpread, which takes two rounds.
	Spread    float64
	HasSpread bool
	// N is the number of rounds that measured it.
	N  int
	OK bool
}

// valueOf is the median and the spread of x; absent where that is no finite number.
func valueOf(x []float64) Value {
	median, ok := stats.Median(x)
	if !ok || math.IsInf(median, 0) {
		return Value{}
	}
	spread, has := stats.RelativeSpread(x)
	return Value{Median: median, Spread: spread, HasSpread: has, N: len(x), OK: true}
}

// times is v scaled by a factor that is exact; its relative spread stays.
func (v Value) times(factor float64) Value {
	v.Median *= factor
	return v
}

// Over is the ratio of two medians. Its spread is the sum of both: the two may deviate in opposite directions.
func (v Value) Over(base Value) Value {
	if !v.OK || !base.OK || !(base.Median > 0) {
		return Value{}
	}
	return Value{
		Median: v.Median / base.Median, OK: true, N: min(v.N, base.N),
		Spread: v.Spread + base.Spread, HasSpread: v.HasSpread && base.HasSpread,
	}
}

// HalfRange is the spread in the figure's own unit, 0 where it is unknown.
func (v Value) HalfRange() float64 { return math.Abs(v.Median) * v.Spread }

// ApartFrom tells whether two figures differ by more than their spreads together; what does not is undecided. An unknown spread is
// taken as 0: one round shows no spread, and that must be said beside the comparison.
func (v Value) ApartFrom(w Value) bool {
	return v.OK && w.OK && math.Abs(v.Median-w.Median) > v.HalfRange()+w.HalfRange()
}

// Reference is the cell that times fit is taken against.
func Reference() record.Cell { return record.Cell{Mode: "fit", Execution: "compiled"} }

// Of condenses a record.
func Of(rec record.Record) Summary {
	var s Summary
	all := keys(rec)
	for _, k := range all {
		c := cellOf(rec, k)
		c.Label = k.label(all)
		s.Cells = append(s.Cells, c)
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if fit, ok := s.Find(c.Engine, c.BatchSize, Reference()); ok {
			c.TimesFit = c.StepMilliseconds.Over(fit.StepMilliseconds)
			c.TimesFitConclusive = c.Conclusive && fit.Conclusive
		}
	}
	s.Failures = Failures(rec)
	s.Warnings = warnings(s.Cells)
	return s
}

// Find is the cell of that name under one engine and batch size.
func (s Summary) Find(engine string, batchSize int, name record.Cell) (Cell, bool) {
	for _, c := range s.Cells {
		if c.Engine == engine && c.BatchSize == batchSize && c.Cell == name {
			return c, true
		}
	}
	return Cell{}, false
}
