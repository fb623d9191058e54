package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/environment"
	"fitbench/internal/modes"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"
	"fitbench/internal/report"
	"fitbench/internal/stats"
	"fitbench/internal/verdict"
)

// The names that runs of a check have as their engine's: base runs twice in each round.
const (
	asBase = "base"
	asTwin = "base again"
	asHead = "head"
)

// pairs is a check of two builds under way.
type pairs struct {
	gates    []gate
	check    *verdict.Check
	began    time.Time
	limit    time.Duration
	lastEnd  time.Time
	repeated int   // rounds that were disturbed
	err      error // why nothing can be told
	used     [][]record.Run
}

// checkPairs compares two builds that run side by side.
func checkPairs(ctx context.Context, flags *planFlags, o checkOptions, s streams) error {
	defer catchBrokenPipes()()
	ctx, kill, stop := interruptible(ctx)
	defer stop()
	gates, err := parseGates(o.gates)
	if err != nil {
		return err
	}
	plan, err := flags.makeCheck(cellsOf(gates))
	if err != nil {
		return err
	}
	b, err := newPairs(plan, o, kill)
	if err != nil {
		return err
	}
	p, err := o.newPairCheck(gates)
	if err != nil {
		return err
	}
	keep, closeKeep, err := openOutput(o.outputFile)
	if err != nil {
		return err
	}
	bar := newProgress(s, o.quiet)
	bar.limit, bar.began = o.maxTime, p.began
	b.Observe, b.Save = bar.show, keep
	rec, err := bench.Pairs(ctx, b, p.more)
	bar.finish()
	stop() // from here on a signal ends the program at once: an output that nobody reads may block
	if err := firstError(err, failures(rec), closeKeep(), p.err, checkInjected(o.inject, rec)); err != nil {
		return err
	}
	return o.conclude(p.result(o, rec), s)
}

// newPairs is the benchmark of base, base again and head.
func newPairs(plan record.Plan, o checkOptions, kill <-chan struct{}) (bench.Options, error) {
	chosen, err := kernel.Select(plan.Kernel)
	if err != nil {
		return bench.Options{}, err
	}
	base, err := openEngine("--base", o.base, kill)
	if err != nil {
		return bench.Options{}, err
	}
	head, err := openEngine("--head", o.head, kill)
	if err != nil {
		return bench.Options{}, err
	}
	plan.Engines = []string{asBase + "=" + o.base, asHead + "=" + o.head}
	plan.Rounds = math.MaxInt32
	return bench.Options{
		Plan: plan, Environment: environment.Read(chosen.Name),
		Engines: []bench.Contender{{Name: asBase, Engine: base}, {Name: asTwin, Engine: base}, {Name: asHead, Engine: slowed{head, o.inject}}},
	}, nil
}

// slowed is an engine whose runs are told to add work.
type slowed struct {
	engine.Engine
	inject string
}

func (e slowed) Run(ctx context.Context, job engine.Job, observe func(modes.Event)) record.Run {
	job.Plan.Inject = e.inject
	return e.Engine.Run(ctx, job, observe)
}

// checkInjected is an error where head was told to add work and did not say that it did.
func checkInjected(inject string, rec record.Record) error {
	if inject == "" {
		return nil
	}
	for _, r := range rec.Runs {
		if r.Engine == asHead && r.Injected != "" {
			return nil
		}
	}
	return fmt.Errorf("--inject-slowdown %s: no run of head added work; a fitbench of this version is accepted as --head, and a cell that a gate watches", inject)
}

func (o checkOptions) newPairCheck(gates []gate) (*pairs, error) {
	names := make([]string, len(gates))
	for i, g := range gates {
		names[i] = g.name
	}
	check, err := verdict.New(verdict.Options{Gates: names, MinChange: float64(o.minChange), FalseAlarm: falseAlarm})
	if err != nil {
		return nil, usagef("%w", err)
	}
	now := time.Now()
	return &pairs{gates: gates, check: check, began: now, lastEnd: now, limit: o.maxTime}, nil
}

// more takes a round, and tells whether another is needed and fits into the time. A round that was disturbed is not counted, and so is
// repeated by the next one.
func (p *pairs) more(runs []record.Run) bool {
	now := time.Now()
	round := now.Sub(p.lastEnd)
	p.lastEnd = now
	if disturbed(runs) {
		p.repeated++
	} else if p.err = p.add(runs); p.err != nil {
		return false
	}
	return !p.decided() && now.Add(round).Sub(p.began) <= p.limit
}

// decided tells whether further rounds are of no use.
func (p *pairs) decided() bool {
	_, further := p.check.NextLook()
	return p.check.Decided() || !further
}

func disturbed(runs []record.Run) bool {
	for _, r := range runs {
		if r.Disturbed {
			return true
		}
	}
	return false
}

