package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// executions are the two words that the answer uses, in its order.
func executions() []string { return []string{"compiled", "eager"} }

// waiting is a cell with the two parts of its mean step.
type waiting struct {
	summary.Cell
	wait, compute summary.Value
}

// share is the part of the whole step that is the wait for the batch.
func (w waiting) share() float64 { return w.wait.Median / w.whole() }

// whole is the mean step, in ms.
func (w waiting) whole() float64 { return w.wait.Median + w.compute.Median }

// slow is the larger part, empty where the two do not differ by more than the rounds do.
func (w waiting) slow() string {
	switch {
	case !w.wait.ApartFrom(w.compute):
		return ""
	case w.wait.Median > w.compute.Median:
		return "input"
	}
	return "model"
}

// waitings are the mode's cells in which both parts were measured, compiled first.
func (v view) waitings(mode string) []waiting {
	var all []waiting
	for _, execution := range executions() {
		c, ok := v.conclusive(mode, execution)
		w := waiting{c, c.WaitMeanMilliseconds, c.ComputeMeanMilliseconds}
		if ok && w.wait.OK && w.compute.OK && w.whole() > 0 {
			all = append(all, w)
		}
	}
	return all
}

// inputOrModel says which of the two takes the time of a step. In train-on-batch nothing overlaps, so it shows both best.
func (v view) inputOrModel() string {
	all, does := v.waitings("train-on-batch"), "building a batch"
	if len(all) == 0 {
		all, does = v.waitings("generator"), "waiting for a batch from "+typeset.Counted(v.rec.Plan.Workers, "worker")
	}
	if len(all) == 0 {
		return ""
	}
	var parts, shares []string
	theStep := "the step "
	for _, w := range all {
		parts = append(parts, fmt.Sprintf("%s and %s%s %s",
			typeset.Milliseconds(w.wait.Median), theStep, typeset.Milliseconds(w.compute.Median), w.Execution))
		theStep = ""
		shares = append(shares, typeset.Percent(w.share()))
	}
	return fmt.Sprintf("in %s, on average, %s takes %s: the input is %s of the whole, and %s.%s",
		all[0].Mode, does, strings.Join(parts, ", "), strings.Join(shares, " and "), slowPart(all), oneRound(all[0].Cell))
}

// slowPart words the verdict on each execution, once where they agree.
func slowPart(all []waiting) string {
	verdict := func(w waiting) string {
		if w.slow() == "" {
			return "neither is the slow part beyond the spread of the rounds"
		}
		return fmt.Sprintf("the %s is the slow part", w.slow())
	}
	if !slices.ContainsFunc(all, func(w waiting) bool { return w.slow() != all[0].slow() }) {
		return verdict(all[0])
	}
	var parts []string
	for _, w := range all {
		parts = append(parts, w.Execution+" "+verdict(w))
	}
	return strings.Join(parts, ", ")
}

// smallShare is the share of the eager step's cost that a feed's cost must stay below for the feed not to be the slow part.
const smallShare = 0.25

// feedOrStep says that it is the eager step and not the feed that makes the lean modes slow, only where that holds for each of them,
// whatever the spread of the rounds.
func (v view) feedOrStep() string {
	fit, ok := v.fit()
	gap, both := v.gap()
	if !ok || !both || gap.doubtful() {
		return ""
	}
	var compiled, eager []summary.Cell
	asFast := true
	for _, c := range v.cells {
		switch {
		case c.Used == 0 || c.Mode == fit.Mode:
		case !usable(c):
			return ""
		case c.Execution == "compiled" && atMost(fit, c) < smallShare*atLeast(gap):
			compiled = append(compiled, c)
			asFast = asFast && speed(c) == keeps
		case c.Execution == "eager" && speed(c) == slower:
			eager = append(eager, c)
		default:
			return ""
		}
	}
	if len(compiled) == 0 || len(eager) == 0 {
		return ""
	}
	feeds := fmt.Sprintf("the lean feeds take %s fit", ratios(compiled))
	if asFast {
		feeds = fmt.Sprintf("the lean feeds are as fast as fit (%s)", ratios(compiled))
	}
	return fmt.Sprintf("under the compiled step %s, under the eager one (op by op) they take %s: "+
		"the eager step, not the feed, is the slow part.%s", feeds, ratios(eager), oneRound(fit))
}

