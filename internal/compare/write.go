package compare

import (
	"fmt"
	"io"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// MaxWidth is the number of characters that no line of figures exceeds, however wide the terminal is.
const MaxWidth = 110

// Write compares each of the other records with the first, in ASCII for lines of width characters, MaxWidth where it is 0 or more
// than that. It takes two sides at least. The error is w's.
func Write(w io.Writer, sides []Side, width int) error {
	if width <= 0 || width > MaxWidth {
		width = MaxWidth
	}
	p := page{width: width}
	for i, s := range sides {
		name := typeset.ASCII(s.Name)
		if i == 0 {
			name += " (the base)"
		}
		p.add(typeset.Wrap(name+": "+subject(s.Record), letter(i)+"  ", "   ", width)...)
	}
	for i, head := range sides[1:] {
		p.comparison(Of(sides[0], head), letter(0), letter(i+1), len(sides) > 2)
	}
	if p.err != nil {
		return p.err
	}
	_, err := io.WriteString(w, strings.Join(p.lines, "\n")+"\n")
	return err
}

// letter stands for a record in the tables: A for the first, and numbers where there are more than letters.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprint(i + 1)
}

// subject is what was run.
func subject(r record.Record) string {
	p := r.Plan
	length := typeset.Counted(p.Steps, "step")
	if p.Epochs > 0 {
		length = typeset.Counted(p.Epochs, "epoch")
	}
	sizes := make([]string, len(p.Sizes()))
	for i, size := range p.Sizes() {
		sizes[i] = typeset.Integer(size)
	}
	return fmt.Sprintf("%s windows of %s, batch %s, %s of %s, %s",
		typeset.Integer(p.Samples), typeset.Integer(p.Window), strings.Join(sizes, " "), typeset.Counted(p.Rounds, "round"), length, typeset.Counted(len(r.Runs), "run"))
}

// page gathers lines.
type page struct {
	lines []string
	width int
	err   error
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

// space sets the following apart.
func (p *page) space() { p.add("") }

// item is a paragraph behind a label.
func (p *page) item(label, text string) {
	const column = 16
	if p.width < 4*column {
		p.add(typeset.Wrap(label+": "+text, "", "  ", p.width)...)
		return
	}
	p.add(typeset.Wrap(text, fmt.Sprintf("%-*s", column, label), strings.Repeat(" ", column), p.width)...)
}

// table adds a grid where lines are long enough for it, which fit tells, else each row as a paragraph made by row.
func (p *page) table(g typeset.Grid, fit bool, row func(cells []string) string) {
	if !fit {
		for _, cells := range g.Rows[1:] {
			p.add(typeset.Wrap(row(cells), "", "  ", p.width)...)
		}
		return
	}
	lines, err := g.Lines()
	if err != nil && p.err == nil {
		p.err = err
	}
	p.add(lines...)
}

// comparison shows two records under their letters.
func (p *page) comparison(c Comparison, a, b string, titled bool) {
	p.space()
	if titled {
		p.add(typeset.Wrap(fmt.Sprintf("%s against %s", b, a), "", "  ", p.width)...)
	}
	switch {
	case c.SameFile:
		p.add(typeset.Wrap(fmt.Sprintf("%s and %s are the same file: there is nothing to compare.", a, b), "", "", p.width)...)
		return
	case c.SameRecord:
		p.add(typeset.Wrap(fmt.Sprintf("%s and %s hold the same record: there is nothing to compare.", a, b), "", "", p.width)...)
		return
	}
	p.differences(c, a, b)
	p.standing(c)
	if len(c.Cells) == 0 {
		p.space()
		p.add(typeset.Wrap("No cell was run in both: there is nothing to compare.", "", "", p.width)...)
	}
	p.changes(c, a, b)
	p.exact(c, a, b)
	p.only(a, c.OnlyBase)
	p.only(b, c.OnlyHead)
}

// differences lists in what machine, build and work differ, a line each.
func (p *page) differences(c Comparison, a, b string) {
	for _, part := range []struct {
		title string
		list  []Difference
	}{{"machine and build", c.Environments}, {"work", c.Plans}} {
		if len(part.list) == 0 {
			p.item("No difference", "in "+part.title)
			continue
		}
		g := gridOf(true, []string{"different " + part.title, a, b})
		for _, d := range part.list {
			g.Rows = append(g.Rows, []string{d.Field, typeset.ASCII(d.Base), typeset.ASCII(d.Head)})
		}
		fit := g.Width() <= p.width
		if !fit {
			p.add("different " + part.title)
		}
		p.table(g, fit, func(cells []string) string {
			return fmt.Sprintf("%s: %s %s, %s %s", cells[0], a, cells[1], b, cells[2])
		})
		p.space()
	}
}

// standing says which figures are compared, and which are not and why.
func (p *page) standing(c Comparison) {
	var compared, not []string
	for _, k := range Kinds() {
		if obstacles := c.Obstacles[k]; len(obstacles) > 0 {
			not = append(not, fmt.Sprintf("%s (%s)", k, Reason(obstacles)))
			continue
		}
		compared = append(compared, k.String())
	}
	if len(compared) > 0 {
		p.item("Compared", strings.Join(compared, ", "))
	}
	if len(not) > 0 {
		p.item("Not compared", strings.Join(not, "; "))
	}
}

// Reason names obstacles in a clause, as in "not the same CPU model and kernel".
func Reason(obstacles []Difference) string {
	var differ, unclear []string
	for _, d := range obstacles {
		if d.Base == d.Head {
			unclear = append(unclear, d.Field)
			continue
		}
		differ = append(differ, d.Field)
	}
	var clauses []string
	if len(differ) > 0 {
		clauses = append(clauses, "not the same "+and(differ))
	}
	if len(unclear) > 0 {
		clauses = append(clauses, and(unclear)+" not known")
	}
	return strings.Join(clauses, ", ")
}

// and joins names as in "a, b and c".
func and(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// only names the cells that one record alone has.
func (p *page) only(name string, cells []string) {
	if len(cells) > 0 {
		p.item("Only in "+name, strings.Join(cells, "; "))
	}
}
