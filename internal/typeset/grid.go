package typeset

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Grid is a table of ASCII cells without lines: the first row is the header, the first column is set to the left, the others to the
// right. Gaps[c] is the number of spaces before column c.
type Grid struct {
	Rows  [][]string
	Gaps  []int
	Words bool // the cells hold words: all columns are set to the left
}

// widths is the width of each column, its gap included.
func (g Grid) Widths() []int {
	w := make([]int, len(g.Gaps))
	for _, row := range g.Rows {
		for c, cell := range row {
			w[c] = max(w[c], g.Gaps[c]+len(cell))
		}
	}
	return w
}

// width is the width of the whole grid.
func (g Grid) Width() int {
	sum := 0
	for _, w := range g.Widths() {
		sum += w
	}
	return sum
}

// lines renders the grid. The gaps are part of the cells' texts: tablewriter pads all columns alike.
func (g Grid) Lines() ([]string, error) {
	align := make([]tw.Align, len(g.Gaps))
	for c := range align {
		align[c] = tw.AlignRight
		if g.Words {
			align[c] = tw.AlignLeft
		}
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
	for i := 1; i < len(g.Rows); i++ {
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
func (g Grid) row(i int) []string {
	row := make([]string, len(g.Rows[i]))
	for c, cell := range g.Rows[i] {
		row[c] = strings.Repeat(" ", g.Gaps[c]) + cell
	}
	return row
}
