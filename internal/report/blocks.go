package report

import (
	"slices"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// blocks lays the view out with one block a way, for lines that are too short for the table.
func (v view) blocks(groups []group, width int) ([]string, error) {
	var lines []string
	for _, way := range v.ways() {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, typeset.Wrap(v.title(way), "", "  ", width)...)
		block, err := v.block(way, groups, width)
		if err != nil {
			return nil, err
		}
		lines = append(lines, block...)
	}
	return lines, nil
}

// block is one way: a column an execution where that fits, else one execution below the other.
func (v view) block(way record.Cell, groups []group, width int) ([]string, error) {
	var shown []group
	for _, g := range groups {
		if c, ok := g.cell(way); ok && c.Runs > 0 {
			shown = append(shown, g)
		}
	}
	if len(shown) == 0 {
		return typeset.Wrap(notYet, "  ", "  ", width), nil
	}
	g := typeset.Grid{Gaps: []int{2}, Rows: [][]string{{""}}}
	for _, group := range shown {
		g.Gaps = append(g.Gaps, 2)
		g.Rows[0] = append(g.Rows[0], typeset.ASCII(group.execution))
	}
	columns := v.blockFigures()
	for i, f := range columns {
		row := []string{f.title}
		for _, group := range shown {
			c, _ := group.cell(way)
			row = append(row, texts(c, columns)[i])
		}
		if slices.ContainsFunc(row[1:], func(s string) bool { return s != "" }) {
			g.Rows = append(g.Rows, row)
		}
	}
	if g.Width() <= width {
		return g.Lines()
	}
	return stacked(g, width), nil
}

// stacked writes a block's columns one below the other, a figure a line.
func stacked(g typeset.Grid, width int) []string {
	var lines []string
	for column, execution := range g.Rows[0][1:] {
		lines = append(lines, typeset.Wrap(execution, " ", " ", width)...)
		for _, row := range g.Rows[1:] {
			lines = append(lines, typeset.Wrap(row[0]+" "+row[column+1], "  ", "    ", width)...)
		}
	}
	return lines
}

// blockFigures are the table's columns, the spread beside its step, and the peak memory.
func (v view) blockFigures() []figure {
	columns := v.columns()
	spread := figure{
		title: "spread",
		value: func(c summary.Cell) summary.Value {
			x := c.StepMilliseconds
			x.OK = x.HasSpread
			return x
		},
		text: func(_ summary.Cell, x summary.Value) string { return typeset.Percent(x.Spread) },
	}
	peak := figure{
		title: "peak memory",
		value: func(c summary.Cell) summary.Value { return c.PeakRSSBytes },
		text:  func(_ summary.Cell, x summary.Value) string { return typeset.Megabytes(x.Median) },
	}
	if v.hasSpread() {
		columns = slices.Insert(columns, 1, spread)
	}
	return append(columns, peak)
}
