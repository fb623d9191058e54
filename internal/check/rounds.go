package check

import (
	"fmt"
	"slices"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/verdict"
)

// check is one under way.
type check struct {
	Options
	verdicts     *verdict.Check
	began, ended time.Time
	// round holds the turns of the round under way that count, rounds those of the complete ones. A turn is the three runs of one cell.
	round  map[record.Cell][]record.Run
	rounds []map[record.Cell][]record.Run
	turns  int // done, disturbed ones too
	// repeated and dropped are turns that were disturbed: done again, and not, as the time was over.
	repeated, dropped int
	// needed is what the check would take in all up to the next look, where that is too much.
	needed time.Duration
	err    error // why nothing can be told
}

// judge takes the runs of a pass: it names the cells whose turns were disturbed, and tells whether it is to go on.
func (c *check) judge(runs []record.Run) (again []record.Cell, more bool) {
	c.ended = c.Now()
	if c.err = c.fit(runs); c.err != nil {
		return nil, false
	}
	for _, cell := range c.Plan.Cells {
		turn := slices.DeleteFunc(slices.Clone(runs), func(r record.Run) bool { return r.Cell() != cell })
		switch {
		case len(turn) == 0:
			continue
		case slices.ContainsFunc(turn, func(r record.Run) bool { return r.Disturbed }):
			again = append(again, cell)
		default:
			c.round[cell] = turn
		}
		c.turns++
	}
	if len(again) == 0 {
		if c.err = c.count(); c.err != nil {
			return nil, false
		}
	}
	more = c.goOn(len(again))
	if more {
		c.repeated += len(again)
	} else {
		c.dropped += len(again)
	}
	return again, more
}

// fit is an error where runs lack what the check needs of them, disturbed or not.
func (c *check) fit(runs []record.Run) error {
	for _, r := range runs {
		if r.Role == record.RoleHead && modes.Injects(c.Inject, r.Cell()) && r.Injected != c.Inject {
			return fmt.Errorf("work was to be added to head on purpose (%s), and its run of %s does not say that it was; an engine that can is needed, as a fitbench of this version",
				c.Inject, r.Cell())
		}
		for _, g := range c.Gates {
			if r.Cell() == g.Cell && g.metric.of(r) == nil {
				return fmt.Errorf("gate %s: the run of %s has no such figure (%s), so nothing can be told of it; watch another gate", g.Name, r.Role, g.metric.title)
			}
		}
	}
	return nil
}

// count hands the figures of the round to the verdicts.
func (c *check) count() error {
	figures := map[string]verdict.Figures{}
	for _, g := range c.Gates {
		of := func(role string) float64 { return *g.figure(c.round[g.Cell], role) }
		figures[g.Name] = verdict.Figures{Base: of(record.RoleBase), Twin: of(record.RoleTwin), Head: of(record.RoleHead)}
	}
	if err := c.verdicts.Add(figures); err != nil {
		return err
	}
	c.rounds = append(c.rounds, c.round)
	c.round = map[record.Cell][]record.Run{}
	return nil
}

// goOn tells whether a further pass is of use: not where all is decided, where there is no further look, or where the next one is out
// of reach even if no turn will be disturbed any more. pending is the number of turns that the round under way lacks.
func (c *check) goOn(pending int) bool {
	look, further := c.verdicts.NextLook()
	if c.verdicts.Decided() || !further {
		return false
	}
	turns := (look - len(c.rounds)) * len(c.Plan.Cells)
	if pending > 0 {
		turns -= len(c.Plan.Cells) - pending
	}
	spent := c.ended.Sub(c.began)
	in := spent + spent/time.Duration(c.turns)*time.Duration(turns)
	if in > c.MaxTime {
		c.needed = in
		return false
	}
	return true
}

// unwatched is the number of counted rounds of which it is not known whether they were disturbed.
func (c *check) unwatched() int {
	n := 0
	for _, round := range c.rounds {
		for _, turn := range round {
			if slices.ContainsFunc(turn, summary.Unwatched) {
				n++
				break
			}
		}
	}
	return n
}
