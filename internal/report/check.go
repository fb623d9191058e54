package report

import (
	"io"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// CheckRow is one figure that a check compares.
type CheckRow struct {
	// Figure names it, with its unit.
	Figure string
	// Base and Head are the figure in both; nil where it was not measured.
	Base, Head *float64
	// Change is head over base minus 1, Low and High bound it; nil where not known. Confidence is the interval's own.
	Change, Low, High, Confidence *float64
	// Twin is what Change is between base and base once more: what the machine alone makes differ. It is nil where base ran once.
	Twin *float64
	// Pairs is the number of rounds that the figures rest on; 0 where they do not come in pairs.
	Pairs   int
	Verdict string
	// Note says why, where the verdict does not follow from the figures; it may be empty.
	Note string
}

// CheckResult is what a check found, however it compared.
type CheckResult struct {
	// Title says what was compared with what, How with how much of what.
	Title, How string
	Rows       []CheckRow
	// Shown are figures that are shown and never judged.
	Shown []CheckRow
	// Warnings are what a reader must know not to take the verdict for another one; they are always shown. Notes explain the figures.
	Warnings, Notes []string
	// Verdict is that of the whole. NotCompared names what it says nothing of, as in "times".
	Verdict     string
	NotCompared []string
	Record      record.Record
}

// concluded is the verdict with what it leaves out.
func (c CheckResult) concluded() string {
	if len(c.NotCompared) == 0 {
		return c.Verdict
	}
	return c.Verdict + ", " + strings.Join(c.NotCompared, " and ") + " not compared"
}

// warnings are those of the rows, each once with all that have it, then those of the whole.
func (c CheckResult) warnings() []string {
	var all, told []string
	for _, r := range c.Rows {
		if r.Note == "" || slices.Contains(told, r.Note) {
			continue
		}
		told = append(told, r.Note)
		var figures []string
		for _, other := range c.Rows {
			if other.Note == r.Note {
				figures = append(figures, other.Figure)
			}
		}
		all = append(all, strings.Join(figures, "; ")+": "+r.Note)
	}
	return append(all, c.Warnings...)
}

// checkColumn is one column of a check's table.
type checkColumn struct {
	name string
	of   func(r CheckRow) string
}

func checkColumns() []checkColumn {
	return []checkColumn{
		{"figure", func(r CheckRow) string { return r.Figure }},
		{"base", func(r CheckRow) string { return figureText(r.Base) }},
		{"head", func(r CheckRow) string { return figureText(r.Head) }},
		{"change", func(r CheckRow) string { return changeText(r.Change) }},
		{"interval", func(r CheckRow) string {
			if r.Low == nil || r.High == nil {
				return typeset.Absent
			}
			return changeText(r.Low) + " to " + changeText(r.High)
		}},
		{"base/base", func(r CheckRow) string { return changeText(r.Twin) }},
		{"pairs", func(r CheckRow) string {
			if r.Pairs == 0 {
				return typeset.Absent
			}
			return typeset.Integer(r.Pairs)
		}},
		{"verdict", func(r CheckRow) string { return r.Verdict }},
	}
}

// checkGrid is the rows' table with its head. A column of which no row has anything is left out.
func checkGrid(rows []CheckRow) [][]string {
	columns := slices.DeleteFunc(checkColumns(), func(c checkColumn) bool {
		return !slices.ContainsFunc(rows, func(r CheckRow) bool { return c.of(r) != typeset.Absent })
	})
	grid := make([][]string, 1+len(rows))
	for _, c := range columns {
		grid[0] = append(grid[0], c.name)
		for i, r := range rows {
			grid[i+1] = append(grid[i+1], c.of(r))
		}
	}
	return grid
}

func figureText(v *float64) string {
	if v == nil {
		return typeset.Absent
	}
	return typeset.Fixed(*v, typeset.Decimals(*v, 4))
}

func changeText(v *float64) string {
	if v == nil {
		return typeset.Absent
	}
	return typeset.SignedPercent(*v)
}

// CheckTable writes a check as a table, without its notes where o.NoAnswer is set.
func CheckTable(w io.Writer, c CheckResult, o Options) error {
	width := o.lineWidth()
	lines := slices.Concat(typeset.Wrap(typeset.ASCII(c.Title), "", "  ", width), typeset.Wrap(typeset.ASCII(c.How), "", "  ", width))
	for _, rows := range [][]CheckRow{c.Rows, c.Shown} {
		if len(rows) == 0 {
			continue
		}
		table, err := checkLines(checkGrid(rows), width)
		if err != nil {
			return err
		}
		lines = append(append(lines, ""), table...)
	}
	lines = append(lines, "")
	for _, warning := range c.warnings() {
		lines = append(lines, typeset.Wrap(typeset.ASCII("Warning: "+warning)+".", "", "  ", width)...)
	}
	if !o.NoAnswer {
		for _, note := range c.Notes {
			lines = append(lines, typeset.Wrap(typeset.ASCII(note)+".", "", "  ", width)...)
		}
	}
	lines = append(lines, "Verdict: "+typeset.ASCII(c.concluded()))
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// checkLines is a table, or a block for each row where lines are too short for that.
func checkLines(grid [][]string, width int) ([]string, error) {
	g := typeset.Grid{Gaps: make([]int, len(grid[0]))}
	for i := range g.Gaps[1:] {
		g.Gaps[i+1] = 2
	}
	for _, row := range grid {
		cells := make([]string, len(row))
		for i, text := range row {
			cells[i] = typeset.ASCII(text)
		}
		g.Rows = append(g.Rows, cells)
	}
	if g.Width() <= width {
		return g.Lines()
	}
	var lines []string
	for _, row := range g.Rows[1:] {
		lines = append(lines, typeset.Wrap(row[0], "", "  ", width)...)
		for i, text := range row[1:] {
			if text != typeset.Absent {
				lines = append(lines, typeset.Wrap(text, "  "+grid[0][i+1]+" ", "    ", width)...)
			}
		}
	}
	return lines, nil
}
