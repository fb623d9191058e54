package summary

import (
	"cmp"
	"fmt"
	"strings"

	"fitbench/internal/record"
)

// Warning is a doubt about figures that are shown all the same.
type Warning struct {
	// Cells are those whose figures are in doubt, Names their labels; All tells that these are all that have figures.
	Cells []record.Cell
	Names []string
	All   bool
	// Why says what is wrong, as a clause that follows the cells' names; Do says what to do about it, as a sentence.
	Why, Do string
}

// Subject names the cells.
func (w Warning) Subject() string {
	if w.All && len(w.Cells) > 1 {
		return "all cells"
	}
	return NameSome(w.Names)
}

// maxNames is the number of cells that are named one by one.
const maxNames = 8

// NameSome lists names, or tells how many there are where that is clearer.
func NameSome(names []string) string {
	if len(names) > maxNames {
		return fmt.Sprintf("%d cells, as %s", len(names), strings.Join(names[:2], ", "))
	}
	return strings.Join(names, ", ")
}

// String is the warning as a text of one line.
func (w Warning) String() string { return fmt.Sprintf("%s: %s. %s", w.Subject(), w.Why, w.Do) }

// injected warns of runs that had work added on purpose.
func injected(cells []Cell) (Warning, bool) {
	what := ""
	w, ok := warning(cells, func(c Cell) bool {
		what = cmp.Or(what, c.Injected)
		return c.Injected != ""
	})
	w.Why = fmt.Sprintf("work was added to these runs on purpose (%s), to test a check, so their times are not the program's own", what)
	w.Do = "Run again without it to learn of the program."
	return w, ok
}

// warnings are the doubts that cells are under. A cell whose runs were disturbed is not named again for their spread.
func warnings(cells []Cell) []Warning {
	var all []Warning
	if w, ok := injected(cells); ok {
		all = append(all, w)
	}
	if w, ok := warning(cells, func(c Cell) bool { return c.UsedDisturbed }); ok {
		w.Why = fmt.Sprintf("disturbed (over 10 %% of a core of steal or of other load), with fewer than %d undisturbed rounds; "+
			"the medians are over all finished runs, and nothing is concluded from these times", MinUndisturbed)
		w.Do = adviceForDisturbed(cells)
		all = append(all, w)
	}
	if w, ok := warning(cells, func(c Cell) bool { return c.Scattered && !c.UsedDisturbed }); ok {
		w.Why = fmt.Sprintf("the rounds lie too far apart (a spread over %.0f %%), so nothing is concluded from their times", MaxSpread*100)
		w.Do = "Run again on a quieter machine, or with longer runs."
		all = append(all, w)
	}
	return all
}

// warning gathers the cells in doubt among those that have figures.
func warning(cells []Cell, doubt func(Cell) bool) (w Warning, ok bool) {
	w.All = true
	for _, c := range cells {
		switch {
		case c.Used == 0:
		case doubt(c):
			w.Cells = append(w.Cells, c.Cell)
			w.Names = append(w.Names, c.Label)
		default:
			w.All = false
		}
	}
	return w, len(w.Cells) > 0
}

// adviceForDisturbed recommends more rounds only where some rounds were quiet: where none was, more are as disturbed.
func adviceForDisturbed(cells []Cell) string {
	for _, c := range cells {
		if c.UsedDisturbed && c.Disturbed+c.Failed+c.Unwatched == c.Runs {
			return "More rounds would not help where every one was disturbed: end other programs, " +
				"or wait until the machine is quiet, and run again."
		}
	}
	return fmt.Sprintf("End other programs and run again, or take more --rounds: "+
		"disturbed ones are left out where %d undisturbed remain.", MinUndisturbed)
}
