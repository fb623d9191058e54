package report

import (
	"io"
	"slices"
	"strings"

	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// Markdown writes each record as a section for a pull request or a job's summary, in GitHub's dialect: a heading that says what was
// run, the figures with one row a cell (of a sweep, one table a figure with a column a size), notes, failed runs, and the answer as a list with its warnings above it. The figures and
// sentences are those of Table. The error is w's.
func Markdown(w io.Writer, recs []record.Record, o Options) error {
	var b strings.Builder
	for i, rec := range recs {
		title := "fitbench: " + markdownText(subject(rec.Plan))
		if len(recs) > 1 {
			title = codeSpan(o.source(i)) + ": " + markdownText(subject(rec.Plan))
		}
		parts := append([]string{"### " + title}, markdownSection(rec, o)...)
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(strings.Join(parts, "\n\n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownSection is everything below a record's heading, block by block.
func markdownSection(rec record.Record, o Options) []string {
	differences := footing.Check(rec.Runs)
	how := []string{machine(rec), engines(rec), schedule(rec)}
	if equal := equalFooting(rec.Runs); equal != "" && len(differences) == 0 {
		how = append(how, equal)
	}
	blocks := []string{markdownParts(how), markdownParts(build(rec.Environment))}
	for _, d := range differences {
		blocks = append(blocks, "**NOT ON AN EQUAL FOOTING, do not compare:** "+codeSpan(d.Error()))
	}
	views := viewsOf(rec)
	if isSweep(rec) {
		blocks = append(blocks, markdownSweep(rec, views[0].sum)...)
	} else {
		blocks = append(blocks, markdownFigures(views)...)
	}
	if failures := views[0].sum.Failures; len(failures) > 0 {
		blocks = append(blocks, "**Failed**", markdownFailures(failures))
	}
	if o.NoAnswer {
		return blocks
	}
	return append(blocks, markdownAnswer(rec, views)...)
}

// build is the machine and the program, as far as they are known.
func build(e record.Environment) []string {
	parts := []string{e.CPUModel, e.OS + "/" + e.Arch, e.Go}
	if e.Revision != "" {
		parts = append(parts, "revision "+e.Revision)
	}
	if e.GOGC != "" {
		parts = append(parts, "GOGC="+e.GOGC)
	}
	if e.GODEBUG != "" {
		parts = append(parts, "GODEBUG="+e.GODEBUG)
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "/" })
}

// markdownFigures are the tables with what explains them: a note that an earlier table has is not said again.
func markdownFigures(views []view) []string {
	var blocks, said []string
	for _, v := range views {
		if len(views) > 1 {
			blocks = append(blocks, "**"+markdownText(v.name())+"**")
		}
		if len(v.groups()) == 0 {
			blocks = append(blocks, nothingEnded)
			continue
		}
		blocks = append(blocks, v.markdownTable())
		var notes []string
		for _, note := range v.noteList(blocksForm) {
			if !slices.Contains(said, note) {
				notes = append(notes, note)
			}
		}
		said = append(said, notes...)
		if len(notes) > 0 {
			blocks = append(blocks, markdownParagraph(markdownText(strings.Join(notes, " "))))
		}
	}
	return blocks
}

// markdownTable is the view's figures, a row a cell.
func (v view) markdownTable() string {
	columns := v.blockFigures()
	head := []string{"a batch comes from", "step"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	rows := [][]string{head}
	for _, c := range v.cells {
		row := append([]string{v.title(c.Cell), typeset.ASCII(c.Execution)}, texts(c, columns)...)
		rows = append(rows, row)
	}
	return pipeTable(markdownRows(rows), 2)
}

// markdownFailures is a list; the errors are quoted as they are, on one line each.
func markdownFailures(failures []summary.Failure) string {
	items := make([]string, len(failures))
	for i, f := range failures {
		items[i] = "- " + codeSpan(f.String())
	}
	return strings.Join(items, "\n")
}

// markdownAnswer is the warnings and then the other statements.
func markdownAnswer(rec record.Record, views []view) []string {
	var warnings, items []string
	for _, l := range Answer(rec) {
		if l.Title == warningTitle {
			warnings = append(warnings, "> **Warning:** "+markdownText(l.Text))
			continue
		}
		items = append(items, "- **"+markdownText(l.Title)+":** "+markdownText(l.Text))
	}
	if len(items) == 0 {
		return warnings
	}
	if len(views) > 1 && !isSweep(rec) {
		warnings = append(warnings, "Of "+markdownText(views[0].name())+":")
	}
	return append(warnings, strings.Join(items, "\n"))
}
