package report

import (
	"fmt"
	"math"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// gap is what running the step op by op adds to the step of one mode.
type gap struct {
	compiled, eager summary.Cell
}

// gap is taken from the mode in which it is plainest: in train-on-batch nothing runs beside the step. It takes both executions.
func (v view) gap() (gap, bool) {
	preferred := []string{"train-on-batch", "generator", "fit"}
	for _, way := range v.ways() {
		preferred = append(preferred, way.Mode)
	}
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
func (g gap) doubtful() bool { return !g.compiled.StepMilliseconds.ApartFrom(g.eager.StepMilliseconds) }

// decimals is how the gap, its parts and its two steps are shown, so that their sums come out: three digits of the gap.
func (g gap) decimals() int { return max(1, typeset.Decimals(g.milliseconds(), 3)) }

// where says what the eager step adds, and by what.
func (v view) where() string {
	g, ok := v.gap()
	if !ok {
		return ""
	}
	digits := g.decimals()
	eager := units(g.eager.StepMilliseconds.Median, digits)
	compiled := units(g.compiled.StepMilliseconds.Median, digits)
	steps := fmt.Sprintf("%s, %s against %s ms", g.eager.Mode, eager.text(), compiled.text())
	sure := oneRound(g.compiled, g.eager)
	switch {
	case g.doubtful():
		return fmt.Sprintf("undecided: the eager step (op by op) and the compiled one are within the spread of the rounds (%s).%s%s",
			steps, counts(g.eager), sure)
	case g.milliseconds() < 0:
		return fmt.Sprintf("the eager step (op by op) was faster than the compiled one here, by %s ms a step (%s).%s",
			compiled.minus(eager).text(), steps, sure)
	}
	total := eager.minus(compiled)
	return fmt.Sprintf("running the step eagerly (op by op) adds %s ms a step (%s)%s.%s%s",
		total.text(), steps, g.parts(total), counts(g.eager), sure)
}

// parts splits the gap as the eager step's own clock does. The compiled step has no such clock, so what remains is everything else
// in which the two differ: that is said beside it, and not called arithmetic alone.
func (g gap) parts(total rounded) string {
	s := g.eager.Split
	if !s.Dispatch.OK || !s.Allocation.OK || !s.Casts.OK {
		return ""
	}
	dispatch := units(s.Dispatch.Median, total.digits)
	allocation := units(s.Allocation.Median, total.digits)
	casts := units(s.Casts.Median, total.digits)
	rest := total.minus(dispatch).minus(allocation).minus(casts)
	text := fmt.Sprintf(": of the eager step, dispatch %s, allocation %s, casts and copies %s; the rest %s ",
		dispatch.text(), allocation.text(), casts.text(), rest.text())
	if rest.n < 0 {
		return text + "(without these parts it takes that much less than the whole compiled step)"
	}
	return text + "(all else that differs: arithmetic that is not fused" + g.lessLoad() + ")"
}

// lessLoad says that the eager step spreads over the threads less evenly, where that was measured.
func (g gap) lessLoad() string {
	eager, compiled := g.eager.SteadyCPUPercent, g.compiled.SteadyCPUPercent
	if !eager.ApartFrom(compiled) || eager.Median > compiled.Median {
		return ""
	}
	return fmt.Sprintf(", work spread less evenly over the threads: CPU load %s against %s",
		typeset.Fixed(eager.Median, 0), typeset.Load(compiled.Median))
}

// counts says how much there is to dispatch, to allocate and to copy in an eager step: counted figures, which no load changes.
func counts(eager summary.Cell) string {
	if !eager.OpsPerStep.OK || !eager.TensorBytesPerStep.OK {
		return ""
	}
	text := fmt.Sprintf(" An eager step dispatches %s operations and allocates %s of tensors",
		typeset.Fixed(eager.OpsPerStep.Median, 0), typeset.Megabytes(eager.TensorBytesPerStep.Median))
	if x := eager.CopiedBytesPerStep; x.OK {
		text += fmt.Sprintf("; moving and converting writes %s of them", typeset.Megabytes(x.Median))
	}
	return text + "."
}

// otherStep is the step, in ms, for which an added cost is shown: that of a model some times larger than the experiment's.
const otherStep = 3.0

// added says that the gap is a cost to add, not a factor to multiply by, and which of its parts stay as they are with a larger model.
func (v view) added() string {
	g, ok := v.gap()
	if !ok || g.doubtful() || g.milliseconds() < 0 || g.compiled.StepMilliseconds.Median >= otherStep {
		return ""
	}
	digits := g.decimals()
	at := func(ms float64) string { return typeset.Ratio((otherStep + ms) / otherStep) }
	total := units(g.eager.StepMilliseconds.Median, digits).minus(units(g.compiled.StepMilliseconds.Median, digits))
	text := fmt.Sprintf("a cost in ms a step is added, not multiplied: a step of %.0f ms would take ", otherStep)
	if s := g.eager.Split; s.Dispatch.OK && s.Allocation.OK {
		perOperation := units(s.Dispatch.Median, digits).plus(units(s.Allocation.Median, digits))
		text += fmt.Sprintf("%s x with dispatch and allocation alone "+
			"(%s ms; they go with the number of operations, not with the model's size), ",
			at(s.Dispatch.Median+s.Allocation.Median), perOperation.text())
	}
	return text + fmt.Sprintf("%s x with the whole gap of %s ms, as far as it did not grow with the model: "+
		"arithmetic and casts do, and with the batch.",
		at(g.milliseconds()), total.text())
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

func (r rounded) plus(s rounded) rounded { return rounded{r.n + s.n, r.digits} }

func (r rounded) text() string { return typeset.Fixed(float64(r.n)/math.Pow10(r.digits), r.digits) }
