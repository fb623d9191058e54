package compare

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// changes shows the figures that have an interval, a table each, and says what their columns are. All have the form for which lines
// are long enough.
func (p *page) changes(c Comparison, a, b string) {
	var marks marks
	var grids []typeset.Grid
	for _, f := range figures() {
		if len(c.Obstacles[f.kind]) == 0 && len(c.Cells) > 0 {
			grids = append(grids, f.grid(c.Cells, a, b, &marks))
		}
	}
	if len(grids) == 0 {
		return
	}
	fit := !slices.ContainsFunc(grids, func(g typeset.Grid) bool { return g.Width() > p.width })
	for _, g := range grids {
		p.space()
		if !fit {
			p.add(typeset.Wrap(g.Rows[0][0]+", change, "+interval, "", "  ", p.width)...)
		}
		p.table(g, fit, func(cells []string) string {
			return fmt.Sprintf("%s: %s %s, %s %s, %s (%s)", cells[0], a, cells[1], b, cells[2], cells[3], cells[4])
		})
	}
	p.space()
	p.add(typeset.Wrap(marks.notes(a, b), "", "", p.width)...)
}

// grid is the table of one figure.
func (f figure) grid(cells []Cell, a, b string, marks *marks) typeset.Grid {
	g := gridOf(false, []string{f.title, a, b, "change", interval})
	for _, cell := range cells {
		x := cell.change(f)
		base, head := f.side(x.Base, cell.Base), f.side(x.Head, cell.Head)
		change, bounds := typeset.Absent, typeset.Absent
		if x.OK {
			change = signedPercent(x.Ratio)
		}
		if x.HasInterval {
			bounds = between(x.Low, x.High)
		}
		marks.doubtful = marks.doubtful || strings.HasPrefix(base, doubt) || strings.HasPrefix(head, doubt)
		marks.without = marks.without || x.OK && !x.HasInterval
		g.Rows = append(g.Rows, []string{cell.Name, base, head, change, bounds})
	}
	return g
}

const (
	interval = "95 % interval"
	// doubt marks a figure that nothing may be concluded from.
	doubt = "*"
)

// side is a figure's median, or why there is none.
func (f figure) side(v summary.Value, c summary.Cell) string {
	switch {
	case v.OK && f.kind == Times && !c.Conclusive:
		return doubt + f.text(v.Median)
	case v.OK:
		return f.text(v.Median)
	case c.Used == 0 && c.Failed > 0:
		return "failed"
	}
	return typeset.Absent
}

// marks are what the tables hold that needs a note: figures in doubt, and changes without an interval.
type marks struct{ doubtful, without bool }

// notes define the columns.
func (m marks) notes(a, b string) string {
	s := fmt.Sprintf("%s, %s: medians of the rounds. change: of the figure itself, the median ratio over all pairs of a round of %s and one of %s. "+
		"%s: by the Mann-Whitney test, for each change by itself; 0 outside it is a difference between the two records, whatever its cause.",
		a, b, a, b, interval)
	if m.without {
		s += " - where there are too few rounds for an interval: 4 in both are enough."
	}
	if m.doubtful {
		s += " * the rounds were disturbed, or lie too far apart: conclude nothing."
	}
	return s
}
