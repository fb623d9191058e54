package report

import (
	"encoding/json"
	"fmt"
	"io"
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
	// Change is head over base minus 1, Low and High bound it; nil where not known.
	Change, Low, High *float64
	Verdict           string
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
	Notes []string
	// Verdict is that of the whole.
	Verdict string
	Record  record.Record
}

// checkHead are the columns of a check's table.
func checkHead() []string {
	return []string{"figure", "base", "head", "change", "interval", "verdict"}
}

// cells are a row's texts.
func (r CheckRow) cells() []string {
	interval := typeset.Absent
	if r.Low != nil && r.High != nil {
		interval = typeset.SignedPercent(*r.Low) + " to " + typeset.SignedPercent(*r.High)
	}
	return []string{typeset.ASCII(r.Figure), figureText(r.Base), figureText(r.Head), changeText(r.Change), interval, typeset.ASCII(r.Verdict)}
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

// notes are those of the rows, then those of the whole.
func (c CheckResult) notes() []string {
	var notes []string
	for _, r := range c.Rows {
		if r.Note != "" {
			notes = append(notes, r.Figure+": "+r.Note)
		}
	}
	return append(notes, c.Notes...)
}

// CheckTable writes a check as a table.
func CheckTable(w io.Writer, c CheckResult, o Options) error {
	width := o.lineWidth()
	lines := append(typeset.Wrap(typeset.ASCII(c.Title), "", "  ", width), typeset.Wrap(typeset.ASCII(c.How), "", "  ", width)...)
	for _, rows := range [][]CheckRow{c.Rows, c.Shown} {
		if len(rows) == 0 {
			continue
		}
		table, err := checkLines(rows, width)
		if err != nil {
			return err
		}
		lines = append(append(lines, ""), table...)
	}
	lines = append(lines, "")
	if !o.NoAnswer {
		for _, note := range c.notes() {
			lines = append(lines, typeset.Wrap(typeset.ASCII(note)+".", "", "  ", width)...)
		}
	}
	lines = append(lines, "Verdict: "+typeset.ASCII(c.Verdict))
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// checkLines is a table of rows, or a block for each where lines are too short for that.
func checkLines(rows []CheckRow, width int) ([]string, error) {
	g := typeset.Grid{Gaps: []int{0, 3, 3, 3, 3, 3}, Rows: [][]string{checkHead()}}
	for _, r := range rows {
		g.Rows = append(g.Rows, r.cells())
	}
	if g.Width() <= width {
		return g.Lines()
	}
	var lines []string
	for _, row := range g.Rows[1:] {
		lines = append(lines, typeset.Wrap(row[0], "", "  ", width)...)
		for i, text := range row[1:] {
			lines = append(lines, typeset.Wrap(text, "  "+checkHead()[i+1]+" ", "    ", width)...)
		}
	}
	return lines, nil
}

// CheckMarkdown writes a check fit for a pull request or the summary of a job.
func CheckMarkdown(w io.Writer, c CheckResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### fitbench check: %s\n\n%s. %s.\n", markdownText(c.Verdict), markdownText(c.Title), markdownText(c.How))
	for _, rows := range [][]CheckRow{c.Rows, c.Shown} {
		if len(rows) == 0 {
			continue
		}
		b.WriteString("\n| " + strings.Join(checkHead(), " | ") + " |\n| --- | ---: | ---: | ---: | ---: | --- |\n")
		for _, r := range rows {
			cells := r.cells()
			for i := range cells {
				cells[i] = markdownText(cells[i])
			}
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
	}
	if notes := c.notes(); len(notes) > 0 {
		b.WriteString("\n")
		for _, note := range notes {
			b.WriteString("- " + markdownText(note) + ".\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// checkJSON is the JSON form of a check.
type checkJSON struct {
	Verdict string         `json:"verdict"`
	Title   string         `json:"title"`
	How     string         `json:"how"`
	Figures []checkRowJSON `json:"figures"`
	Shown   []checkRowJSON `json:"shown,omitempty"`
	Notes   []string       `json:"notes,omitempty"`
	Record  record.Record  `json:"record"`
}

type checkRowJSON struct {
	Figure  string   `json:"figure"`
	Base    *float64 `json:"base,omitempty"`
	Head    *float64 `json:"head,omitempty"`
	Change  *float64 `json:"change,omitempty"`
	Low     *float64 `json:"change_low,omitempty"`
	High    *float64 `json:"change_high,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	Note    string   `json:"note,omitempty"`
}

// CheckJSON writes a check with its record. Changes are fractions, 0.05 for 5 %.
func CheckJSON(w io.Writer, c CheckResult) error {
	rows := func(all []CheckRow) []checkRowJSON {
		out := make([]checkRowJSON, len(all))
		for i, r := range all {
			out[i] = checkRowJSON(r)
		}
		return out
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(checkJSON{
		Verdict: c.Verdict, Title: c.Title, How: c.How, Figures: rows(c.Rows), Shown: rows(c.Shown), Notes: c.Notes, Record: c.Record,
	})
}
