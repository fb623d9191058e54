package stats

import (
	"math"
	"slices"
)

// A point speaks against a line where its relative residual is beyond MaxResidual and also beyond ResidualSpreads times the relative
// spread of its own measurements: a difference that does not matter, or that may be noise, is no reason to doubt the line.
const (
	MaxResidual     = 0.10
	ResidualSpreads = 3
)

// LineRange is a range of neighbouring sizes.
type LineRange struct {
	// First and Last are the smallest and the largest size of the range, Points the number of sizes in it.
	First, Last float64
	Points      int
	// Line fits every point of the range; it is nil where the range is a single size.
	Line *Line
}

// LineRanges divides the sizes x into ranges on each of which one line fits the values y: a single range where one line fits them
// all. No point of a range speaks against its line, where spread holds the points' relative spreads as RelativeSpread gives them, 0
// for one that is not known; nil where none is. There are as few ranges as possible, then as many sizes as possible in ranges of three
// or more, then the smallest sum of squared relative residuals. A range of two sizes fits always and so proves nothing: its line has
// no quality.
//
// It is false where there are fewer than two sizes, where x is not in ascending order without repeats, where the lengths differ, and
// where FitLine would refuse a value.
func LineRanges(x, y, spread []float64) ([]LineRange, bool) {
	if spread == nil {
		spread = make([]float64, len(x))
	}
	if len(x) < 2 || len(spread) != len(x) || !ascending(x) || !finite(spread) {
		return nil, false
	}
	if _, ok := FitLine(x, y); !ok {
		return nil, false
	}
	best := make([]division, len(x)+1) // best[n] divides the first n points
	for end := 1; end <= len(x); end++ {
		for start := range end {
			r, squares, ok := rangeOf(x[start:end], y[start:end], spread[start:end])
			if !ok {
				continue
			}
			if d := best[start].with(r, squares); best[end].ranges == nil || d.before(best[end]) {
				best[end] = d
			}
		}
	}
	return best[len(x)].ranges, true
}

func ascending(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i-1] < x[i]) {
			return false
		}
	}
	return true
}

// rangeOf is one range over all these points, with the sum of its squared relative residuals; false where no line fits them.
func rangeOf(x, y, spread []float64) (r LineRange, squares float64, ok bool) {
	r = LineRange{First: x[0], Last: x[len(x)-1], Points: len(x)}
	if len(x) == 1 {
		return r, 0, true
	}
	line, ok := FitLine(x, y)
	if !ok {
		return r, 0, false
	}
	r.Line = &line
	if len(x) == 2 {
		return r, 0, true
	}
	for i := range x {
		residual := math.Abs(y[i]-line.At(x[i])) / y[i]
		if residual > max(MaxResidual, ResidualSpreads*spread[i]) {
			return r, 0, false
		}
		squares += residual * residual
	}
	return r, squares, true
}

// division is a way to divide the first points into ranges.
type division struct {
	ranges  []LineRange
	tested  int // points in ranges whose line could have failed to fit
	squares float64
}

func (d division) with(r LineRange, squares float64) division {
	longer := division{append(slices.Clone(d.ranges), r), d.tested, d.squares + squares}
	if r.Points > 2 {
		longer.tested += r.Points
	}
	return longer
}

func (d division) before(e division) bool {
	if len(d.ranges) != len(e.ranges) {
		return len(d.ranges) < len(e.ranges)
	}
	if d.tested != e.tested {
		return d.tested > e.tested
	}
	return d.squares < e.squares
}
