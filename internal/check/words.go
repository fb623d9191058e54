package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fitbench/internal/meter"
	"fitbench/internal/record"
	"fitbench/internal/report"
	"fitbench/internal/typeset"
	"fitbench/internal/verdict"
)

// shownOnly stands in the place of a verdict on what is not judged.
const shownOnly = "shown only"

// Report puts what was found into words; base and head are the engines' names as somebody gave them.
func (f Found) Report(base, head string) report.CheckResult {
	c := report.CheckResult{
		Title:   fmt.Sprintf("head %s against base %s", head, base),
		How:     f.how(),
		Verdict: string(f.Verdict), Record: f.Record,
		Warnings: slices.Concat(Injected(f.options.Inject), f.unknown(), f.undecided()),
		Notes:    f.notes(),
	}
	for _, g := range f.Gates {
		c.Rows = append(c.Rows, g.row())
	}
	for _, r := range f.Ratios {
		c.Shown = append(c.Shown, report.CheckRow{Figure: r.Cell.String() + ", times fit", Base: &r.Base, Head: &r.Head, Verdict: shownOnly})
	}
	return c
}

// Injected warns of work that was added on purpose.
func Injected(inject string) []string {
	if inject == "" {
		return nil
	}
	return []string{fmt.Sprintf("work was added to head on purpose (%s): this tests the check, and says nothing of head", inject)}
}

func (g GateFound) row() report.CheckRow {
	row := report.CheckRow{
		Figure: g.Gate.Title(), Base: g.Base, Head: g.Head, Change: changeOf(g.Estimate), Twin: changeOf(g.TwinEstimate),
		Pairs: g.Pairs, Verdict: string(g.Verdict),
	}
	if i := g.Interval; i != nil {
		row.Low, row.High, row.Confidence = changeOf(&i.Low), changeOf(&i.High), &i.Confidence
	}
	switch {
	case g.TwinsApart:
		row.Note = fmt.Sprintf("base differs from itself by %s, so nothing is concluded; a quieter machine or longer runs (--steps) would do",
			typeset.Percent(math.Abs(*row.Twin)))
	case g.Unconfirmed != "":
		row.Note = fmt.Sprintf("%s by the last look alone: a change takes two looks running", g.Unconfirmed)
	}
	return row
}

// changeOf is the logarithm of a ratio as a change.
func changeOf(log *float64) *float64 {
	if log == nil {
		return nil
	}
	return record.Of(math.Expm1(*log))
}

// how tells with how much of what was compared.
func (f Found) how() string {
	plan := f.Record.Plan
	parts := []string{
		fmt.Sprintf("%s of %s at batch %s on %s", typeset.Counted(f.Rounds, "round"), typeset.Counted(plan.TotalSteps(), "step"),
			typeset.Integer(plan.BatchSize), typeset.Counted(plan.Samples, "window")),
		kernels(f.Record.Runs), threads(f.Record.Runs), about(f.Took),
	}
	return strings.Join(parts, ", ") + "; " + f.disturbances()
}

// disturbances tells of other load, as far as it is known.
func (f Found) disturbances() string {
	var parts []string
	if f.Repeated > 0 {
		parts = append(parts, typeset.Counted(f.Repeated, "turn")+" of a mode disturbed and repeated")
	}
	if f.Dropped > 0 {
		parts = append(parts, typeset.Counted(f.Dropped, "turn")+" of a mode disturbed and not counted")
	}
	if f.Unwatched > 0 {
		parts = append(parts, "whether disturbed is not known for "+typeset.Counted(f.Unwatched, "round"))
	}
	if len(parts) == 0 {
		return "none disturbed"
	}
	return strings.Join(parts, ", ")
}

// unknown warns where it is not known whether rounds were disturbed.
func (f Found) unknown() []string {
	if f.Unwatched == 0 {
		return nil
	}
	return []string{fmt.Sprintf("other load could not be measured in %s, and what is not known to be disturbed counts; longer runs (--steps) would tell, where the system does",
		typeset.Counted(f.Unwatched, "round"))}
}

