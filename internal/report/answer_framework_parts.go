package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// input says how much of a step is the wait for its batch, in the modes whose loop is the user's own and so has a clock there.
func (f framework) input() string {
	var parts, slow []string
	var waiting []summary.Cell
	for _, mode := range []string{"train-on-batch", "generator"} {
		for _, execution := range executions() {
			c, ok := f.conclusive(mode, execution)
			if !ok || !c.InputWaitMilliseconds.OK {
				continue
			}
			wait, whole := c.InputWaitMilliseconds.Median, c.StepMilliseconds.Median
			parts = append(parts, fmt.Sprintf("%s %s of %s (%s)", c.Cell, typeset.Milliseconds(wait), typeset.Milliseconds(whole), typeset.Percent(wait/whole)))
			waiting = append(waiting, c)
			if wait > whole/2 {
				slow = append(slow, c.Cell.String())
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	verdict := "the step is the slow part, not the input"
	switch len(slow) {
	case 0:
	case len(parts):
		verdict = "the input is the slow part"
	default:
		verdict = "the input is the slow part in " + strings.Join(slow, ", ") + " alone"
	}
	if f.engine == "jax" { // whose steps go on meanwhile
		verdict = "earlier steps go on meanwhile"
	}
	return fmt.Sprintf("of a step, the wait for its batch is: %s; %s.%s", strings.Join(parts, ", "), verdict, oneRound(waiting...))
}

// beforehand says what is paid once: loading the framework, building fit's array, and first steps, which trace and compile.
func (f framework) beforehand() string {
	var parts []string
	if load := f.fit.ImportSeconds; load.OK {
		parts = append(parts, "loading it took "+typeset.Seconds(load.Median))
	}
	if build := f.fit.BuildSeconds; build.OK {
		parts = append(parts, "building fit's array and the framework's own copies "+typeset.Seconds(build.Median))
	}
	first := slices.DeleteFunc(slices.Clone(f.cells), func(c summary.Cell) bool { return !c.FirstStepSeconds.OK })
	if len(first) > 0 {
		least, most := span(first)
		text := "the first step " + typeset.Seconds(least.FirstStepSeconds.Median)
		if len(first) > 1 {
			text = fmt.Sprintf("the first step %s (%s) to %s (%s)", typeset.Seconds(least.FirstStepSeconds.Median), least.Cell,
				typeset.Seconds(most.FirstStepSeconds.Median), most.Cell)
		}
		text += ", with tracing and compiling"
		if f.engine == "torch" && slices.ContainsFunc(first, func(c summary.Cell) bool { return c.Execution == "compiled" }) {
			text += " (PyTorch keeps on disk what it compiled: it is in full in the first run alone)"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + "; none of it is in ms/step."
}

// span are the cells with the shortest and the longest first step.
func span(cells []summary.Cell) (least, most summary.Cell) {
	by := func(a, b summary.Cell) int { return cmp.Compare(a.FirstStepSeconds.Median, b.FirstStepSeconds.Median) }
	return slices.MinFunc(cells, by), slices.MaxFunc(cells, by)
}

// reported holds TensorFlow 2.0.0's ratios against those that were reported of that very version.
func (f framework) reported() string {
	fit, times := f.fit, reportedTimes()
	if !strings.Contains(f.rec.Runs[0].EngineVersion, "TensorFlow 2.0.") || fit.Cell != summary.Reference() {
		return ""
	}
	base, known := times[0].seconds[fit.BatchSize]
	if !known || !isExperiment(f.rec.Plan) {
		return ""
	}
	var here, there, walls []string
	for _, r := range times[1:] {
		c, ok := f.conclusive(r.cell.Mode, fit.Execution)
		if !ok {
			return ""
		}
		seconds := r.seconds[fit.BatchSize]
		here = append(here, fmt.Sprintf("%s %s x fit", c.Mode, typeset.Ratio(c.TimesFit.Median)))
		there, walls = append(there, typeset.Ratio(seconds/base)), append(walls, typeset.Fixed(seconds, 0))
	}
	return fmt.Sprintf("%s here, and %s reported (%s against %s s for 10 epochs, on another machine): this version runs both op by op, whatever feeds them.%s",
		strings.Join(here, " and "), strings.Join(there, " and "), strings.Join(walls, " and "), typeset.Fixed(base, 0), oneRound(fit))
}

// frameworkLosses is what training came to by each framework. Where modes differ, so did the order of their batches.
func frameworkLosses(views []view) []Line {
	var all []statement
	for _, v := range views {
		if v.byFramework() {
			all = append(all, statement{"Loss", named(v.called(views), v.losses)})
		}
	}
	return stated(all)
}

// losses are the least and the largest of the view's modes.
func (v view) losses() string {
	cells := slices.DeleteFunc(slices.Clone(v.cells), func(c summary.Cell) bool { return !c.Loss.OK })
	if len(cells) == 0 {
		return ""
	}
	by := func(a, b summary.Cell) int { return cmp.Compare(a.Loss.Median, b.Loss.Median) }
	least, most := slices.MinFunc(cells, by), slices.MaxFunc(cells, by)
	if len(cells) == 1 {
		return fmt.Sprintf("%s: %s.", averaged(v.rec.Plan), typeset.Fixed(least.Loss.Median, 4))
	}
	if most.Loss.Median-least.Loss.Median <= sameLoss {
		return fmt.Sprintf("%s: %s in every mode.", averaged(v.rec.Plan), typeset.Fixed(least.Loss.Median, 4))
	}
	return fmt.Sprintf("%s: %s (%s) to %s (%s). A mode that shuffles by itself trains on other batches; fitbench verify --engine proves equal work.",
		averaged(v.rec.Plan), typeset.Fixed(least.Loss.Median, 4), least.Cell, typeset.Fixed(most.Loss.Median, 4), most.Cell)
}

// sameLoss is less than the losses show.
const sameLoss = 5e-5
