package report

import (
	"fmt"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// facts are the figures that other load hardly touches, peak memory and counts. They are said where the conclusions about time, which
// show them too, could not be drawn.
func (v view) facts(drawn bool) []Line {
	var all []statement
	if !drawn || v.lean() == "" {
		all = append(all, statement{"Memory", v.memoryFact})
	}
	if _, ok := v.gap(); !drawn || !ok {
		all = append(all, statement{"Operations", v.countsFact})
	}
	return stated(all)
}

// memoryFact compares fit's peak with the leanest mode's.
func (v view) memoryFact() string {
	fit, ok := v.peaked(func(c summary.Cell) bool { return c.Cell == summary.Reference() })
	if !ok {
		return ""
	}
	lean, ok := v.peaked(func(c summary.Cell) bool { return c.Mode != fit.Mode })
	if !ok {
		return ""
	}
	text := fmt.Sprintf("beside %s, %s took %s", fit.Cell, lean.Cell,
		lessMemory(fit.PeakRSSBytes.Median, lean.PeakRSSBytes.Median))
	if fit.FeedBytes.OK && fit.FeedBytes.Median > 0 {
		text += fmt.Sprintf("; fit's array holds %s", typeset.Megabytes(fit.FeedBytes.Median))
	}
	return text + ". Other load hardly changes that."
}

// peaked is the cell with the lowest peak among those.
func (v view) peaked(among func(summary.Cell) bool) (least summary.Cell, ok bool) {
	for _, c := range v.cells {
		if among(c) && c.PeakRSSBytes.OK && c.PeakRSSBytes.Median > 0 && (!ok || c.PeakRSSBytes.Median < least.PeakRSSBytes.Median) {
			least, ok = c, true
		}
	}
	return least, ok
}

// countsFact is what an eager step does, counted.
func (v view) countsFact() string {
	for _, c := range v.cells {
		if text := counts(c); c.Execution == "eager" && text != "" {
			return "counted, so that other load does not change them." + text
		}
	}
	return ""
}
