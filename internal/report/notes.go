package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/summary"
)

// notes explain how the figures above them are meant, only those that occur there.
func (v view) notes(inTable bool, width int) []string {
	some := func(is func(c summary.Cell) bool) bool { return slices.ContainsFunc(v.cells, is) }
	var notes []string
	if some(func(c summary.Cell) bool { return c.EpochComputed && c.EpochSeconds.OK }) {
		steps := v.rec.Plan.Samples / v.cells[0].BatchSize
		notes = append(notes, fmt.Sprintf("~ is computed from the steady state: ms/step times the %s of an epoch.", counted(steps, "step")))
	}
	if some(func(c summary.Cell) bool { return c.TimesFit.OK }) {
		notes = append(notes, "x fit: ratio of the medians to "+summary.Reference().String()+".")
	}
	notes = append(notes, fmt.Sprintf("CPU: 100 %% is one core of %d.", v.rec.Environment.UsableCores))
	if inTable && v.ranTwice() {
		notes = append(notes, "Peak memory: compiled / eager.")
	}
	if some(func(c summary.Cell) bool { return c.StepMilliseconds.HasSpread }) {
		notes = append(notes, spreadNote(inTable))
	}
	if some(func(c summary.Cell) bool { return c.Used > 0 && !c.Conclusive }) {
		notes = append(notes, "* disturbed runs are in this figure, see the warning.")
	}
	return wrap(strings.Join(notes, " "), "", "", width)
}

// spreadNote defines the spread, of which a table has room for one a column.
func spreadNote(inTable bool) string {
	if inTable {
		return "Spread: half the range of the rounds over their median, of the mode where it is widest."
	}
	return "Spread: half the range of the rounds over their median."
}

// ranTwice tells whether a mode ran under more than one execution.
func (v view) ranTwice() bool {
	runs := map[string]int{}
	for _, c := range v.cells {
		if c.Runs > 0 {
			runs[c.Mode]++
		}
		if runs[c.Mode] > 1 {
			return true
		}
	}
	return false
}

// caption names the view where a record holds several.
func (v view) caption(width int) []string {
	c := v.cells[0]
	return wrap(fmt.Sprintf("engine %s, batch %s", ascii(c.Engine), integer(c.BatchSize)), "", "  ", width)
}

// failed lists the runs that ended with an error.
func failed(failures []summary.Failure, width int) []string {
	var lines []string
	for _, f := range failures {
		rounds := make([]string, len(f.Rounds))
		for i, r := range f.Rounds {
			rounds[i] = fmt.Sprint(r)
		}
		noun := "round"
		if len(rounds) > 1 {
			noun = "rounds"
		}
		text := fmt.Sprintf("FAILED %s, %s %s: %s", ascii(f.Cell.String()), noun, strings.Join(rounds, ", "), ascii(f.Error))
		lines = append(lines, wrap(text, "", "  ", width)...)
	}
	return lines
}