// add hands one round's figures to the check.
func (p *pairs) add(runs []record.Run) error {
	round := map[string]verdict.Figures{}
	for _, g := range p.gates {
		base, twin, head := g.figure(runs, asBase), g.figure(runs, asTwin), g.figure(runs, asHead)
		if base == nil || twin == nil || head == nil {
			return fmt.Errorf("gate %s: not every run has the figure (%s), so nothing can be told of it; other gates may be watched with --gate", g.name, g.title)
		}
		round[g.name] = verdict.Figures{Base: *base, Twin: *twin, Head: *head}
	}
	p.used = append(p.used, runs)
	return p.check.Add(round)
}

// figure is the gate's figure of a round's run by that engine.
func (g gate) figure(runs []record.Run, engine string) *float64 {
	for _, r := range runs {
		if r.Engine == engine && r.Cell() == g.cell {
			return g.of(r)
		}
	}
	return nil
}

// median is the gate's over the rounds that count.
func (p *pairs) median(g gate, engine string) *float64 {
	var x []float64
	for _, runs := range p.used {
		if v := g.figure(runs, engine); v != nil {
			x = append(x, *v)
		}
	}
	if m, ok := stats.Median(x); ok {
		return &m
	}
	return nil
}

// result is what the check found.
func (p *pairs) result(o checkOptions, rec record.Record) report.CheckResult {
	c := report.CheckResult{
		Title:   fmt.Sprintf("head %s against base %s", o.head, o.base),
		How:     p.how(rec),
		Verdict: string(verdict.Same), Record: rec,
	}
	decided := map[verdict.Verdict]bool{}
	for i, r := range p.check.Results() {
		g := p.gates[i]
		row := report.CheckRow{
			Figure: g.cell.String() + ", " + g.title, Base: p.median(g, asBase), Head: p.median(g, asHead),
			Change: changeOf(r.Estimate), Verdict: string(r.Verdict),
		}
		if r.Interval != nil {
			row.Low, row.High = changeOf(&r.Interval.Low), changeOf(&r.Interval.High)
		}
		if r.TwinsApart {
			row.Note = fmt.Sprintf("base differs from itself by %.1f %%, so nothing is concluded; a quieter machine or longer runs (--steps) would do", 100*math.Abs(*changeOf(r.TwinEstimate)))
		}
		c.Rows = append(c.Rows, row)
		decided[r.Verdict] = true
	}
	for _, v := range []verdict.Verdict{verdict.Regressed, verdict.Inconclusive, verdict.Improved} {
		if decided[v] {
			c.Verdict = string(v)
			break
		}
	}
	c.Shown = p.ratios()
	c.Notes = p.notes(o)
	return c
}

func (p *pairs) how(rec record.Record) string {
	plan := rec.Plan
	return fmt.Sprintf("%d rounds of %d steps at batch %d on %d windows, kernel %s, %d threads, %v; %d rounds were disturbed and repeated",
		p.check.Rounds(), plan.TotalSteps(), plan.BatchSize, plan.Samples, rec.Environment.Kernel, plan.Threads,
		p.lastEnd.Sub(p.began).Round(time.Second), p.repeated)
}

func (p *pairs) notes(o checkOptions) []string {
	notes := []string{fmt.Sprintf("change: Hodges-Lehmann estimate of head/base over the rounds, with its signed-rank interval; over all gates and "+
		"looks together a check without any change says regressed in at most %g %% of cases; a change matters from %s on", falseAlarm*100, o.minChange.String())}
	if !p.check.Decided() {
		next, ok := p.check.NextLook()
		if ok {
			notes = append(notes, fmt.Sprintf("not decided within --max-time %v: the next look would be after %d rounds; more time, or a quieter machine, would do", o.maxTime, next))
		} else {
			notes = append(notes, "not decided after as many rounds as are looked at: the change is too near to what matters")
		}
	}
	return notes
}

// ratios are the modes in times of fit@compiled, of both, where it is run: shown and never judged.
func (p *pairs) ratios() []report.CheckRow {
	steps := metrics()[0]
	fit := gate{metric: steps, cell: record.Cell{Mode: "fit", Execution: "compiled"}}
	var rows []report.CheckRow
	for _, cell := range cellsOf(p.gates) {
		g := gate{metric: steps, cell: cell}
		base, head := over(p.median(g, asBase), p.median(fit, asBase)), over(p.median(g, asHead), p.median(fit, asHead))
		if cell != fit.cell && base != nil && head != nil {
			rows = append(rows, report.CheckRow{Figure: cell.String() + ", times fit", Base: base, Head: head, Verdict: "shown only"})
		}
	}
	return rows
}

func over(a, b *float64) *float64 {
	if a == nil || b == nil || !(*b > 0) {
		return nil
	}
	return record.Of(*a / *b)
}

// changeOf is a logarithm of a ratio as a change.
func changeOf(log *float64) *float64 {
	if log == nil {
		return nil
	}
	return record.Of(math.Expm1(*log))
}

// firstError is the first of them.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
