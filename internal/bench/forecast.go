package bench

import (
	"time"
)

// forecast estimates how long the rest of a plan takes from what its runs have taken so far.
type forecast struct {
	lanes []lane
	left  []int // runs of each lane that have not begun
	took  []took
}

// took is what runs of one lane have taken, from the start of the process to its end.
type took struct {
	mean                 // of the runs that did not fail
	failed time.Duration // the last one that did; 0 where none has
}

func newForecast(lanes []lane, rounds int) *forecast {
	f := &forecast{lanes: lanes, left: make([]int, len(lanes)), took: make([]took, len(lanes))}
	for i := range f.left {
		f.left[i] = rounds
	}
	return f
}

// end takes the duration of a run that ended. A lane that is given up has no runs left.
func (f *forecast) end(lane int, d time.Duration, failed, givenUp bool) {
	t := &f.took[lane]
	if failed {
		t.failed = d
	} else {
		t.add(d)
	}
	if givenUp {
		f.left[lane] = 0
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
	// rough is true where the pace is that of another execution or batch size.
	rough bool
}

// own is the expected duration of one run of the lane by its own pace: the mean of its runs so far, or what its last failed one
// took where there are no others. Unknown where none has ended.
func (f *forecast) own(lane int) estimate {
	t := f.took[lane]
	if t.n > 0 {
		return estimate{duration: t.value(), known: true}
	}
	return estimate{duration: t.failed, known: t.failed > 0}
}

// run is the expected duration of one run of the lane, by its own pace or else by that of others. running is the lane under
// way, or -1, and pace its expected duration.
func (f *forecast) run(lane, running int, pace estimate) estimate {
	if lane == running && pace.known {
		return pace
	}
	if own := f.own(lane); own.known {
		return own
	}
	return f.byOthers(lane, running, pace)
}

// byOthers is the mean of the known lanes of the same execution and batch size, or else of all. What a failed run took says nothing of others.
func (f *forecast) byOthers(lane, running int, pace estimate) estimate {
	var same, all mean
	for i, l := range f.lanes {
		d := f.took[i].value()
		switch {
		case i == running && pace.known:
			d = pace.duration
		case f.took[i].n == 0:
			continue
		}
		all.add(d)
		if l.cell.Execution == f.lanes[lane].cell.Execution && l.batchSize == f.lanes[lane].batchSize {
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
