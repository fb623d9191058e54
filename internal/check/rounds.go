package check

import (
	"fmt"
	"slices"
	"time"

	"fitbench/internal/bench"
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
	// took is what the turns of each cell have taken, disturbed ones too.
	took map[record.Cell]*turns
	// repeated and dropped are turns that were disturbed: done again, and not, as the time was over.
	repeated, dropped int
	// needed is what the check would take in all up to the next look, where that is too much.
	needed time.Duration
	err    error // why nothing can be told
}

// turns is how many there were, how long they took together, and the shortest.
type turns struct {
	n              int
	took, shortest time.Duration
}

func (t *turns) mean() time.Duration { return t.took / time.Duration(t.n) }

// best is the shortest one. The first turns of a check find files and memory cold, so that up to the third they may have been several
// times too slow.
func (t *turns) best() time.Duration {
	const warm, slower = 3, 4
	if t.n < warm {
		return t.shortest / slower
	}
	return t.shortest
}

// judge takes the runs of a pass: it names the cells whose turns were disturbed, or else those that are not decided.
func (c *check) judge(runs []record.Run) bench.Next {
	pass := c.Now().Sub(c.ended)
	c.ended = c.Now()
	if c.err = c.fit(runs); c.err != nil {
		return bench.Next{}
	}
	var again []record.Cell
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
		c.spend(cell, timeOf(turn, runs, pass))
	}
	if len(again) == 0 {
		if c.err = c.count(); c.err != nil {
			return bench.Next{}
		}
	}
	if !c.goOn(again) {
		c.dropped += len(again)
		return bench.Next{}
	}
	c.repeated += len(again)
	return bench.Next{Again: again, Cells: c.open()}
}

// timeOf is what a turn took of a pass: the wall time of its runs, and of the rest, which is starting and ending them, its part.
func timeOf(turn, runs []record.Run, pass time.Duration) time.Duration {
	wall := func(runs []record.Run) (sum time.Duration) {
		for _, r := range runs {
			if r.WallSeconds != nil {
				sum += time.Duration(*r.WallSeconds * float64(time.Second))
			}
		}
		return sum
	}
	return wall(turn) + (pass-wall(runs))*time.Duration(len(turn))/time.Duration(len(runs))
}

func (c *check) spend(cell record.Cell, took time.Duration) {
	if c.took[cell] == nil {
		c.took[cell] = &turns{shortest: took}
	}
	t := c.took[cell]
	t.n++
	t.took += took
	t.shortest = min(t.shortest, took)
}

// open are the cells that have a gate without a verdict.
func (c *check) open() []record.Cell {
	names := c.verdicts.Open()
	return Cells(slices.DeleteFunc(slices.Clone(c.Gates), func(g Gate) bool { return !slices.Contains(names, g.Name) }))
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
		if c.round[g.Cell] == nil {
			continue // decided
		}
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
// of reach even at the best pace so far and if no turn will be disturbed any more. pending are the cells whose turns the round under
// way lacks.
func (c *check) goOn(pending []record.Cell) bool {
	look, further := c.verdicts.NextLook()
	if c.verdicts.Decided() || !further {
		return false
	}
	whole := look - len(c.rounds)
	if len(pending) > 0 {
		whole--
	}
	in := func(pace func(*turns) time.Duration) time.Duration {
		return c.ended.Sub(c.began) + c.expected(pending, pace) + time.Duration(whole)*c.expected(c.open(), pace)
	}
	if in((*turns).best) > c.MaxTime {
		c.needed = in((*turns).mean)
		return false
	}
	return true
}

// expected is what a turn of each of these cells takes at a pace.
func (c *check) expected(cells []record.Cell, pace func(*turns) time.Duration) (sum time.Duration) {
	for _, cell := range cells {
		sum += pace(c.took[cell])
	}
	return sum
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
