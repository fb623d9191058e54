package report

import (
	"io"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// isSweep tells whether a record is about how figures go with the batch size.
func isSweep(rec record.Record) bool { return len(rec.Plan.BatchSizes) > 1 }

// sweepFigure is one of the tables of a sweep.
type sweepFigure struct {
	title string
	of    func(s sweep, c summary.Cell) string
	// spread tells whether a last row shows the widest spread of each size.
	spread bool
}

func sweepFigures() []sweepFigure {
	return []sweepFigure{
		{"ms a step at batch size", func(s sweep, c summary.Cell) string {
			if word := without(c); word != "" {
				return word
			}
			return shown(c.StepMilliseconds, func(v float64) string { return doubtful(typeset.Fixed(v, typeset.Decimals(v, 3)), c.Conclusive) })
		}, true},
		{"times fit", func(s sweep, c summary.Cell) string {
			return shown(c.TimesFit, func(v float64) string { return doubtful(typeset.Ratio(v), c.TimesFitConclusive) })
		}, false},
		{"CPU load", func(s sweep, c summary.Cell) string { return shown(c.SteadyCPUPercent, typeset.Load) }, false},
	}
}

// shown is a figure as a text, a dash where it was not measured.
func shown(v summary.Value, text func(float64) string) string {
	if !v.OK {
		return typeset.Absent
	}
	return text(v.Median)
}

// sweep is the cells of one engine over all batch sizes.
type sweep struct {
	engine string
	sizes  []int
	rows   [][]summary.Cell // a row each mode and execution, by size
}

// sweepsOf sorts the cells of a record by engine.
func sweepsOf(rec record.Record, sum summary.Summary) []sweep {
	var all []sweep
	for _, c := range sum.Cells {
		i := slices.IndexFunc(all, func(s sweep) bool { return s.engine == c.Engine })
		if i < 0 {
			i = len(all)
			all = append(all, sweep{engine: c.Engine, sizes: rec.Plan.Sizes()})
		}
		all[i].add(c)
	}
	return all
}

// add puts a cell into its row. A size that the plan does not have is left out.
func (s *sweep) add(c summary.Cell) {
	at := slices.Index(s.sizes, c.BatchSize)
	if at < 0 {
		return
	}
	i := slices.IndexFunc(s.rows, func(row []summary.Cell) bool {
		return slices.ContainsFunc(row, func(other summary.Cell) bool { return other.Cell == c.Cell })
	})
	if i < 0 {
		i = len(s.rows)
		s.rows = append(s.rows, make([]summary.Cell, len(s.sizes)))
	}
	s.rows[i][at] = c
}

// name is what a row is called.
func (s sweep) name(row int) string {
	for _, c := range s.rows[row] {
		if c.Mode != "" {
			return typeset.ASCII(c.Cell.String())
		}
	}
	return typeset.Absent
}

// sweepTable writes a record of several batch sizes: a table for each figure with a column a size, the cost models, and the answer.
func sweepTable(w io.Writer, rec record.Record, o Options) error {
	width := o.lineWidth()
	sum := summary.Of(rec)
	lines := header(rec, width)
	all := sweepsOf(rec, sum)
	for _, s := range all {
		if len(all) > 1 {
			lines = append(append(lines, ""), typeset.Wrap("engine "+typeset.ASCII(s.engine), "", "  ", width)...)
		}
		for _, f := range sweepFigures() {
			table, err := s.table(f, width)
			if err != nil {
				return err
			}
			lines = append(append(lines, ""), table...)
		}
	}
	lines = append(append(lines, ""), sweepNotes(rec, sum, width)...)
	if paragraph := failed(sum.Failures, width); len(paragraph) > 0 {
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

// table lays one figure out, in several tables one below the other where the lines are too short for all sizes.
func (s sweep) table(f sweepFigure, width int) ([]string, error) {
	var lines []string
	for from := 0; from < len(s.sizes); {
		to := len(s.sizes)
		for to > from+1 && s.grid(f, from, to).Width() > width {
			to--
		}
		part, err := s.grid(f, from, to).Lines()
		if err != nil {
			return nil, err
		}
		if from > 0 {
			lines = append(lines, "")
		}
		lines, from = append(lines, part...), to
	}
	return lines, nil
}

// grid has the sizes [from, to).
func (s sweep) grid(f sweepFigure, from, to int) typeset.Grid {
	g := typeset.Grid{Gaps: []int{0}}
	head, last := []string{f.title}, []string{"spread over rounds"}
	for i := from; i < to; i++ {
		head, last = append(head, typeset.Integer(s.sizes[i])), append(last, s.widest(i))
		g.Gaps = append(g.Gaps, 3)
	}
	g.Rows = append(g.Rows, head)
	for i, cells := range s.rows {
		row := []string{s.name(i)}
		for _, c := range cells[from:to] {
			row = append(row, f.of(s, c))
		}
		g.Rows = append(g.Rows, row)
	}
	if f.spread {
		g.Rows = append(g.Rows, last)
	}
	return g
}

// widest is the largest spread of a step at one size.
func (s sweep) widest(size int) string {
	largest, known := 0.0, false
	for _, row := range s.rows {
		if x := row[size].StepMilliseconds; x.HasSpread {
			largest, known = max(largest, x.Spread), true
		}
	}
	if !known {
		return typeset.Absent
	}
	return typeset.Percent(largest)
}

// sweepNotes explain how the figures are meant.
func sweepNotes(rec record.Record, sum summary.Summary, width int) []string {
	notes := []string{"times fit: ratio of the medians to " + summary.Reference().String() + " at the same size."}
	notes = append(notes, view{rec: rec}.coresNote())
	notes = append(notes, "Spread: half the range of the rounds over their median, of the mode where it is widest.")
	if slices.ContainsFunc(sum.Cells, func(c summary.Cell) bool { return c.Used > 0 && !c.Conclusive }) {
		notes = append(notes, "* not to be concluded from, see the warning.")
	}
	if slices.ContainsFunc(sum.Cells, func(c summary.Cell) bool { return c.Runs == 0 }) {
		notes = append(notes, notYet+": planned, but not reached.")
	}
	return typeset.Wrap(strings.Join(notes, " "), "", "", width)
}
