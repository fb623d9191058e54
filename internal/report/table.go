package report

import (
	"slices"
	"strings"

	"fitbench/internal/summary"
)

// group is the cells of one execution, which the table shows side by side in one group of columns.
type group struct {
	execution string
	title     string
	cells     []summary.Cell
}

// groups are the executions that were run, compiled first, eager second.
func (v view) groups() []group {
	all := []group{{execution: "compiled", title: "compiled step"}, {execution: "eager", title: "eager step (op by op)"}}
	for _, c := range v.cells {
		i := slices.IndexFunc(all, func(g group) bool { return g.execution == c.Execution })
		if i < 0 {
			i = len(all)
			all = append(all, group{execution: c.Execution, title: ascii(c.Execution) + " step"})
		}
		all[i].cells = append(all[i].cells, c)
	}
	return slices.DeleteFunc(all, func(g group) bool {
		return !slices.ContainsFunc(g.cells, func(c summary.Cell) bool { return c.Runs > 0 })
	})
}

// cell is the group's cell of a mode.
func (g group) cell(mode string) (summary.Cell, bool) {
	for _, c := range g.cells {
		if c.Mode == mode {
			return c, true
		}
	}
	return summary.Cell{}, false
}

// figure is one column of a group.
type figure struct {
	title string
	// text is the figure of a cell in which it was measured.
	value func(c summary.Cell) summary.Value
	text  func(c summary.Cell, v summary.Value) string
	// spread tells whether the figure's spread over rounds is shown.
	spread bool
}

// of is the cell's figure, a dash where it was not measured.
func (f figure) of(c summary.Cell) string {
	v := f.value(c)
	if !v.OK {
		return absent
	}
	return f.text(c, v)
}

// step is the figure that stands for a whole cell: where it failed, that is said here, and a doubtful one has its mark here.
func (v view) step() figure {
	digits := v.stepDecimals()
	return figure{
		title: "ms/step", spread: true,
		value: func(c summary.Cell) summary.Value {
			if c.Used == 0 && c.Failed > 0 {
				return summary.Value{OK: true}
			}
			return c.StepMilliseconds
		},
		text: func(c summary.Cell, x summary.Value) string {
			switch {
			case c.Used == 0:
				return "failed"
			case !c.Conclusive:
				return "*" + fixed(x.Median, digits)
			}
			return fixed(x.Median, digits)
		},
	}
}

// columns are the figures of a group.
func (v view) columns() []figure {
	title, computed := "epoch", true
	if n := v.rec.Plan.Epochs; n > 0 {
		title, computed = counted(n, "epoch"), false
	}
	return []figure{
		v.step(),
		{
			title: "x fit",
			value: func(c summary.Cell) summary.Value { return c.TimesFit },
			text:  func(_ summary.Cell, x summary.Value) string { return ratio(x.Median) },
		},
		{
			title: "CPU", spread: true,
			value: func(c summary.Cell) summary.Value { return c.SteadyCPUPercent },
			text:  func(_ summary.Cell, x summary.Value) string { return load(x.Median) },
		},
		{
			title: title, spread: !computed,
			value: func(c summary.Cell) summary.Value { return c.EpochSeconds },
			text: func(_ summary.Cell, x summary.Value) string {
				if computed {
					return "~" + seconds(x.Median)
				}
				return seconds(x.Median)
			},
		},
	}
}

// stepDecimals is the number of decimals that shows the shortest step with three digits; all steps get the same, to be compared by eye.
func (v view) stepDecimals() int {
	digits := 0
	for _, c := range v.cells {
		if c.StepMilliseconds.OK {
			digits = max(digits, decimals(c.StepMilliseconds.Median, 3))
		}
	}
	return digits
}

// widest is the largest spread of a figure among the group's cells.
func (g group) widest(f figure) string {
	largest, known := 0.0, false
	for _, c := range g.cells {
		if x := f.value(c); f.spread && x.HasSpread {
			largest, known = max(largest, x.Spread), true
		}
	}
	switch {
	case known:
		return percent(largest)
	case f.spread:
		return absent
	}
	return ""
}

// modes are the modes in the table's order.
func (v view) modes() []string {
	var names []string
	for _, c := range v.cells {
		if !slices.Contains(names, c.Mode) {
			names = append(names, c.Mode)
		}
	}
	return names
}

// title is the mode with the way in which its batches come to be.
func (v view) title(mode string) string {
	for _, c := range v.cells {
		if c.Mode != mode || c.Feed == "" {
			continue
		}
		feed := c.Feed
		if feed == "windows" {
			feed = "offsets" // what a batch is made of
		}
		return ascii(mode + " (" + feed + ")")
	}
	return ascii(mode)
}

// peak is the peak memory of a mode, by execution where several were run.
func (v view) peak(mode string, groups []group) string {
	var peaks []string
	known := false
	for _, g := range groups {
		c, ok := g.cell(mode)
		if !ok || c.Runs == 0 {
			continue
		}
		text := absent
		if c.PeakRSSBytes.OK {
			text, known = inMegabytes(c.PeakRSSBytes.Median), true
		}
		peaks = append(peaks, text)
	}
	if !known {
		return absent
	}
	return strings.Join(peaks, " / ") + " MB"
}

// table lays the view out with one row a mode.
func (v view) table(groups []group) titled {
	columns := v.columns()
	head := []string{"a batch comes from"}
	last := []string{"spread over rounds"}
	t := titled{grid: grid{gaps: []int{0}}}
	for _, g := range groups {
		t.titles = append(t.titles, g.title)
		t.starts = append(t.starts, len(head))
		for i, f := range columns {
			head, last = append(head, f.title), append(last, g.widest(f))
			gap := 2
			if i == 0 {
				gap = 4
			}
			t.gaps = append(t.gaps, gap)
		}
	}
	t.gaps = append(t.gaps, 2)
	t.rows = append(t.rows, append(head, "peak memory"))
	for _, mode := range v.modes() {
		row := []string{v.title(mode)}
		for _, g := range groups {
			c, _ := g.cell(mode)
			for _, f := range columns {
				row = append(row, f.of(c))
			}
		}
		t.rows = append(t.rows, append(row, v.peak(mode, groups)))
	}
	t.rows = append(t.rows, append(last, ""))
	return t
}

// titled is a grid with titles over groups of its columns.
type titled struct {
	grid
	titles []string
	starts []int // the first column of each group
}

// lines renders the titles and the grid.
func (t titled) lines() ([]string, error) {
	body, err := t.grid.lines()
	if err != nil {
		return nil, err
	}
	widths, line := t.widths(), ""
	for i, title := range t.titles {
		before := t.gaps[t.starts[i]]
		for _, w := range widths[:t.starts[i]] {
			before += w
		}
		line += strings.Repeat(" ", max(before-len(line), 1)) + title
	}
	return append([]string{line}, body...), nil
}
