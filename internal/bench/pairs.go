package bench

import (
	"context"
	"slices"

	"fitbench/internal/record"
)

// Pairs runs round after round of every cell by every engine until more says that it is enough: the runs of one cell follow on one
// another, so that they share what the machine does at that time, their engines in an order that goes through all permutations, and
// the cells in a balanced order. more is given each round's runs. A failed run ends it, as nothing can be told without that.
//
// The record and the error are as of Run; the plan's Rounds bound the rounds.
func Pairs(ctx context.Context, o Options, more func(runs []record.Run) bool) (record.Record, error) {
	b := newBenchmark(o)
	err := b.pairs(ctx, more)
	return b.record, b.onEqualFooting(err)
}

func (b *benchmark) pairs(ctx context.Context, more func(runs []record.Run) bool) error {
	for round := range b.Plan.Rounds {
		from := len(b.record.Runs)
		for _, lane := range b.pairedOrder(round) {
			if err := b.run(ctx, lane, round+1); err != nil {
				return err
			}
			if last := b.record.Runs[len(b.record.Runs)-1]; last.Error != "" {
				return nil // it is in the record
			}
		}
		if !more(b.record.Runs[from:]) {
			return nil
		}
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

// permutations are all orders of so many things, each followed by its reverse: so a steady drift is balanced after two.
func permutations(n int) [][]int {
	if n <= 1 {
		return [][]int{make([]int, n)}
	}
	var all [][]int
	for _, rest := range permutations(n - 1) {
		for at := range n {
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