// undecided tells why it is not decided, and what would do.
func (f Found) undecided() []string {
	if !slices.ContainsFunc(f.Gates, func(g GateFound) bool { return g.Verdict == verdict.Inconclusive }) {
		return nil
	}
	looked := slices.ContainsFunc(f.Gates, func(g GateFound) bool { return g.Interval != nil })
	limit := f.options.MaxTime
	switch {
	case f.Needed == 0:
		return []string{fmt.Sprintf("not decided after %s, the last time that verdicts are passed: the change is too near to %s, or the rounds lie too far apart",
			typeset.Counted(f.Rounds, "round"), typeset.ExactPercent(f.options.MinChange))}
	case f.Repeated+f.Dropped > f.Rounds*len(f.Record.Plan.Cells):
		return []string{fmt.Sprintf("not decided within --max-time %v: others used the machine during most turns (over %.0f %% of a core, %s), and those do not count; end other programs, or take a quieter machine",
			limit, meter.DisturbedPercent, typeset.Counted(f.Repeated+f.Dropped, "turn"))}
	case looked:
		return []string{fmt.Sprintf("not decided within --max-time %v: verdicts are passed next after %s, which take about %s in all; --max-time %s or a quieter machine would do",
			limit, typeset.Counted(f.NextLook, "round"), about(f.Needed), enough(f.Needed))}
	}
	return []string{fmt.Sprintf("no verdict fits into --max-time %v: the first takes %s, about %s in all; --max-time %s, fewer gates or fewer --steps would do",
		limit, typeset.Counted(f.NextLook, "round"), about(f.Needed), enough(f.Needed))}
}

func (f Found) notes() []string {
	notes := []string{fmt.Sprintf("change: Hodges-Lehmann estimate of head over base in the rounds, with its signed-rank interval; over all gates and "+
		"looks together a check without any change says regressed in at most %s of cases; a change matters from %s on, and takes two looks running",
		typeset.ExactPercent(FalseAlarm), typeset.ExactPercent(f.options.MinChange))}
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range f.Gates {
		if g.Interval != nil {
			low, high = min(low, g.Interval.Confidence), max(high, g.Interval.Confidence)
		}
	}
	switch {
	case low == high:
		notes = append(notes, fmt.Sprintf("each interval has a confidence of %s by itself", typeset.ExactPercent(low)))
	case low < high:
		notes = append(notes, fmt.Sprintf("the intervals have confidences of %s to %s by themselves", typeset.ExactPercent(low), typeset.ExactPercent(high)))
	}
	return append(notes, "pairs: the rounds up to the verdict; base/base: the same estimate of base once more over base: what differs without any change")
}

// kernels are those that the runs tell, of both sides where these differ.
func kernels(runs []record.Run) string {
	return bothSides(runs, func(r record.Run) string {
		if r.Kernel == "" {
			return "kernel not told"
		}
		return "kernel " + r.Kernel
	})
}

func threads(runs []record.Run) string {
	return bothSides(runs, func(r record.Run) string { return typeset.Counted(r.Threads, "thread") })
}

// bothSides is a text of the runs of base and of head, once where it is the same.
func bothSides(runs []record.Run, of func(record.Run) string) string {
	var base, head []string
	for _, r := range runs {
		side := &base
		if r.Role == record.RoleHead {
			side = &head
		}
		if text := of(r); !slices.Contains(*side, text) {
			*side = append(*side, text)
		}
	}
	slices.Sort(base)
	slices.Sort(head)
	if slices.Equal(base, head) || len(head) == 0 {
		return strings.Join(base, " or ")
	}
	return fmt.Sprintf("%s in base and %s in head", strings.Join(base, " or "), strings.Join(head, " or "))
}

// about is a duration for reading.
func about(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// enough is a time that leaves some room above what is needed, as a flag takes it.
func enough(needed time.Duration) string {
	unit := time.Second
	if needed > time.Minute {
		unit = 30 * time.Second
	}
	return ((needed + needed/5).Truncate(unit) + unit).String()
}
