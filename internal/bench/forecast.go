package bench

import (
	"time"

	"fitbench/internal/record"
)

// forecast estimates how long the rest of a plan takes from what its runs have taken so far.
type forecast struct {
	cells []record.Cell
	left  []int // runs of each cell that have not begun
	took  []took
}

// took is what runs of one cell have taken, from the start of the process to its end.
type took struct {
	sum    time.Duration // of the runs that did not fail
	runs   int
	failed time.Duration // the last one that did; 0 where none has
}

func newForecast(p record.Plan) *forecast {
	f := &forecast{cells: p.Cells, left: make([]int, len(p.Cells)), took: make([]took, len(p.Cells))}
	for i := range f.left {
		f.left[i] = p.Rounds
	}
	return f
}

// end takes the duration of a run that ended. A cell that is given up has no runs left.
func (f *forecast) end(cell int, d time.Duration, failed, givenUp bool) {
	t := &f.took[cell]
	if failed {
		t.failed = d
	} else {
		t.sum += d
		t.runs++
	}
	if givenUp {
		f.left[cell] = 0
	}
}

// runsLeft is the number of runs that have not begun.
func (f *forecast) runsLeft() int {
	n := 0
	for _, left := range f.left {
		n += left
	}
	return n
}

// run is the expected duration of one run of the cell: the mean of its runs so far, or what its last failed one took where there
// are no others. False where none has ended.
func (f *forecast) run(cell int) (time.Duration, bool) {
	t := f.took[cell]
	if t.runs > 0 {
		return t.sum / time.Duration(t.runs), true
	}
	return t.failed, t.failed > 0
}

// rest is the expected duration of all runs that have not begun. running is the cell under way, or -1, and total its expected
// duration, 0 where unknown. A cell that has not been run counts with the mean of the known ones of the same execution; false
// where there are none.
func (f *forecast) rest(running int, total time.Duration) (time.Duration, bool) {
	expected := make([]time.Duration, len(f.cells))
	for i := range f.cells {
		if d, ok := f.run(i); ok {
			expected[i] = d
		} else if i == running {
			expected[i] = total
		}
	}
	var sum time.Duration
	for i, left := range f.left {
		if left == 0 {
			continue
		}
		d := expected[i]
		if d == 0 {
			d = f.meanOf(f.cells[i].Execution, expected)
		}
		if d == 0 {
			return 0, false
		}
		sum += time.Duration(left) * d
	}
	return sum, true
}

// meanOf is the mean of the durations that are known of an execution's cells, 0 where none is.
func (f *forecast) meanOf(execution string, expected []time.Duration) time.Duration {
	var sum time.Duration
	n := 0
	for i, cell := range f.cells {
		if cell.Execution == execution && expected[i] > 0 {
			sum += expected[i]
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / time.Duration(n)
}
