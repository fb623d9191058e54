package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// htmlTable is a table with its rows in groups.
type htmlTable struct {
	Caption string
	Head    []string
	Groups  []htmlGroup
}

// htmlGroup is rows under a title, or under none.
type htmlGroup struct {
	Title string
	Rows  []htmlRow
}

// htmlRow is the figures of a row, or one word instead.
type htmlRow struct {
	Name    string
	Cells   []string
	Instead string
}

// Width is the number of columns, Figures that of those behind the rows' names.
func (t *htmlTable) Width() int { return len(t.Head) }

// Figures is Width without the names.
func (t *htmlTable) Figures() int { return len(t.Head) - 1 }

// section is one engine and batch size: its tables, with pictures or without.
func (v view) section(pictured bool) section {
	s := section{Title: "The figures"}
	groups := v.groups()
	if len(groups) == 0 {
		s.Parts = []sectionPart{{Notes: nothingEnded}}
		return s
	}
	notes := strings.Join(v.noteList(blocksForm), " ")
	s.Parts = append(s.Parts, sectionPart{Table: v.htmlTable("Time, CPU load and memory", groups, v.pageFigures()), Notes: notes})
	drawn := v.pictures()
	if pictured {
		s.Parts = append(s.Parts, parts(drawn.steps)...)
	}
	split := slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return !slices.ContainsFunc(g.cells, hasSplit) })
	if len(split) > 0 {
		s.Parts = append(s.Parts, sectionPart{Table: v.htmlTable("Inside the eager step, each step", split, splitFigures())})
	}
	if pictured {
		s.Parts = append(s.Parts, parts(drawn.split)...)
	}
	s.Parts = append(s.Parts, sectionPart{Table: v.htmlTable("Memory", groups, memoryFigures())})
	if pictured {
		s.Parts = append(s.Parts, parts(drawn.memory)...)
	}
	return s
}

// htmlTable lays groups of cells out, a row a cell.
func (v view) htmlTable(caption string, groups []group, columns []figure) *htmlTable {
	t := &htmlTable{Caption: caption, Head: []string{"a batch comes from"}}
	for _, f := range columns {
		t.Head = append(t.Head, f.title)
	}
	for _, g := range groups {
		rows := htmlGroup{Title: g.title}
		for _, c := range g.cells {
			row := htmlRow{Name: v.title(c.Cell), Instead: without(c)}
			for _, f := range columns {
				row.Cells = append(row.Cells, f.of(c))
			}
			rows.Rows = append(rows.Rows, row)
		}
		t.Groups = append(t.Groups, rows)
	}
	return t
}

// pageFigures are the table's columns with the spread and the memory, and how many rounds they rest on.
func (v view) pageFigures() []figure {
	return append(v.blockFigures(), figure{
		title: "rounds",
		value: func(c summary.Cell) summary.Value { return summary.Value{OK: true} },
		text: func(c summary.Cell, _ summary.Value) string {
			if c.Used == c.Runs {
				return typeset.Integer(c.Used)
			}
			return fmt.Sprintf("%d of %d", c.Used, c.Runs)
		},
	})
}

// measured is a column that shows a figure in one way wherever it is.
func measured(title string, of func(c summary.Cell) summary.Value, text func(float64) string) figure {
	return figure{title: title, value: of, text: func(_ summary.Cell, x summary.Value) string { return text(x.Median) }}
}

func splitFigures() []figure {
	return []figure{
		measured("dispatch", func(c summary.Cell) summary.Value { return c.Split.Dispatch }, typeset.Milliseconds),
		measured("allocation", func(c summary.Cell) summary.Value { return c.Split.Allocation }, typeset.Milliseconds),
		measured("casts and copies", func(c summary.Cell) summary.Value { return c.Split.Casts }, typeset.Milliseconds),
		measured("arithmetic", func(c summary.Cell) summary.Value { return c.Split.Arithmetic }, typeset.Milliseconds),
		measured("operations", func(c summary.Cell) summary.Value { return c.OpsPerStep }, func(n float64) string { return typeset.Fixed(n, 0) }),
	}
}

func hasSplit(c summary.Cell) bool {
	return c.Split.Dispatch.OK || c.Split.Allocation.OK || c.Split.Casts.OK || c.Split.Arithmetic.OK
}

func memoryFigures() []figure {
	return []figure{
		measured("peak of process", func(c summary.Cell) summary.Value { return c.PeakRSSBytes }, typeset.Megabytes),
		measured("built at first", func(c summary.Cell) summary.Value { return c.FeedBytes }, typeset.Megabytes),
		measured("building took", func(c summary.Cell) summary.Value { return c.BuildSeconds }, typeset.Seconds),
		measured("tensors a step", func(c summary.Cell) summary.Value { return c.TensorBytesPerStep }, typeset.Megabytes),
		measured("moved, converted a step", func(c summary.Cell) summary.Value { return c.CopiedBytesPerStep }, typeset.Megabytes),
	}
}

// sweepSections are the figures over the batch size, one section an engine, the pictures of all in the first.
func sweepSections(rec record.Record, sum summary.Summary) []section {
	var all []section
	sweeps := sweepsOf(rec, sum)
	for i, s := range sweeps {
		part := section{Title: "By batch size"}
		if len(sweeps) > 1 {
			part.Title += ", engine " + typeset.ASCII(s.engine)
		}
		if i == 0 {
			part.Parts = parts(sweepPictures(rec, sum))
		}
		for _, f := range sweepFigures() {
			part.Parts = append(part.Parts, sectionPart{Table: s.htmlTable(f)})
		}
		if i == len(sweeps)-1 {
			part.Parts = append(part.Parts, sectionPart{Notes: strings.Join(sweepNotes(rec, sum, MaxWidth), " ")})
		}
		all = append(all, part)
	}
	return all
}

// htmlTable is one figure of a sweep, a column a batch size.
func (s sweep) htmlTable(f sweepFigure) *htmlTable {
	rows := s.grid(f, 0, len(s.sizes)).Rows
	t := &htmlTable{Caption: capitalised(f.title), Head: rows[0]}
	t.Head[0] = "batch size"
	var g htmlGroup
	for _, row := range rows[1:] {
		g.Rows = append(g.Rows, htmlRow{Name: row[0], Cells: row[1:]})
	}
	t.Groups = []htmlGroup{g}
	return t
}
