// Package report shows records: as a table with an answer in words, as JSON, which it also reads back, and in the other forms of
// Formats. All that it prints is computed from the record alone; what was not measured is a dash or left out. It measures nothing
// and decides no exit code. Its tables are ASCII without colours, the same on a terminal and in a file.
package report

import (
	"io"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// MaxWidth is the number of characters that no line exceeds, however wide the terminal is.
const MaxWidth = 110

// Options say how records are shown.
type Options struct {
	// Width is the number of characters in a line of the terminal; 0 where there is none. Lines are at most MaxWidth long anyway.
	Width int
	// NoAnswer leaves out the answer in words.
	NoAnswer bool
	// Sources names the file of each record where they were read from files: what tells several apart.
	Sources []string
}

// lineWidth is the length that lines are laid out for.
func (o Options) lineWidth() int {
	if o.Width <= 0 {
		return MaxWidth
	}
	return min(o.Width, MaxWidth)
}

// Table writes the record as a table: what was run, the figures, one row a mode with the executions side by side, or below each other
// where lines are too short for that, or one block a mode where they are shorter still; then notes, failed runs and the answer. The
// error is w's.
func Table(w io.Writer, rec record.Record, o Options) error {
	if isSweep(rec) {
		return sweepTable(w, rec, o)
	}
	width := o.lineWidth()
	lines := header(rec, width)
	views := viewsOf(rec)
	for _, v := range views {
		figures, err := v.figures(width)
		if err != nil {
			return err
		}
		lines = append(lines, "")
		if len(views) > 1 {
			lines = append(lines, v.caption(width)...)
		}
		lines = append(lines, figures...)
	}
	if paragraph := failed(views[0].sum.Failures, width); len(paragraph) > 0 {
		lines = append(append(lines, ""), paragraph...)
	}
	if !o.NoAnswer {
		if paragraph := layout(Answer(rec), width); len(paragraph) > 0 {
			lines = append(append(lines, ""), paragraph...)
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// nothingEnded is said in the place of figures.
const nothingEnded = "No run has ended: there is nothing to compare."

// layoutForm is how a view's figures are laid out.
type layoutForm int

const (
	oneTable   layoutForm = iota // the groups of columns side by side
	tableEach                    // one table a group, one below the other
	blocksForm                   // one block a mode
)

// figures is the table of one view with its notes, in the widest form that fits.
func (v view) figures(width int) ([]string, error) {
	groups := v.groups()
	if len(groups) == 0 {
		return typeset.Wrap(nothingEnded, "", "", width), nil
	}
	form := v.form(groups, width)
	var lines []string
	var err error
	switch form {
	case oneTable:
		lines, err = v.table(groups).lines()
	case tableEach:
		lines, err = v.tables(groups)
	default:
		lines, err = v.blocks(groups, width)
	}
	if err != nil {
		return nil, err
	}
	return append(append(lines, ""), v.notes(form, width)...), nil
}

// form is the widest one in which no line of figures is longer than width.
func (v view) form(groups []group, width int) layoutForm {
	if v.table(groups).Width() <= width {
		return oneTable
	}
	for _, g := range groups {
		if v.table([]group{g}).Width() > width {
			return blocksForm
		}
	}
	return tableEach
}

// tables lays out each group in a table of its own.
func (v view) tables(groups []group) ([]string, error) {
	var all []string
	for i, g := range groups {
		lines, err := v.table([]group{g}).lines()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			all = append(all, "")
		}
		all = append(all, lines...)
	}
	return all, nil
}
