package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// grid is a table of ASCII cells without lines: the first row is the header, the first column is set to the left, the others to the
// right. gaps[c] is the number of spaces before column c.
type grid struct {
	rows [][]string
	gaps []int
}

// widths is the width of each column, its gap included.
func (g grid) widths() []int {
	w := make([]int, len(g.gaps))
	for _, row := range g.rows {
		for c, cell := range row {
			w[c] = max(w[c], g.gaps[c]+len(cell))
		}
	}
	return w
}

// width is the width of the whole grid.
func (g grid) width() int {
	sum := 0
	for _, w := range g.widths() {
		sum += w
	}
	return sum
}

// lines renders the grid. The gaps are part of the cells' texts: tablewriter pads all columns alike.
func (g grid) lines() ([]string, error) {
	align := make([]tw.Align, len(g.gaps))
	for c := range align {
		align[c] = tw.AlignRight
	}
	align[0] = tw.AlignLeft
	section := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Overwrite: true}},
	}
	var out bytes.Buffer
	t := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
		})),
		tablewriter.WithConfig(tablewriter.Config{Header: section, Row: section, Behavior: tw.Behavior{TrimSpace: tw.Off}}),
	)
	t.Header(g.row(0))
	for i := 1; i < len(g.rows); i++ {
		if err := t.Append(g.row(i)); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	if err := t.Render(); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines, nil
}

// row is one row with the gaps before its cells.
func (g grid) row(i int) []string {
	row := make([]string, len(g.rows[i]))
	for c, cell := range g.rows[i] {
		row[c] = strings.Repeat(" ", g.gaps[c]) + cell
	}
	return row
}
