package report

import (
	"fmt"
	"math"

	"fitbench/internal/summary"
)

// gap is what running the step op by op adds to the step of one mode.
type gap struct {
	compiled, eager summary.Cell
}

// gap is taken from the mode in which it is plainest: in train-on-batch nothing runs beside the step. It takes both executions.
func (v view) gap() (gap, bool) {
	preferred := append([]string{"train-on-batch", "generator", "fit"}, v.modes()...)
	for _, mode := range preferred {
		compiled, ok := v.conclusive(mode, "compiled")
		eager, both := v.conclusive(mode, "eager")
		if ok && both {
			return gap{compiled, eager}, true
		}
	}
	return gap{}, false
}

// milliseconds is the gap in ms a step.
func (g gap) milliseconds() float64 {
	return g.eager.StepMilliseconds.Median - g.compiled.StepMilliseconds.Median
}

// doubtful tells whether the gap is within what the rounds differ by.
func (g gap) doubtful() bool {
	a, b := g.compiled.StepMilliseconds, g.eager.StepMilliseconds
	return math.Abs(g.milliseconds()) <= a.Median*a.Spread+b.Median*b.Spread
}

// decimals is how the gap, its parts and its two steps are shown, so that their sums come out: three digits of the gap.
func (g gap) decimals() int { return max(1, decimals(g.milliseconds(), 3)) }

// where says what the step op by op adds, and by what.
func (v view) where() string {
	g, ok := v.gap()
	if !ok {
		return ""
	}
	digits := g.decimals()
	eager := units(g.eager.StepMilliseconds.Median, digits)
	compiled := units(g.compiled.StepMilliseconds.Median, digits)
	steps := fmt.Sprintf("%s, %s against %s ms", g.eager.Mode, eager.text(), compiled.text())
	switch {
	case g.doubtful():
		return fmt.Sprintf("no gap between the step op by op and the compiled one beyond the spread over rounds (%s).", steps)
	case g.milliseconds() < 0:
		return fmt.Sprintf("the step op by op was faster than the compiled one here, by %s ms a step (%s).", compiled.minus(eager).text(), steps)
	}
	total := eager.minus(compiled)
	return fmt.Sprintf("running the step op by op adds %s ms a step (%s)%s.%s", total.text(), steps, g.parts(total), g.counts())
}

// parts splits the gap as the eager step's own clock does. What remains of it is arithmetic: the unfused operations' beyond the
// compiled step's, whatever else differs between the two included.
func (g gap) parts(total rounded) string {
	s := g.eager.Split
	if !s.Dispatch.OK || !s.Allocation.OK || !s.Casts.OK {
		return ""
	}
	dispatch := units(s.Dispatch.Median, total.digits)
	allocation := units(s.Allocation.Median, total.digits)
	casts := units(s.Casts.Median, total.digits)
	rest := total.minus(dispatch).minus(allocation).minus(casts)
	text := fmt.Sprintf(": dispatch %s, allocation %s, casts %s, unfused arithmetic %s", dispatch.text(), allocation.text(), casts.text(), rest.text())
	if rest.n < 0 {
		text += " (its arithmetic took that much less than the whole compiled step)"
	}
	return text
}

// counts says how much there is to dispatch and to allocate.
func (g gap) counts() string {
	if !g.eager.OpsPerStep.OK || !g.eager.TensorBytesPerStep.OK {
		return ""
	}
	return fmt.Sprintf(" It dispatches %s operations and allocates %s of tensors a step.",
		fixed(g.eager.OpsPerStep.Median, 0), megabytes(g.eager.TensorBytesPerStep.Median))
}

// otherStep is the step, in ms, for which an added cost is shown: that of a model some times larger than the experiment's.
const otherStep = 3.0

// added says that the gap is a cost to add, not a factor to multiply by.
func (v view) added() string {
	g, ok := v.gap()
	if !ok || g.doubtful() || g.milliseconds() < 0 {
		return ""
	}
	digits := g.decimals()
	total := units(g.eager.StepMilliseconds.Median, digits).minus(units(g.compiled.StepMilliseconds.Median, digits))
	return fmt.Sprintf("a cost in ms a step is added, not multiplied: these %s ms make the step here %s x as long, and a step of %.0f ms %s x.",
		total.text(), ratio(g.eager.StepMilliseconds.Median/g.compiled.StepMilliseconds.Median), otherStep, ratio((otherStep+g.milliseconds())/otherStep))
}

// rounded is a figure in units of its last shown digit, so that sums of shown figures come out.
type rounded struct {
	n      int64
	digits int
}

func units(v float64, digits int) rounded {
	return rounded{int64(math.Round(v * math.Pow10(digits))), digits}
}

func (r rounded) minus(s rounded) rounded { return rounded{r.n - s.n, r.digits} }

func (r rounded) text() string { return fixed(float64(r.n)/math.Pow10(r.digits), r.digits) }
