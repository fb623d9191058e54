package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fitbench/internal/record"
)

// CheckMarkdown writes a check fit for a pull request or the summary of a job.
func CheckMarkdown(w io.Writer, c CheckResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### fitbench check: %s\n\n%s. %s.\n", markdownText(c.concluded()), markdownText(c.Title), markdownText(c.How))
	for _, rows := range [][]CheckRow{c.Rows, c.Shown} {
		if len(rows) == 0 {
			continue
		}
		grid := checkGrid(rows)
		for _, row := range grid[1:] {
			for i := range row {
				row[i] = markdownText(row[i])
			}
		}
		b.WriteString("\n" + pipeTable(grid, 1) + "\n")
	}
	for i, list := range [][]string{c.warnings(), c.Notes} {
		if len(list) == 0 {
			continue
		}
		b.WriteString("\n")
		for _, text := range list {
			b.WriteString("- " + []string{"**Warning:** ", ""}[i] + markdownText(text) + ".\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// checkJSON is the JSON form of a check.
type checkJSON struct {
	Verdict     string         `json:"verdict"`
	NotCompared []string       `json:"not_compared,omitempty"`
	Title       string         `json:"title"`
	How         string         `json:"how"`
	Figures     []checkRowJSON `json:"figures"`
	Shown       []checkRowJSON `json:"shown,omitempty"`
	Warnings    []string       `json:"warnings,omitempty"`
	Notes       []string       `json:"notes,omitempty"`
	Record      record.Record  `json:"record"`
}

type checkRowJSON struct {
	Figure     string   `json:"figure"`
	Base       *float64 `json:"base,omitempty"`
	Head       *float64 `json:"head,omitempty"`
	Change     *float64 `json:"change,omitempty"`
	Low        *float64 `json:"change_low,omitempty"`
	High       *float64 `json:"change_high,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Twin       *float64 `json:"base_base_change,omitempty"`
	Pairs      int      `json:"pairs,omitempty"`
	Verdict    string   `json:"verdict,omitempty"`
	Note       string   `json:"note,omitempty"`
}

// CheckJSON writes a check with its record. Changes and confidences are fractions, 0.05 for 5 %.
func CheckJSON(w io.Writer, c CheckResult) error {
	rows := func(all []CheckRow) []checkRowJSON {
		out := make([]checkRowJSON, len(all))
		for i, r := range all {
			out[i] = checkRowJSON(r)
		}
		return out
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(checkJSON{
		Verdict: c.Verdict, NotCompared: c.NotCompared, Title: c.Title, How: c.How, Figures: rows(c.Rows), Shown: rows(c.Shown),
		Warnings: c.Warnings, Notes: c.Notes, Record: c.Record,
	})
}
