package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/summary"
)

// keepsSpeed is the most that a mode may take of fit's time a step to be said to keep its speed.
const keepsSpeed = 1.10

// clearlyLeaner is the share of another mode's peak memory below which a mode is said to be leaner still; less is the allocator's.
const clearlyLeaner = 0.95

// lean says which mode other than fit keeps fit's speed, and with how much less memory.
func (v view) lean() string {
	fit, ok := v.fit()
	if !ok {
		return ""
	}
	var others, keeping []summary.Cell
	complete := true
	for _, c := range v.cells {
		switch {
		case c.Mode == fit.Mode || c.Used == 0:
		case !usable(c):
			complete = false
		default:
			others = append(others, c)
			if c.TimesFit.Median <= keepsSpeed {
				keeping = append(keeping, c)
			}
		}
	}
	bySpeed := func(a, b summary.Cell) int { return cmp.Compare(a.TimesFit.Median, b.TimesFit.Median) }
	if len(keeping) > 0 {
		slices.SortStableFunc(keeping, bySpeed)
		return keeps(fit, keeping)
	}
	if len(others) == 0 || !complete {
		return ""
	}
	fastest := slices.MinFunc(others, bySpeed)
	return fmt.Sprintf("none of those run came within %.2f x fit: the fastest, %s, took %s x%s.",
		keepsSpeed, fastest.Cell, timesFit(fastest), memory(fit, fastest))
}

// keeps words the modes that keep fit's speed, the fastest first.
func keeps(fit summary.Cell, keeping []summary.Cell) string {
	best := keeping[0]
	text := fmt.Sprintf("%s: %s x fit%s.", best.Cell, timesFit(best), memory(fit, best))
	if x := best.TimesFit; x.HasSpread && x.Median*(1+x.Spread) > keepsSpeed {
		text += fmt.Sprintf(" The spread reaches over %.2f x: more --rounds would settle it.", keepsSpeed)
	}
	if leaner, ok := leanest(keeping); ok && leaner.Cell != best.Cell {
		text += fmt.Sprintf(" Leaner still: %s, %s x fit%s.", leaner.Cell, timesFit(leaner), memory(fit, leaner))
	}
	if len(keeping) > 1 {
		var also []string
		for _, c := range keeping[1:] {
			also = append(also, fmt.Sprintf("%s %s", c.Cell, timesFit(c)))
		}
		text += fmt.Sprintf(" Within %.2f x fit too: %s.", keepsSpeed, strings.Join(also, ", "))
	}
	return text
}

// leanest is the cell with the lowest peak, where it is clearly below the first cell's.
func leanest(cells []summary.Cell) (summary.Cell, bool) {
	least := cells[0]
	for _, c := range cells[1:] {
		if c.PeakRSSBytes.OK && least.PeakRSSBytes.OK && c.PeakRSSBytes.Median < least.PeakRSSBytes.Median {
			least = c
		}
	}
	clearly := least.PeakRSSBytes.Median < clearlyLeaner*cells[0].PeakRSSBytes.Median
	return least, least.PeakRSSBytes.OK && clearly
}

// timesFit is the ratio with two decimals, or three where two would put it on the wrong side of the limit.
func timesFit(c summary.Cell) string {
	x := c.TimesFit.Median
	if x > keepsSpeed && ratio(x) == ratio(keepsSpeed) {
		return fixed(x, 3)
	}
	return ratio(x)
}

// memory compares peaks, as a clause behind a comma; empty where one was not measured.
func memory(fit, c summary.Cell) string {
	if !fit.PeakRSSBytes.OK || !c.PeakRSSBytes.OK {
		return ""
	}
	a, b := fit.PeakRSSBytes.Median, c.PeakRSSBytes.Median
	if !(b > 0 && b < clearlyLeaner*a) {
		return fmt.Sprintf(", with no less memory (peak %s against %s MB)", inMegabytes(b), inMegabytes(a))
	}
	return fmt.Sprintf(", with %s less memory (peak %s against %s MB, %s times less)", megabytes(a-b), inMegabytes(b), inMegabytes(a), fixed(a/b, decimals(a/b, 2)))
}
