package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// quantity is a figure that cells and their runs have.
type quantity struct {
	// unit follows its values in texts.
	unit string
	// of is the figure of a cell, which scale brings to the unit; run is that of one run, nil where rounds are not shown.
	of    func(c summary.Cell) summary.Value
	scale float64
	run   func(r record.Run) *float64
}

func stepTime() quantity {
	return quantity{
		unit: "ms", scale: 1,
		of:  func(c summary.Cell) summary.Value { return c.StepMilliseconds },
		run: func(r record.Run) *float64 { return r.StepMilliseconds },
	}
}

func cpuLoad() quantity {
	return quantity{
		unit: "%", scale: 1,
		of:  func(c summary.Cell) summary.Value { return c.SteadyCPUPercent },
		run: func(r record.Run) *float64 { return r.SteadyCPUPercent },
	}
}

func peakMemory() quantity {
	return quantity{unit: "MB", scale: 1e-6, of: func(c summary.Cell) summary.Value { return c.PeakRSSBytes }}
}

// drawable tells whether a number has a place on an axis, a logarithmic one where it must be positive.
func drawable(v float64, logarithmic bool) bool {
	return v >= 0 && v <= largest && (!logarithmic || v >= 1/largest)
}

// largest bounds what is drawn: beyond it, figures are no times or sizes, and axes lose their ticks.
const largest = 1e12

// median is a cell's figure, if it can be drawn.
func (q quantity) median(c summary.Cell, logarithmic bool) (float64, bool) {
	v := q.of(c)
	x := v.Median * q.scale
	return x, v.OK && drawable(x, logarithmic)
}

// rounds are the figures of the finished runs of a cell: those in the median, and those left out of it since they were disturbed.
func (q quantity) rounds(c summary.Cell, runs []record.Run, logarithmic bool) (used, leftOut []float64) {
	if q.run == nil {
		return nil, nil
	}
	for _, r := range runs {
		if r.By() != c.Engine || r.BatchSize != c.BatchSize || r.Cell() != c.Cell || r.Error != "" {
			continue
		}
		v := q.run(r)
		switch {
		case v == nil || !drawable(*v*q.scale, logarithmic):
		case r.Disturbed && !c.UsedDisturbed:
			leftOut = append(leftOut, *v*q.scale)
		default:
			used = append(used, *v*q.scale)
		}
	}
	return used, leftOut
}

// said is a cell's figure with its rounds, in words.
func (q quantity) said(c summary.Cell, runs []record.Run) string {
	v, ok := q.median(c, false)
	if !ok {
		return "-"
	}
	used, leftOut := q.rounds(c, runs, false)
	var beside []string
	if len(used) > 1 {
		beside = append(beside, fmt.Sprintf("%d rounds, %s to %s %s", len(used), figure(slices.Min(used)), figure(slices.Max(used)), q.unit))
	}
	if len(leftOut) > 0 {
		beside = append(beside, fmt.Sprintf("%d disturbed, left out", len(leftOut)))
	}
	text := figure(v) + " " + q.unit
	if len(beside) > 0 {
		text += " (" + strings.Join(beside, "; ") + ")"
	}
	return text
}

// figure is a number with three significant digits, at most four of them behind the point.
func figure(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strconv.FormatFloat(v, 'f', min(max(digits, 0), 4), 64)
}

// shown are the cells that a picture of cells has: those of the plan and those that were run.
func shown(cells []summary.Cell) []summary.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c summary.Cell) bool { return !c.Planned && c.Runs == 0 })
}

// names tells how the cells are called where they stand together: with the engine where there are several.
func names(cells []summary.Cell) func(c summary.Cell) string {
	engines := slices.ContainsFunc(cells, func(c summary.Cell) bool { return c.Engine != cells[0].Engine })
	return func(c summary.Cell) string {
		if engines {
			return ascii(c.Cell.String() + " by " + c.Engine)
		}
		return ascii(c.Cell.String())
	}
}

// styles gives each mode of each engine a number, in their order.
func styles(cells []summary.Cell) func(c summary.Cell) style {
	var known [][2]string
	for _, c := range cells {
		if k := [2]string{c.Engine, c.Way()}; !slices.Contains(known, k) {
			known = append(known, k)
		}
	}
	return func(c summary.Cell) style {
		return style{number: slices.Index(known, [2]string{c.Engine, c.Way()}), other: c.Execution != "compiled"}
	}
}

// listed joins what is said of cells.
func listed(title string, items []string) string {
	return title + ": " + strings.Join(items, "; ") + "."
}
