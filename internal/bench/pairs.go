package bench

import (
	"context"
	"math"
	"slices"

	"fitbench/internal/footing"
	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// Next is the next pass of Pairs; without any cell there is none.
type Next struct {
	// Again are cells whose turns do not count: the pass is of those alone, in the same order and of the same round.
	Again []record.Cell
	// Cells are those of the next round, which it is where no turn is done again.
	Cells []record.Cell
}

// Pairs runs round after round of every cell by every engine until judge says that it is enough: the runs of one cell follow on one
// another, a turn of it, so that they share what the machine does at that time, their engines in an order that goes through all
// permutations, and the cells in a balanced order.
//
// judge is given the runs of a pass, whole turns, and tells what comes next. Of the runs of one cell in one round the last turn counts.
//
// Of runs that were too short to tell what else used the machine meanwhile, that is told by what did in the whole turn, and where that
// is too short as well, in as many turns around it as it takes: those before it, and for the first turns of a pass those behind.
//
// A failed run ends it, as nothing can be told without that, and so do runs that are not on an equal footing, as soon as a pass has
// shown that. The record and the error are as of Run, but that the plan's Rounds are the rounds that have begun.
func Pairs(ctx context.Context, o Options, judge func(runs []record.Run) Next) (record.Record, error) {
	if o.MaxRounds == 0 {
		o.MaxRounds = math.MaxInt32
	}
	o.Plan.Rounds = o.MaxRounds // what is to come, as the progress shows it; what has been is set with each round
	b := newBenchmark(o)
	b.record.Plan.Rounds = 0
	err := b.pairs(ctx, judge)
	return b.record, b.onEqualFooting(err)
}

func (b *benchmark) pairs(ctx context.Context, judge func(runs []record.Run) Next) error {
	pending := b.Plan.Cells
	for round := 0; round < b.MaxRounds; {
		from := len(b.record.Runs)
		if err := b.pass(ctx, round, pending); err != nil {
			return err
		}
		runs := b.record.Runs[from:]
		if runs[len(runs)-1].Error != "" || b.unequal(runs) {
			return nil // it is in the record
		}
		next := judge(runs)
		if pending = next.Again; len(pending) == 0 {
			pending = next.Cells
			round++
		}
		if len(pending) == 0 {
			return nil
		}
	}
	return nil
}

// unequal tells whether runs are not on an equal footing with those of the first round, which has every lane. All that were are so with
// each other, so that not all need to be looked at again.
func (b *benchmark) unequal(runs []record.Run) bool {
	first := b.record.Runs[:min(len(b.lanes), len(b.record.Runs)-len(runs))]
	return len(footing.Check(slices.Concat(first, runs))) > 0
}

// pass does the turns of some cells, up to a run that fails.
func (b *benchmark) pass(ctx context.Context, round int, cells []record.Cell) error {
	order := slices.DeleteFunc(b.pairedOrder(round), func(lane int) bool { return !slices.Contains(cells, b.lanes[lane].cell) })
	first := len(b.record.Runs)
	for turn := range slices.Chunk(order, len(b.Engines)) {
		if ctx.Err() == nil {
			b.record.Plan.Rounds = round + 1
		}
		if err := b.turn(ctx, turn, round+1, first); err != nil {
			return err
		}
		if b.record.Runs[len(b.record.Runs)-1].Error != "" {
			return nil
		}
	}
	return nil
}

// turn does the runs of one cell, up to one that fails. first is the pass's first run: those before have been judged.
func (b *benchmark) turn(ctx context.Context, lanes []int, round, first int) error {
	b.others = append(b.others, watched{len(b.record.Runs), b.WatchOthers()})
	for _, lane := range lanes {
		if err := b.run(ctx, lane, round); err != nil {
			return err
		}
		if b.record.Runs[len(b.record.Runs)-1].Error != "" {
			break
		}
	}
	from, others := b.others.read()
	return b.complete(b.record.Runs[max(from, first):], others)
}

// watched is what others do since the beginning of a turn, whose first run has that index.
type watched struct {
	from int
	read func() meter.Disturbance
}

// watches are those of several turns, the latest last.
type watches []watched

// read is what the latest one tells that has been watching for long enough, from which run on, and forgets those before that; all where
// it tells of a disturbance, which later turns are not to blame for. Where none tells, as some systems do not, a few are kept.
func (w *watches) read() (from int, d meter.Disturbance) {
	for i, watch := range slices.Backward(*w) {
		d := watch.read()
		if d.Disturbed() {
			*w = nil
			return watch.from, d
		}
		if d.OtherCPUPercent != nil {
			*w = (*w)[i:]
			return watch.from, d
		}
	}
	const kept = 10
	*w = (*w)[max(0, len(*w)-kept):]
	return 0, meter.Disturbance{}
}

// complete gives the runs that do not tell what others did what those did in all the time of the turns.
func (b *benchmark) complete(runs []record.Run, others meter.Disturbance) error {
	if others.OtherCPUPercent == nil {
		return nil
	}
	completed := false
	for i := range runs {
		r := &runs[i]
		if r.OtherCPUPercent != nil || r.Disturbed || r.Error != "" {
			continue
		}
		r.OtherCPUPercent, completed = others.OtherCPUPercent, true
		if r.StealPercent == nil {
			r.StealPercent = others.StealPercent
		}
		if r.Disturbed = others.Disturbed(); r.Disturbed {
			b.disturbed++
		}
	}
	if completed {
		return b.save()
	}
	return nil
}

// pairedOrder is the lanes of one round, which counts from 0. Lanes lie engine by engine, the cells of each one behind the other.
func (b *benchmark) pairedOrder(round int) []int {
	cells, engines := len(b.lanes)/len(b.Engines), len(b.Engines)
	orders := permutations(engines)
	var order []int
	for _, cell := range williamsRow(cells, round) {
		for _, e := range orders[(round+cell)%len(orders)] {
			order = append(order, e*cells+cell)
		}
	}
	return order
}

// permutations are all orders of so many things, from the ascending one on, each followed by its reverse: so a steady drift is balanced
// after two.
func permutations(n int) [][]int {
	if n <= 1 {
		return [][]int{make([]int, n)}
	}
	var all [][]int
	for _, rest := range permutations(n - 1) {
		for at := n - 1; at >= 0; at-- {
			p := append(append(append([]int{}, rest[:at]...), n-1), rest[at:]...)
			if slices.ContainsFunc(all, func(q []int) bool { return slices.Equal(p, q) }) {
				continue
			}
			reversed := slices.Clone(p)
			slices.Reverse(reversed)
			all = append(all, p, reversed)
		}
	}
	return all
}
