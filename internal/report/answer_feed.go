package report

import (
	"fmt"
	"strings"

	"fitbench/internal/summary"
)

// workers says what building a batch costs, which is the most that building it elsewhere can win.
func (v view) workers() string {
	var parts []string
	if c, ok := v.waiting("train-on-batch"); ok {
		wait, step := c.InputWaitMilliseconds.Median, c.StepMilliseconds.Median
		parts = append(parts, fmt.Sprintf("building a batch takes %s of the %s a step of %s (%s): more workers can win at most that.",
			milliseconds(wait), milliseconds(step), c.Cell, percent(wait/step)))
	}
	if c, ok := v.waiting("generator"); ok {
		text := fmt.Sprintf("%s, with %s, waits %s a step for its batch", c.Cell, counted(v.rec.Plan.Workers, "worker"), milliseconds(c.InputWaitMilliseconds.Median))
		if len(parts) == 0 {
			text += ": more workers can win at most that"
		}
		parts = append(parts, text+".")
	}
	return strings.Join(parts, " ")
}

// waiting is the mode's cell with a measured wait for its batch: the one op by op, where the gap is, before the compiled one.
func (v view) waiting(mode string) (summary.Cell, bool) {
	for _, execution := range []string{"eager", "compiled"} {
		if c, ok := v.conclusive(mode, execution); ok && c.InputWaitMilliseconds.OK {
			return c, true
		}
	}
	return summary.Cell{}, false
}

// oneTime says what fit does before its first step.
func (v view) oneTime() string {
	for _, execution := range []string{"compiled", "eager"} {
		c, ok := v.conclusive("fit", execution)
		if !ok || !c.BuildSeconds.OK {
			continue
		}
		text := "building fit's array took " + seconds(c.BuildSeconds.Median)
		if epoch := c.EpochSeconds.Median / float64(max(v.rec.Plan.Epochs, 1)); c.EpochSeconds.OK && epoch > 0 {
			text += fmt.Sprintf(", %s of one epoch", percent(c.BuildSeconds.Median/epoch))
		}
		if c.FeedBytes.OK && c.FeedBytes.Median > 0 {
			text += "; it holds " + megabytes(c.FeedBytes.Median)
		}
		return text + "."
	}
	return ""
}

// againstEagerFit compares the feeds with every step op by op, where fit was run so.
func (v view) againstEagerFit() string {
	fit, ok := v.conclusive("fit", "eager")
	if !ok {
		return ""
	}
	var parts []string
	for _, c := range v.cells {
		if c.Execution == fit.Execution && c.Mode != fit.Mode && usable(c) {
			parts = append(parts, fmt.Sprintf("%s %s x", c.Mode, ratio(c.StepMilliseconds.Median/fit.StepMilliseconds.Median)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("with every step op by op, fit takes %s a step; against that %s.", milliseconds(fit.StepMilliseconds.Median), strings.Join(parts, ", "))
}
