package summary

import (
	"fmt"
	"strings"

	"fitbench/internal/record"
)

// Failure is runs of one cell that ended with the same error.
type Failure struct {
	record.Cell
	Rounds []int
	Error  string
}

// failures gathers the failed runs, in the order of their first appearance.
func failures(runs []record.Run) []Failure {
	var all []Failure
	place := map[string]int{}
	for _, r := range runs {
		if r.Error == "" {
			continue
		}
		id := r.Cell().String() + " " + r.Error
		i, ok := place[id]
		if !ok {
			i = len(all)
			place[id] = i
			all = append(all, Failure{Cell: r.Cell(), Error: r.Error})
		}
		all[i].Rounds = append(all[i].Rounds, r.Round)
	}
	return all
}

// Warning is a doubt about figures that are shown all the same.
type Warning struct {
	// Cells are those whose figures are in doubt.
	Cells []record.Cell
	// Why says what is wrong, as a clause that follows the cells' names; Do says what to do about it, as a sentence.
	Why, Do string
}

// String is the warning as a text of one line.
func (w Warning) String() string {
	names := make([]string, len(w.Cells))
	for i, c := range w.Cells {
		names[i] = c.String()
	}
	return fmt.Sprintf("%s: %s. %s", strings.Join(names, ", "), w.Why, w.Do)
}

// warnings names the cells that had to use disturbed runs.
func warnings(cells []Cell) []Warning {
	var noisy []record.Cell
	for _, c := range cells {
		if c.Used > 0 && !c.Conclusive {
			noisy = append(noisy, c.Cell)
		}
	}
	if len(noisy) == 0 {
		return nil
	}
	return []Warning{{
		Cells: noisy,
		Why: fmt.Sprintf("disturbed runs (over 10 %% of a core of steal or of other load), and fewer than %d undisturbed rounds remain; "+
			"all finished runs are in these medians, and nothing is concluded from them", MinUndisturbed),
		Do: "End other programs or wait until the machine is quiet, and run again, or with more --rounds.",
	}}
}
