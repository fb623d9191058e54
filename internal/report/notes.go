package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// notes explain how the figures above them are meant, only those that occur there. form is how the figures are laid out.
func (v view) notes(form layoutForm, width int) []string {
	return typeset.Wrap(strings.Join(v.noteList(form), " "), "", "", width)
}

// noteList is the notes, a sentence or two each.
func (v view) noteList(form layoutForm) []string {
	some := func(is func(c summary.Cell) bool) bool { return slices.ContainsFunc(v.cells, is) }
	var notes []string
	if some(func(c summary.Cell) bool { return c.EpochComputed && c.EpochSeconds.OK }) {
		steps := v.rec.Plan.Samples / v.cells[0].BatchSize
		notes = append(notes, fmt.Sprintf("~ is computed from the steady state: ms/step times the %s of an epoch.", typeset.Counted(steps, "step")))
	}
	if some(func(c summary.Cell) bool { return c.TimesFit.OK }) {
		notes = append(notes, "x fit: ratio of the medians to "+v.fitCell().Cell.String()+".")
	} else {
		notes = append(notes, "x fit takes a finished "+summary.Reference().String()+", which is not here.")
	}
	notes = append(notes, v.coresNote())
	notes = append(notes, v.ownWaysNotes()...)
	if form == oneTable && v.ranTwice() {
		notes = append(notes, "Peak memory: compiled / eager.")
	}
	if v.hasSpread() {
		notes = append(notes, spreadNote(form))
	}
	if some(func(c summary.Cell) bool { return c.Used > 0 && !c.Conclusive }) {
		notes = append(notes, "* not to be concluded from, see the warning.")
	}
	return append(notes, v.emptyNotes(form)...)
}

// ownWaysNotes tell what is particular to a framework's cells: several steps a call, and steps that its compile() leaves op by op.
func (v view) ownWaysNotes() []string {
	var notes []string
	if i := slices.IndexFunc(v.cells, func(c summary.Cell) bool { return c.StepsPerExecution > 1 }); i >= 0 {
		c := v.cells[i]
		notes = append(notes, fmt.Sprintf("%s: %d steps in one call (steps_per_execution).", typeset.ASCII(c.Way()), c.StepsPerExecution))
	}
	var uncompiled []string
	for _, r := range v.rec.Runs {
		if name := r.Cell().String(); r.OpByOp && !slices.Contains(uncompiled, name) {
			uncompiled = append(uncompiled, name)
		}
	}
	if len(uncompiled) > 0 {
		notes = append(notes, fmt.Sprintf("Run op by op in this version, although called compiled: %s.", typeset.ASCII(strings.Join(uncompiled, ", "))))
	}
	return notes
}

func (v view) coresNote() string {
	if v.rec.Environment.UsableCores == 0 {
		return "CPU: 100 % is one core."
	}
	return fmt.Sprintf("CPU: 100 %% is one core of %d.", v.rec.Environment.UsableCores)
}

// emptyNotes explain the places without figures.
func (v view) emptyNotes(form layoutForm) []string {
	var notes []string
	if v.unmeasured() {
		notes = append(notes, "- could not be measured.")
	}
	if cells := v.unplanned(); form != blocksForm && len(cells) > 0 {
		names := make([]string, len(cells))
		for i, c := range cells {
			names[i] = c.String()
		}
		note := fmt.Sprintf("%s: not in this plan", notRun)
		if !v.byFramework() { // which may lack that cell
			note += "; try --modes " + strings.Join(names, ",")
		}
		notes = append(notes, note+".")
	}
	if slices.ContainsFunc(v.cells, func(c summary.Cell) bool { return c.Planned && c.Runs == 0 }) {
		notes = append(notes, notYet+": planned, but not reached.")
	}
	return notes
}

// unmeasured tells whether a cell with a measured step has a dash in one of the other columns; x fit has a note of its own.
func (v view) unmeasured() bool {
	return slices.ContainsFunc(v.cells, func(c summary.Cell) bool {
		return c.Used > 0 && !(c.StepMilliseconds.OK && c.SteadyCPUPercent.OK && c.EpochSeconds.OK && c.PeakRSSBytes.OK)
	})
}

// unplanned are the cells of the table that the plan does not name.
func (v view) unplanned() []record.Cell {
	var cells []record.Cell
	for _, way := range v.ways() {
		for _, g := range v.groups() {
			if _, ok := g.cell(way); !ok {
				cells = append(cells, way.In(g.execution))
			}
		}
	}
	return cells
}

// hasSpread tells whether a spread over rounds is shown anywhere.
func (v view) hasSpread() bool {
	return slices.ContainsFunc(v.cells, func(c summary.Cell) bool { return c.StepMilliseconds.HasSpread })
}

// spreadNote defines the spread, of which a table has room for one a column.
func spreadNote(form layoutForm) string {
	if form != blocksForm {
		return "Spread: half the range of the rounds over their median, of the mode where it is widest."
	}
	return "Spread: half the range of the rounds over their median."
}

// ranTwice tells whether a mode ran under more than one execution.
func (v view) ranTwice() bool {
	runs := map[string]int{}
	for _, c := range v.cells {
		if c.Runs > 0 {
			runs[c.Way()]++
		}
		if runs[c.Way()] > 1 {
			return true
		}
	}
	return false
}

// caption names the view where a record holds several.
func (v view) caption(width int) []string { return typeset.Wrap(v.name(), "", "  ", width) }

// name is the view's engine and batch size.
func (v view) name() string {
	c := v.cells[0]
	return fmt.Sprintf("engine %s, batch %s", typeset.ASCII(c.Engine), typeset.Integer(c.BatchSize))
}

// failed lists the runs that ended with an error.
func failed(failures []summary.Failure, width int) []string {
	var lines []string
	for _, f := range failures {
		lines = append(lines, typeset.Wrap("FAILED "+typeset.ASCII(f.String()), "", "  ", width)...)
	}
	return lines
}
