package baseline

import (
	"fmt"
	"math"
	"strings"

	"fitbench/internal/compare"
	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
	"fitbench/internal/verdict"
)

// times compares the step's time as a multiple of the reference loop's, round by round. Where it cannot, it says so: "cannot compare
// times", with the reason, and passes no verdict.
func (c *check) times() {
	const what = "times"
	if c.obstructed(compare.Times, what) {
		return
	}
	// The compiler makes the loop as well, and a unit must not change.
	if compiled := compare.Among([]string{"Go"}, compare.Environments(c.base, c.head)); len(compiled) > 0 {
		c.note("cannot compare %s: %s, which compiles the reference loop, their unit, as well", what, because(compiled))
		return
	}
	for _, side := range []struct {
		subject string
		runs    func(pair) []record.Run
	}{
		{"the baseline", func(p pair) []record.Run { return p.baseRuns }},
		{"this run", func(p pair) []record.Run { return p.headRuns }},
	} {
		rounds, timed := 0, 0
		for _, p := range c.cells {
			rounds, timed = max(rounds, len(side.runs(p))), max(timed, len(multiples(side.runs(p))))
		}
		switch {
		case rounds < 2:
			c.note("cannot compare %s: %s has one round only, which shows no spread", what, side.subject)
			return
		case timed == 0:
			c.note("cannot compare %s: %s has no reference_seconds, the time of the reference loop, beside its steps", what, side.subject)
			return
		}
	}
	for _, p := range c.cells {
		c.add(c.timeLine(p))
	}
}

// Doubts are the reasons why times will not be compared with a record as a baseline, and what would do; none where they can be.
func Doubts(rec record.Record) []string {
	var doubts []string
	if rec.Plan.Rounds < 2 {
		doubts = append(doubts, "with one round there is no spread, so that times will not be compared with this baseline; take more --rounds")
	}
	var names []string
	for _, c := range summary.Of(rec).Cells {
		if c.UsedDisturbed {
			names = append(names, c.Label)
		}
	}
	if len(names) > 0 {
		doubts = append(doubts, fmt.Sprintf("rounds were disturbed by other load, so that times of %s will not be compared with this baseline; measure it again on a quieter machine",
			strings.Join(names, ", ")))
	}
	return doubts
}

// multiples are the steps of the runs in times of the reference loop around them; runs that lack one of the two are left out.
func multiples(runs []record.Run) []float64 {
	var x []float64
	for _, r := range runs {
		if r.StepMilliseconds != nil && r.ReferenceSeconds != nil {
			x = append(x, *r.StepMilliseconds/1e3 / *r.ReferenceSeconds)
		}
	}
	return x
}

// timeLine judges the step of a cell.
func (c *check) timeLine(p pair) Line {
	base, head := multiples(p.baseRuns), multiples(p.headRuns)
	l := Line{Cell: p.name, Figure: Step, Unit: "reference loops", Verdict: verdict.Inconclusive}
	if m, ok := stats.Median(base); ok {
		l.Base = &m
	}
	if m, ok := stats.Median(head); ok {
		l.Head = &m
	}
	s, ok := stats.ShiftBetween(logs(base), logs(head), c.options.Confidence)
	if !ok {
		l.Note = "the step or its reference loop was not timed in both"
		return l
	}
	l.Change = record.Of(math.Expm1(s.Estimate))
	switch {
	case p.base.UsedDisturbed:
		l.Note = "the baseline's rounds were disturbed by other load, and too few others are left: --update-baseline on a quieter machine would do"
	case p.head.UsedDisturbed:
		l.Note = "rounds of this run were disturbed by other load, and too few others are left: a quieter machine would do"
	case !s.HasInterval:
		l.Note = fmt.Sprintf("%d against %d rounds are too few for an interval at %s", len(base), len(head), typeset.ExactPercent(c.options.Confidence))
	default:
		l.Low, l.High = record.Of(math.Expm1(s.Low)), record.Of(math.Expm1(s.High))
		l.Verdict = verdict.Judge(s.Estimate, s.Low, s.High, math.Log1p(c.options.MinChange))
		if l.Verdict == verdict.Inconclusive {
			l.Note = fmt.Sprintf("the interval reaches beyond %s; more rounds would narrow it", typeset.ExactPercent(c.options.MinChange))
		}
	}
	return l
}

func logs(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Log(v)
	}
	return y
}

// ratios lists the steps in times fit, where both records have them.
func (c *check) ratios() {
	for _, p := range c.cells {
		if p.base.TimesFit.OK && p.head.TimesFit.OK && p.base.Cell != summary.Reference() {
			c.result.Ratios = append(c.result.Ratios, Ratio{p.name, p.base.TimesFit, p.head.TimesFit})
		}
	}
}
