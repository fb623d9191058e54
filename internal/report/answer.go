package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/footing"
	"fitbench/internal/recipe"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// Line is one statement of the answer.
type Line struct {
	// Title says in a few words what the statement is about.
	Title string
	// Text is one or more sentences in ASCII, on one line.
	Text string
}

// Answer is what the record tells about the question: whether the input or the model takes the time, where the gap between the
// modes comes from, and which lean way keeps fit's speed. Each line was measured in these runs or is left out; so is each line that
// rests on the time of a cell from which nothing can be concluded, and a warning then says why and what to do. Where the runs did not
// train alike, nothing is concluded from times at all. The lines are about the engine and the batch size of the record's first run, and
// about every framework of the user's, which they name; where the record has several sizes by design, they tell how each mode's time
// goes with the size instead.
func Answer(rec record.Record) []Line {
	// Modules whose recipes cannot be read are found by that package's tests; here they are no reason to say nothing else.
	book, _ := recipe.Carried()
	return answer(rec, book)
}

// answer names the recipes of the book beside the modes that have one.
func answer(rec record.Record, book recipe.Book) []Line {
	if isSweep(rec) {
		return sweepAnswer(rec, summary.Of(rec))
	}
	views := viewsOf(rec)
	v := views[0]
	lines := about(views)
	alike := len(footing.Check(rec.Runs)) == 0
	if alike {
		lines = append(lines, v.conclusions()...)
		for _, f := range frameworks(views, book) {
			lines = append(lines, f.conclusions()...)
		}
	}
	lines = append(lines, v.facts(alike)...)
	lines = append(append(lines, stated([]statement{{"Loss", v.loss}})...), frameworkLosses(views)...)
	lines = append(append(lines, stated([]statement{{"Noise", v.noise}})...), othersNoise(views)...)
	for _, w := range v.sum.Warnings {
		lines = append(lines, Line{Title: warningTitle, Text: typeset.ASCII(w.String())})
	}
	if !alike {
		lines = append(lines, Line{Title: warningTitle, Text: unequal})
	}
	return lines
}

// about says of which of several views the lines speak.
func about(views []view) []Line {
	if len(views) < 2 {
		return nil
	}
	c, but := views[0].cells[0], ""
	if slices.ContainsFunc(views[1:], view.byFramework) {
		but = ", where it does not name another"
	}
	return []Line{{Title: "About", Text: typeset.ASCII(fmt.Sprintf("what follows is about engine %s at batch %s alone, the first of those above%s.",
		c.Engine, typeset.Integer(c.BatchSize), but))}}
}

// warningTitle is the title of doubts.
const warningTitle = "Warning"

// unequal is said where the digests differ.
const unequal = "the runs did not train alike, so nothing is concluded from their times. Check this build with fitbench verify, " +
	"and run again; the digests of each run are in the JSON record."

// statement is a line that may have nothing to say, which is the empty text.
type statement struct {
	title string
	text  func() string
}

// conclusions are the lines that compare cells of an engine that is no framework of the user's: of those nothing is known inside a step.
func (v view) conclusions() []Line {
	if v.byFramework() {
		return nil
	}
	return stated([]statement{
		{"Input or model", v.inputOrModel},
		{"Feed or step", v.feedOrStep},
		{leanTitle, v.lean},
		{"Where the gap is", v.where},
		{"More workers", v.workers},
		{"At your step time", v.added},
		{"One time", v.oneTime},
		{"Against eager fit", v.againstEagerFit},
		{"As TensorFlow 2.0.0", v.asReported},
	})
}

const leanTitle = "Lean at fit's speed"

// stated are the statements that have something to say.
func stated(all []statement) []Line {
	var lines []Line
	for _, s := range all {
		if text := s.text(); text != "" {
			lines = append(lines, Line{Title: s.title, Text: typeset.ASCII(text)})
		}
	}
	return lines
}

// Layout of the answer: titles in a column of their own where lines are long enough for it.
const (
	titleColumn    = 23
	maxTitleColumn = 30
	minColumnWidth = 70
)

// layout breaks the answer into lines.
func layout(answer []Line, width int) []string {
	var lines []string
	column := titleColumn
	for _, l := range answer {
		column = max(column, min(len(l.Title)+2, maxTitleColumn))
	}
	for _, l := range answer {
		if width < minColumnWidth {
			lines = append(lines, typeset.Wrap(l.Title+":", "", "  ", width)...)
			lines = append(lines, typeset.Wrap(l.Text, "  ", "  ", width)...)
			continue
		}
		first := l.Title + strings.Repeat(" ", max(column-len(l.Title), 1))
		lines = append(lines, typeset.Wrap(l.Text, first, strings.Repeat(" ", column), width)...)
	}
	return lines
}

// conclusive is a cell from which conclusions may be drawn about a step's time.
func (v view) conclusive(mode, execution string) (summary.Cell, bool) {
	for _, c := range v.cells {
		if (c.Cell == record.Cell{Mode: mode, Execution: execution}) {
			return c, usable(c)
		}
	}
	return summary.Cell{}, false
}

func usable(c summary.Cell) bool {
	return c.Conclusive && c.StepMilliseconds.OK && c.StepMilliseconds.Median > 0
}

// oneRound is a caveat for a comparison of cells of which one has no spread, as a sentence behind it.
func oneRound(cells ...summary.Cell) string {
	for _, c := range cells {
		if c.StepMilliseconds.N == 1 {
			return " One round: how sure is not known."
		}
	}
	return ""
}

// fit is the cell that times fit is taken against.
func (v view) fit() (summary.Cell, bool) {
	reference := summary.Reference()
	return v.conclusive(reference.Mode, reference.Execution)
}
