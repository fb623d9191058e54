package report

import (
	"cmp"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
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
			all = append(all, group{execution: c.Execution, title: typeset.ASCII(c.Execution) + " step"})
		}
		all[i].cells = append(all[i].cells, c)
	}
	return slices.DeleteFunc(all, func(g group) bool {
		return !slices.ContainsFunc(g.cells, func(c summary.Cell) bool { return c.Runs > 0 })
	})
}

// cell is the group's cell of a way.
func (g group) cell(way record.Cell) (summary.Cell, bool) {
	for _, c := range g.cells {
		if c.Cell == way.In(c.Execution) {
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
		return typeset.Absent
	}
	return f.text(c, v)
}

// What is said instead of a cell's figures, in its first column.
const (
	notRun    = "not run" // not in the plan
	notYet    = "not yet" // planned, and no run has ended
	allFailed = "failed"
)

// without is what is said in the place of a cell that has no figures; empty where it has some.
func without(c summary.Cell) string {
	switch {
	case c.Used > 0:
		return ""
	case c.Failed > 0:
		return allFailed
	case c.Planned:
		return notYet
	}
	return notRun
}

// texts are the cell's figures, or one word and blanks where it has none.
func texts(c summary.Cell, columns []figure) []string {
	row := make([]string, len(columns))
	if row[0] = without(c); row[0] != "" {
		return row
	}
	for i, f := range columns {
		row[i] = f.of(c)
	}
	return row
}

// doubtful marks a figure that nothing may be concluded from.
func doubtful(text string, conclusive bool) string {
	if conclusive {
		return text
	}
	return "*" + text
}

// columns are the figures of a group.
func (v view) columns() []figure {
	title, computed := "epoch", true
	if n := v.rec.Plan.Epochs; n > 0 {
		title, computed = typeset.Counted(n, "epoch"), false
	}
	digits := v.stepDecimals()
	return []figure{
		{
			title: "ms/step", spread: true,
			value: func(c summary.Cell) summary.Value { return c.StepMilliseconds },
			text: func(c summary.Cell, x summary.Value) string {
				return doubtful(typeset.Fixed(x.Median, digits), c.Conclusive)
			},
		},
		{
			title: "x fit",
			value: func(c summary.Cell) summary.Value { return c.TimesFit },
			text: func(c summary.Cell, x summary.Value) string {
				return doubtful(typeset.Ratio(x.Median), c.TimesFitConclusive)
			},
		},
		{
			title: "CPU", spread: true,
			value: func(c summary.Cell) summary.Value { return c.SteadyCPUPercent },
			text:  func(_ summary.Cell, x summary.Value) string { return typeset.Load(x.Median) },
		},
		{
			title: title, spread: !computed,
			value: func(c summary.Cell) summary.Value { return c.EpochSeconds },
			text: func(_ summary.Cell, x summary.Value) string {
				if computed {
					return "~" + typeset.Seconds(x.Median)
				}
				return typeset.Seconds(x.Median)
			},
		},
	}
}

// stepDecimals is the number of decimals that shows the shortest step with three digits; all steps get the same, to be compared by
// eye.
func (v view) stepDecimals() int {
	digits := 0
	for _, c := range v.cells {
		if c.StepMilliseconds.OK {
			digits = max(digits, typeset.Decimals(c.StepMilliseconds.Median, 3))
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
		return typeset.Percent(largest)
	case f.spread:
		return typeset.Absent
	}
	return ""
}

// ways are the cells in the table's order, without their executions.
func (v view) ways() []record.Cell {
	var ways []record.Cell
	for _, c := range v.cells {
		if way := c.Cell.In(""); !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// title is the way with how its batches come to be.
func (v view) title(way record.Cell) string {
	feed := ""
	if !v.byFramework() { // which tells its own
		feed, _ = feedOf(way.Mode)
	}
	for _, c := range v.cells {
		if c.Mode == way.Mode && c.Feed != "" {
			feed = c.Feed
			break
		}
	}
	if feed == "" {
		return typeset.ASCII(way.Way())
	}
	return typeset.ASCII(way.Way() + " (" + feedTitle(feed) + ")")
}

// feedTitle is a feed as the table names it.
func feedTitle(feed string) string {
	named := map[string]string{"windows": "offsets", "pipeline": "prefetch", "chunks": "pieces"} // what a batch is made of
	return cmp.Or(named[feed], feed)
}

// feedOf is the feed of a known mode, of which no run may have ended yet.
func feedOf(mode string) (string, bool) {
	feed, ok := map[string]string{
		"fit": "array", "generator": "queue", "train-on-batch": "inline", "fit-windows": "windows", "pipeline": "pipeline", "fit-chunked": "chunks",
	}[mode]
	return feed, ok
}

// peak is the peak memory of a way, by execution where several were run.
func (v view) peak(way record.Cell, groups []group) string {
	var peaks []string
	known := false
	for _, g := range groups {
		c, ok := g.cell(way)
		if !ok || c.Used == 0 {
			continue
		}
		text := typeset.Absent
		if c.PeakRSSBytes.OK {
			text, known = typeset.InMegabytes(c.PeakRSSBytes.Median), true
		}
		peaks = append(peaks, text)
	}
	switch {
	case len(peaks) == 0:
		return ""
	case !known:
		return typeset.Absent
	}
	return strings.Join(peaks, " / ") + " MB"
}

// table lays the view out with one row a way.
func (v view) table(groups []group) titled {
	columns := v.columns()
	head := []string{"a batch comes from"}
	last := []string{"spread over rounds"}
	t := titled{Grid: typeset.Grid{Gaps: []int{0}}}
	for _, g := range groups {
		t.titles = append(t.titles, g.title)
		t.starts = append(t.starts, len(head))
		for i, f := range columns {
			head, last = append(head, f.title), append(last, g.widest(f))
			gap := 2
			if i == 0 {
				gap = 4
			}
			t.Gaps = append(t.Gaps, gap)
		}
	}
	t.Gaps = append(t.Gaps, 2)
	t.Rows = append(t.Rows, append(head, "peak memory"))
	for _, way := range v.ways() {
		row := []string{v.title(way)}
		for _, g := range groups {
			c, _ := g.cell(way)
			row = append(row, texts(c, columns)...)
		}
		t.Rows = append(t.Rows, append(row, v.peak(way, groups)))
	}
	if v.hasSpread() {
		t.Rows = append(t.Rows, append(last, ""))
	}
	return t
}

// titled is a grid with titles over groups of its columns.
type titled struct {
	typeset.Grid
	titles []string
	starts []int // the first column of each group
}

// lines renders the titles and the grid.
func (t titled) lines() ([]string, error) {
	body, err := t.Grid.Lines()
	if err != nil {
		return nil, err
	}
	widths, line := t.Widths(), ""
	for i, title := range t.titles {
		before := t.Gaps[t.starts[i]]
		for _, w := range widths[:t.starts[i]] {
			before += w
		}
		line += strings.Repeat(" ", max(before-len(line), 1)) + title
	}
	return append([]string{line}, body...), nil
}
