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
	mean                 // of the runs that did not fail
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
		t.add(d)
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

// estimate is an expected duration.
type estimate struct {
	duration time.Duration
	known    bool
	// rough is true where the pace is that of another execution.
	rough bool
}

// own is the expected duration of one run of the cell by its own pace: the mean of its runs so far, or what its last failed one
// took where there are no others. Unknown where none has ended.
func (f *forecast) own(cell int) estimate {
	t := f.took[cell]
	if t.n > 0 {
		return estimate{duration: t.value(), known: true}
	}
	return estimate{duration: t.failed, known: t.failed > 0}
}

// run is the expected duration of one run of the cell, by its own pace or else by that of other cells. running is the cell under
// way, or -1, and pace its expected duration.
func (f *forecast) run(cell, running int, pace estimate) estimate {
	if cell == running && pace.known {
		return pace
	}
	if own := f.own(cell); own.known {
		return own
	}
	return f.byOthers(cell, running, pace)
}

// byOthers is the mean of the known cells of the same execution, or else of all. What a failed run took says nothing of other cells.
func (f *forecast) byOthers(cell, running int, pace estimate) estimate {
	var same, all mean
	for i, c := range f.cells {
		d := f.took[i].value()
		switch {
		case i == running && pace.known:
			d = pace.duration
		case f.took[i].n == 0:
			continue
		}
		all.add(d)
		if c.Execution == f.cells[cell].Execution {
			same.add(d)
		}
	}
	if same.n > 0 {
		return estimate{duration: same.value(), known: true}
	}
	return estimate{duration: all.value(), known: all.n > 0, rough: true}
}

// rest is the expected duration of all runs that have not begun; running and pace are as for run.
func (f *forecast) rest(running int, pace estimate) estimate {
	sum := estimate{known: true}
	for i, left := range f.left {
		if left == 0 {
			continue
		}
		e := f.run(i, running, pace)
		sum.duration += time.Duration(left) * e.duration
		sum.known, sum.rough = sum.known && e.known, sum.rough || e.rough
	}
	return sum
}

// mean is that of durations.
type mean struct {
	sum time.Duration
	n   int
}

func (m *mean) add(d time.Duration) {
	m.sum += d
	m.n++
}

// value is 0 where nothing was added.
func (m *mean) value() time.Duration { return m.sum / time.Duration(max(m.n, 1)) }
