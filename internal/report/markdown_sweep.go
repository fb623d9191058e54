package report

import (
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// markdownSweep is the tables of a record of several batch sizes, a column a size, with their notes.
func markdownSweep(rec record.Record, sum summary.Summary) []string {
	var blocks []string
	all := sweepsOf(rec, sum)
	for _, s := range all {
		if len(all) > 1 {
			blocks = append(blocks, "**"+markdownText("engine "+typeset.ASCII(s.engine))+"**")
		}
		for _, f := range sweepFigures() {
			blocks = append(blocks, pipeTable(markdownRows(s.grid(f, 0, len(s.sizes)).Rows), 1))
		}
	}
	return append(blocks, markdownParagraph(markdownText(strings.Join(sweepNotes(rec, sum, MaxWidth), " "))))
}

// markdownRows are the rows of a grid with their texts as Markdown.
func markdownRows(rows [][]string) [][]string {
	all := make([][]string, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			all[i] = append(all[i], markdownText(cell))
		}
	}
	return all
}
