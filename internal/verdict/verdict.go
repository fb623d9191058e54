package verdict

import (
	"fmt"
	"math"
	"slices"
)

// MaxGates is the largest number of gates: the more there are, the more rounds each of them needs.
const MaxGates = 5

// Options are the rules of one check.
type Options struct {
	// Gates names the figures that are watched, 1 to MaxGates of them.
	Gates []string
	// MinChange is the smallest change that matters, as a fraction: 0.05 for 5 %.
	MinChange float64
	// FalseAlarm is the largest probability that a check without any change says regressed of any gate: 0.01 for 1 %.
	FalseAlarm float64
}

func (o Options) validate() error {
	if len(o.Gates) < 1 || len(o.Gates) > MaxGates {
		return fmt.Errorf("%d gates: 1 to %d can be checked", len(o.Gates), MaxGates)
	}
	for i, g := range o.Gates {
		if g == "" {
			return fmt.Errorf("gate %d has no name", i+1)
		}
		if slices.Contains(o.Gates[:i], g) {
			return fmt.Errorf("gate %q is named twice", g)
		}
	}
	if !(o.MinChange > 0) || math.IsInf(o.MinChange, 0) {
		return fmt.Errorf("least change %v: it must be a fraction above 0, such as 0.05", o.MinChange)
	}
	if !(o.FalseAlarm > 0 && o.FalseAlarm < 0.5) {
		return fmt.Errorf("probability of a false alarm %v: it must lie between 0 and 0.5, such as 0.01", o.FalseAlarm)
	}
	return nil
}

// Figures are one gate's figures of one round, in any unit that they share; more is worse.
type Figures struct {
	Base, Twin, Head float64
}

func (f Figures) validate() error {
	for _, v := range []struct {
		of    string
		value float64
	}{{"base", f.Base}, {"base's twin", f.Twin}, {"head", f.Head}} {
		if !(v.value > 0) || math.IsInf(v.value, 0) {
			return fmt.Errorf("the figure of %s is %v: it must be a finite number above 0", v.of, v.value)
		}
	}
	return nil
}

// Check gathers rounds and passes verdicts. It is made by New and must not be used by several goroutines at once.
type Check struct {
	gates    []*gate
	margin   float64 // log(1 + least change)
	rounds   int
	spending spending
}

// New is a check without rounds. It errs where the options are out of bounds.
func New(o Options) (*Check, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	c := &Check{
		margin:   math.Log1p(o.MinChange),
		spending: spending{budget: o.FalseAlarm / float64(len(o.Gates)), looks: looks()},
	}
	for _, name := range o.Gates {
		c.gates = append(c.gates, &gate{name: name, said: Inconclusive, decided: Inconclusive})
	}
	return c, nil
}

// Add takes one more round, the figures of every open gate by its name; those of a gate that is decided are not looked at. It errs, and
// leaves the check as it was, where an open gate is missing or one is unknown, and where a figure is not a finite number above 0.
func (c *Check) Add(round map[string]Figures) error {
	for name := range round {
		if !slices.ContainsFunc(c.gates, func(g *gate) bool { return g.name == name }) {
			return fmt.Errorf("round %d has gate %q, which is not checked", c.rounds+1, name)
		}
	}
	open := c.open()
	for _, g := range open {
		f, ok := round[g.name]
		if !ok {
			return fmt.Errorf("round %d lacks gate %q", c.rounds+1, g.name)
		}
		if err := f.validate(); err != nil {
			return fmt.Errorf("round %d, gate %q: %w", c.rounds+1, g.name, err)
		}
	}
	for _, g := range open {
		g.add(round[g.name])
	}
	c.rounds++
	if c.spending.due(c.rounds) {
		c.look()
	}
	return nil
}

// open are the gates without a verdict so far.
func (c *Check) open() []*gate {
	return slices.DeleteFunc(slices.Clone(c.gates), func(g *gate) bool { return g.decided != Inconclusive })
}

// Open names the gates that are not decided: those that further rounds are of use for.
func (c *Check) Open() []string {
	var names []string
	for _, g := range c.open() {
		names = append(names, g.name)
	}
	return names
}

// look gives every open gate its interval from all rounds so far, if there are enough for one, and decides what it can.
func (c *Check) look() {
	level, ok := c.spending.take()
	if !ok {
		return
	}
	for _, g := range c.open() {
		g.look(level)
		g.judge(c.margin)
	}
}

// Rounds is the number of rounds added: those of the gates that are still open.
func (c *Check) Rounds() int { return c.rounds }

// NextLook is the number of rounds after which verdicts are passed next: rounds short of it change none.
// It is false where there is no further look, so that more rounds are of no use.
func (c *Check) NextLook() (rounds int, ok bool) { return c.spending.nextLook() }

// Decided tells whether no gate is open.
func (c *Check) Decided() bool { return len(c.open()) == 0 }

// Results are the verdicts so far, gate by gate in the order of the options.
func (c *Check) Results() []Result {
	results := make([]Result, len(c.gates))
	for i, g := range c.gates {
		results[i] = g.result(c.margin)
	}
	return results
}
