package compare

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// grid is a table of ASCII cells without lines, two spaces between columns: the first row is the header, the first column is set to
// the left, the others to the right, or all to the left where they hold words.
type grid struct {
	rows  [][]string
	words bool
}

const gap = 2

// width is the number of characters of the longest line.
func (g grid) width() int {
	sum := 0
	for column := range g.rows[0] {
		widest := 0
		for _, row := range g.rows {
			widest = max(widest, len(row[column]))
		}
		sum += widest + gap
	}
	return sum - gap
}

// lines renders the grid.
func (g grid) lines() ([]string, error) {
	align := make([]tw.Align, len(g.rows[0]))
	for c := range align {
		align[c] = tw.AlignRight
		if c == 0 || g.words {
			align[c] = tw.AlignLeft
		}
	}
	section := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: strings.Repeat(" ", gap), Overwrite: true}},
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
	t.Header(g.rows[0])
	for _, row := range g.rows[1:] {
		if err := t.Append(row); err != nil {
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