// atMost is the most, in ms a step, that a compiled cell's feed costs beyond fit's, given the spreads.
func atMost(fit, c summary.Cell) float64 {
	a, b := fit.StepMilliseconds, c.StepMilliseconds
	return b.Median + b.HalfRange() - (a.Median - a.HalfRange())
}

// atLeast is the least, in ms a step, that the eager step costs beyond the compiled one, given the spreads.
func atLeast(g gap) float64 {
	a, b := g.compiled.StepMilliseconds, g.eager.StepMilliseconds
	return b.Median - b.HalfRange() - (a.Median + a.HalfRange())
}

// ratios is the range of times fit.
func ratios(cells []summary.Cell) string {
	low, high := cells[0].TimesFit.Median, cells[0].TimesFit.Median
	for _, c := range cells {
		low, high = min(low, c.TimesFit.Median), max(high, c.TimesFit.Median)
	}
	if typeset.Ratio(low) == typeset.Ratio(high) {
		return typeset.Ratio(low) + " x"
	}
	return typeset.Ratio(low) + " to " + typeset.Ratio(high) + " x"
}

// workers bounds what building batches elsewhere can win: by the mean wait, since a median would hide rare long waits.
func (v view) workers() string {
	bounds := func(mode string) string {
		var parts []string
		for _, w := range v.waitings(mode) {
			parts = append(parts, fmt.Sprintf("%s of %s %s (%s)",
				typeset.Milliseconds(w.wait.Median), typeset.Milliseconds(w.whole()), w.Execution, typeset.Percent(w.share())))
		}
		return strings.Join(parts, ", ")
	}
	var parts []string
	if text := bounds("train-on-batch"); text != "" {
		parts = append(parts, "in train-on-batch "+text)
	}
	if text := bounds("generator"); text != "" {
		parts = append(parts, fmt.Sprintf("in generator, which has %s already, %s", typeset.Counted(v.rec.Plan.Workers, "worker"), text))
	}
	if len(parts) == 0 {
		return ""
	}
	return "can win at most the mean wait for a batch: " + strings.Join(parts, "; ") + "."
}

// oneTime says what fit does before its first step.
func (v view) oneTime() string {
	for _, execution := range executions() {
		c, ok := v.conclusive("fit", execution)
		if !ok || !c.BuildSeconds.OK {
			continue
		}
		text := "building fit's array took " + typeset.Seconds(c.BuildSeconds.Median)
		if epoch := c.EpochSeconds.Median / float64(max(v.rec.Plan.Epochs, 1)); c.EpochSeconds.OK && epoch > 0 {
			text += fmt.Sprintf(", %s of one epoch", typeset.Percent(c.BuildSeconds.Median/epoch))
		}
		if c.FeedBytes.OK && c.FeedBytes.Median > 0 {
			text += "; it holds " + typeset.Megabytes(c.FeedBytes.Median)
		}
		return text + "."
	}
	return ""
}

// againstEagerFit compares the feeds under the eager step, where fit was run so.
func (v view) againstEagerFit() string {
	fit, ok := v.conclusive("fit", "eager")
	if !ok {
		return ""
	}
	var parts []string
	for _, c := range v.cells {
		if c.Execution == fit.Execution && c.Mode != fit.Mode && usable(c) {
			part := fmt.Sprintf("%s %s x", c.Mode, typeset.Ratio(c.StepMilliseconds.Median/fit.StepMilliseconds.Median))
			if c.StepMilliseconds.HasSpread && !c.StepMilliseconds.ApartFrom(fit.StepMilliseconds) {
				part += " (within the spread of the rounds)"
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("with every step eager (op by op), fit takes %s a step; against that %s.%s",
		typeset.Milliseconds(fit.StepMilliseconds.Median), strings.Join(parts, ", "), oneRound(fit))
}
