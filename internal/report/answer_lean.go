package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// keepsSpeed is the most that a mode may take of fit's time a step to be said to keep its speed.
const keepsSpeed = 1.10

// standing is where a cell's times fit lies against keepsSpeed.
type standing int

const (
	undecided standing = iota // the spread of the rounds reaches over the limit
	keeps
	slower
)

func speed(c summary.Cell) standing {
	x := c.TimesFit
	switch {
	case x.Median+x.HalfRange() <= keepsSpeed:
		return keeps
	case x.Median-x.HalfRange() > keepsSpeed:
		return slower
	}
	return undecided
}

// candidates are the lean cells by what can be said of them.
type candidates struct {
	byStanding [slower + 1][]summary.Cell
	unjudged   []string
}

// candidates sorts the cells of other modes than fit, each kind by speed.
func (v view) candidates(fit summary.Cell) candidates {
	var k candidates
	for _, c := range v.cells {
		switch {
		case c.Mode == fit.Mode || c.Used == 0:
		case !usable(c):
			k.unjudged = append(k.unjudged, c.Cell.String())
		default:
			s := speed(c)
			k.byStanding[s] = append(k.byStanding[s], c)
		}
	}
	for _, cells := range k.byStanding {
		slices.SortStableFunc(cells, func(a, b summary.Cell) int { return cmp.Compare(a.TimesFit.Median, b.TimesFit.Median) })
	}
	return k
}

// lean says which mode other than fit keeps fit's speed, with how much less memory, and why the others were not named.
func (v view) lean() string {
	fit, ok := v.fit()
	if !ok {
		return ""
	}
	text := v.candidates(fit).told(fit.Mode, func(fastest summary.Cell) string {
		return fmt.Sprintf("%s: %s x fit%s.", fastest.Cell, timesFit(fastest), memory(fit, fastest))
	})
	if text == "" {
		return ""
	}
	return text + oneRound(fit)
}

// told says what can be said of each candidate, the fastest first, in words of its own; fit is what their times are multiples of. It is
// empty where none could be judged.
func (k candidates) told(fit string, fastest func(summary.Cell) string) string {
	keeping := k.byStanding[keeps]
	var parts []string
	switch {
	case len(keeping) > 0:
		tied, rest := ties(keeping)
		parts = append(parts, fastest(tied[0]))
		parts = add(parts, "As fast within the spread of the rounds", tied[1:])
		parts = add(parts, fmt.Sprintf("Slower than that, but within %.2f x %s", keepsSpeed, fit), rest)
	case len(k.byStanding[undecided]) == 0 && len(k.byStanding[slower]) == 0:
		return ""
	case len(k.byStanding[undecided]) == 0 && len(k.unjudged) == 0:
		parts = append(parts, fmt.Sprintf("none of those run came within %.2f x %s.", keepsSpeed, fit))
	default:
		parts = append(parts, fmt.Sprintf("none of those run is sure to keep within %.2f x %s.", keepsSpeed, fit))
	}
	parts = add(parts, fmt.Sprintf("Undecided, since the spread of the rounds reaches over %.2f x", keepsSpeed), k.byStanding[undecided])
	parts = add(parts, "Slower", k.byStanding[slower])
	if len(k.unjudged) > 0 {
		parts = append(parts, fmt.Sprintf("Not judged, see the warning: %s.", strings.Join(k.unjudged, ", ")))
	}
	return strings.Join(parts, " ")
}

// ties are the cells that the fastest is not apart from, and the others. The first of the ties is the fastest among the leanest.
func ties(cells []summary.Cell) (tied, rest []summary.Cell) {
	least := math.Inf(1)
	for _, c := range cells {
		if c.StepMilliseconds.ApartFrom(cells[0].StepMilliseconds) {
			rest = append(rest, c)
			continue
		}
		tied = append(tied, c)
		if c.PeakRSSBytes.OK {
			least = min(least, c.PeakRSSBytes.Median)
		}
	}
	leanest := slices.IndexFunc(tied, func(c summary.Cell) bool {
		return c.PeakRSSBytes.OK && alikeMemory(c.PeakRSSBytes.Median, least)
	})
	if leanest > 0 {
		c := tied[leanest]
		tied = slices.Insert(slices.Delete(tied, leanest, leanest+1), 0, c)
	}
	return tied, rest
}

// add appends a sentence that lists cells with their figures, where there are any.
func add(parts []string, title string, cells []summary.Cell) []string {
	if len(cells) == 0 {
		return parts
	}
	var items []string
	for _, c := range cells {
		item := fmt.Sprintf("%s %s x", c.Cell, timesFit(c))
		if c.PeakRSSBytes.OK {
			item += fmt.Sprintf(" (%s)", typeset.Megabytes(c.PeakRSSBytes.Median))
		}
		items = append(items, item)
	}
	return append(parts, fmt.Sprintf("%s: %s.", title, strings.Join(items, ", ")))
}

// timesFit is the ratio with two decimals, or three where two would put it on the wrong side of the limit.
func timesFit(c summary.Cell) string {
	x := c.TimesFit.Median
	if x > keepsSpeed && typeset.Ratio(x) == typeset.Ratio(keepsSpeed) {
		return typeset.Fixed(x, 3)
	}
	return typeset.Ratio(x)
}

// memory compares peaks, as a clause behind a comma; empty where one was not measured.
func memory(fit, c summary.Cell) string {
	if !fit.PeakRSSBytes.OK || !c.PeakRSSBytes.OK || !(fit.PeakRSSBytes.Median > 0) || !(c.PeakRSSBytes.Median > 0) {
		return ""
	}
	return ", with " + lessMemory(fit.PeakRSSBytes.Median, c.PeakRSSBytes.Median)
}

// Peaks are about the same within alikeShare of each other, which is the allocator's; from fractionFrom times on the smaller is
// shown as a fraction of the larger.
const (
	alikeShare   = 0.05
	fractionFrom = 4
)

func alikeMemory(a, b float64) bool { return max(a, b) <= min(a, b)*(1+alikeShare) }

// lessMemory says how a peak compares with fit's.
func lessMemory(fit, peak float64) string {
	figures := fmt.Sprintf("peak %s", against(peak, fit))
	switch {
	case alikeMemory(fit, peak):
		return fmt.Sprintf("about the same memory (%s)", figures)
	case peak > fit:
		return fmt.Sprintf("more memory (%s)", figures)
	case fit/peak >= fractionFrom:
		return fmt.Sprintf("1/%s of its memory (%s)", typeset.Fixed(fit/peak, 0), figures)
	}
	return fmt.Sprintf("%s of its memory (%s)", typeset.Percent(peak/fit), figures)
}

// against is two peaks in MB, with enough digits to tell them apart where they are close.
func against(a, b float64) string {
	significant := 2
	if max(a, b) < 2*min(a, b) {
		significant = 3
	}
	digits := typeset.Decimals(min(a, b)/typeset.Megabyte, significant)
	return fmt.Sprintf("%s against %s MB", typeset.Fixed(a/typeset.Megabyte, digits), typeset.Fixed(b/typeset.Megabyte, digits))
}
