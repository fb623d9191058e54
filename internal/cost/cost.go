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
	// TimesFit are the measured ratios to fit@compiled at the sizes, in their order; one without OK was not measured.
	TimesFit []summary.Value
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
		m.Sizes, m.TimesFit = append(m.Sizes, c.BatchSize), append(m.TimesFit, c.TimesFit)
		x, y = append(x, float64(c.BatchSize)), append(y, c.StepMilliseconds.Median)
		spread = append(spread, c.StepMilliseconds.Spread)
	}
	if m.Line, m.OK = stats.FitLine(x, y); m.OK {
		m.Ranges, _ = stats.LineRanges(x, y, spread)
	}
	return m
}

// Closeness is from which batch size on a mode is near another.
type Closeness int

// What can be said of it.
const (
	// Unknown: there are not two models to hold against each other.
	Unknown Closeness = iota
	// FromSize: from a size on, up to the largest measured one.
	FromSize
	// Never: at no size of the measured range.
	Never
	// Disagreeing: the models do not tell, or the measured sizes say otherwise than they.
	Disagreeing
)

// Within is the smallest batch size from which on m is less than share (0.10 for 10 %) slower than base, up to the largest size that
// both have. It is claimed only where one line fits each of the two, none of whose sizes is further from it than that share, and where
// every measured size agrees.
func (m Model) Within(base Model, share float64) (size int, c Closeness) {
	if !m.OK || !base.OK {
		return 0, Unknown
	}
	smallest := max(m.Sizes[0], base.Sizes[0])
	largest := min(m.Sizes[len(m.Sizes)-1], base.Sizes[len(base.Sizes)-1])
	if smallest >= largest {
		return 0, Unknown
	}
	if !m.fitsWithin(share) || !base.fitsWithin(share) || !(base.Line.At(float64(smallest)) > 0) {
		return 0, Disagreeing
	}
	size, ok := stats.GapUnder(base.Line, m.Line, share, smallest, largest)
	if !ok {
		size = largest + 1
	}
	for i, n := range m.Sizes {
		if x := m.TimesFit[i]; x.OK && n <= largest && (x.Median < 1+share) != (n >= size) {
			return 0, Disagreeing
		}
	}
	if !ok {
		return 0, Never
	}
	return size, FromSize
}

// fitsWithin tells whether one line fits all sizes, none of which is further from it than that share.
func (m Model) fitsWithin(share float64) bool {
	return m.Fits() && m.Line.Quality.LargestResidual < share
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
