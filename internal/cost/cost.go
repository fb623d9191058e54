// Package cost describes how the time of a step goes with the batch size: as a cost a step and a cost a sample, of each mode that a
// sweep has measured at several sizes. It claims nothing of sizes outside the measured range, and prints nothing.
package cost

import (
	"slices"

	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/summary"
)

// Model is one mode's cost under one engine: ms a step = Intercept + Slope x batch size.
type Model struct {
	record.Cell
	Engine string
	// Sizes are the batch sizes that it rests on, ascending: those at which the cell is conclusive.
	Sizes []int
	// Line is over all of them; meaningless without OK, which takes two sizes. With two it has no quality.
	Line stats.Line
	OK   bool
	// Ranges are the ranges of sizes on each of which one line fits: a single one where the line fits all.
	Ranges []stats.LineRange
}

// Fits tells whether one line fits all sizes, and that was put to the test: it takes three.
func (m Model) Fits() bool { return m.OK && len(m.Sizes) > 2 && len(m.Ranges) == 1 }

// Models are those of all cells with a conclusive time at any size, in the summary's order.
func Models(sum summary.Summary) []Model {
	var models []Model
	for i, c := range sum.Cells {
		seen := slices.ContainsFunc(sum.Cells[:i], func(d summary.Cell) bool { return d.Cell == c.Cell && d.Engine == c.Engine })
		if seen {
			continue
		}
		if m := modelOf(sum, c); len(m.Sizes) > 0 {
			models = append(models, m)
		}
	}
	return models
}

// modelOf lays the line through the medians of a cell at all sizes.
func modelOf(sum summary.Summary, of summary.Cell) Model {
	m := Model{Cell: of.Cell, Engine: of.Engine}
	points := slices.DeleteFunc(slices.Clone(sum.Cells), func(c summary.Cell) bool {
		return c.Cell != of.Cell || c.Engine != of.Engine || !c.Conclusive || !c.StepMilliseconds.OK
	})
	slices.SortFunc(points, func(a, b summary.Cell) int { return a.BatchSize - b.BatchSize })
	var x, y, spread []float64
	for _, c := range points {
		m.Sizes = append(m.Sizes, c.BatchSize)
		x, y = append(x, float64(c.BatchSize)), append(y, c.StepMilliseconds.Median)
		spread = append(spread, c.StepMilliseconds.Spread)
	}
	if m.Line, m.OK = stats.FitLine(x, y); m.OK {
		m.Ranges, _ = stats.LineRanges(x, y, spread)
	}
	return m
}

// Within is the smallest batch size from which on m is less than share (0.10 for 10 %) slower than base, up to the largest size that
// both have; never tells that there is none. told is false where the models cannot tell: one of them fits no single line, or they have
// no range of sizes in common.
func (m Model) Within(base Model, share float64) (size int, never, told bool) {
	if !m.Fits() || !base.Fits() {
		return 0, false, false
	}
	smallest := max(m.Sizes[0], base.Sizes[0])
	largest := min(m.Sizes[len(m.Sizes)-1], base.Sizes[len(base.Sizes)-1])
	if smallest >= largest || !(base.Line.At(float64(smallest)) > 0) {
		return 0, false, false
	}
	size, ok := stats.GapUnder(base.Line, m.Line, share, smallest, largest)
	return size, !ok, true
}

// Find is the model of a cell under an engine.
func Find(models []Model, engine string, cell record.Cell) (Model, bool) {
	for _, m := range models {
		if m.Engine == engine && m.Cell == cell {
			return m, true
		}
	}
	return Model{}, false
}
