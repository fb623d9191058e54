package check

import (
	"time"

	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/summary"
	"fitbench/internal/verdict"
)

// Found is what a check of two engines found.
type Found struct {
	Verdict verdict.Verdict
	Gates   []GateFound
	Ratios  []Ratio
	// Rounds is the number of those that count. Repeated are turns of a cell that were disturbed and done again, Dropped those disturbed
	// for which there was no time any more; of Unwatched rounds it is not known whether they were disturbed.
	Rounds, Repeated, Dropped, Unwatched int
	Took                                 time.Duration
	// NextLook is the number of rounds after which verdicts would be passed next, Needed the time that this would take in all, where
	// the check ended since that is more than it had; else 0.
	NextLook int
	Needed   time.Duration
	Record   record.Record

	options Options
}

// GateFound is what was found of one gate.
type GateFound struct {
	Gate Gate
	verdict.Result
	// Base and Head are the medians over the rounds of Result; nil before the first.
	Base, Head *float64
}

// Ratio is ms a step of a cell in times that of fit@compiled, in both. It is shown and never judged: what slows down all modes alike
// leaves it as it is.
type Ratio struct {
	Cell       record.Cell
	Base, Head float64
}

func (c *check) found(rec record.Record) Found {
	f := Found{
		Rounds: len(c.rounds), Repeated: c.repeated, Dropped: c.dropped, Unwatched: c.unwatched(),
		Took: c.ended.Sub(c.began), Needed: c.needed, Ratios: c.ratios(), Record: rec, options: c.Options,
	}
	if c.needed > 0 {
		f.NextLook, _ = c.verdicts.NextLook()
	}
	var all []verdict.Verdict
	for i, r := range c.verdicts.Results() {
		g := c.Gates[i]
		f.Gates = append(f.Gates, GateFound{g, r, c.median(g, record.RoleBase, r.Pairs), c.median(g, record.RoleHead, r.Pairs)})
		all = append(all, r.Verdict)
	}
	f.Verdict = verdict.Overall(all)
	return f
}

// median is that of a gate's figure over the first rounds that count.
func (c *check) median(g Gate, role string, rounds int) *float64 {
	var x []float64
	for _, round := range c.rounds[:rounds] {
		if v := g.figure(round[g.Cell], role); v != nil {
			x = append(x, *v)
		}
	}
	m, ok := stats.Median(x)
	if !ok {
		return nil
	}
	return &m
}

// roundsOf is the number of rounds that have a cell: the first ones, up to its verdict.
func (c *check) roundsOf(cell record.Cell) int {
	n := 0
	for n < len(c.rounds) && c.rounds[n][cell] != nil {
		n++
	}
	return n
}

// ratios are those of all cells but fit@compiled, where that is run.
func (c *check) ratios() []Ratio {
	over := func(cell record.Cell, role string) (float64, bool) {
		both := min(c.roundsOf(cell), c.roundsOf(summary.Reference()))
		step := func(cell record.Cell) *float64 { return c.median(Gate{Cell: cell, metric: metrics()[0]}, role, both) }
		a, b := step(cell), step(summary.Reference())
		if a == nil || b == nil || !(*b > 0) {
			return 0, false
		}
		return *a / *b, true
	}
	var all []Ratio
	for _, cell := range c.Plan.Cells {
		base, inBase := over(cell, record.RoleBase)
		head, inHead := over(cell, record.RoleHead)
		if cell != summary.Reference() && inBase && inHead {
			all = append(all, Ratio{cell, base, head})
		}
	}
	return all
}
