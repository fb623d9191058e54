package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/recipe"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// framework is a view of runs by the user's own Keras, PyTorch or JAX. Nothing is said of the causes inside a step: no clock was there.
type framework struct {
	view
	// engine is the one that recipes are for, called the name in sentences.
	engine, called string
	// fit is the cell that the others are held against.
	fit  summary.Cell
	book recipe.Book
}

// ofFramework is the framework of the user's that the view's runs are by, as recipes name it.
func (v view) ofFramework() (engine string, ok bool) {
	if len(v.rec.Runs) == 0 {
		return "", false
	}
	return recipe.EngineOf(v.rec.Runs[0].Engine)
}

func (v view) byFramework() bool {
	_, ok := v.ofFramework()
	return ok
}

// frameworks are the views that can be concluded from: by a framework, and with a fit to hold the other modes against.
func frameworks(views []view, book recipe.Book) []framework {
	var all []framework
	for _, v := range views {
		engine, ok := v.ofFramework()
		if fit := v.fitCell(); ok && usable(fit) {
			all = append(all, framework{view: v, engine: engine, called: v.called(views), fit: fit, book: book})
		}
	}
	return all
}

// called is the view's engine, without its interpreter where no other engine is named alike, and its batch size where there are several.
func (v view) called(views []view) string {
	short := func(name string) string { return strings.SplitN(name, ":", 2)[0] }
	c := v.cells[0]
	name, size := short(c.Engine), ""
	for _, other := range views {
		o := other.cells[0]
		if o.Engine != c.Engine && short(o.Engine) == short(c.Engine) {
			name = c.Engine
		}
		if o.BatchSize != c.BatchSize {
			size = " at batch " + typeset.Integer(c.BatchSize)
		}
	}
	return name + size
}

// conclusions are what is told of the framework, each under the engine's name.
func (f framework) conclusions() []Line {
	return stated([]statement{
		{leanTitle, named(f.called, f.lean)},
		{"Cost of train-on-batch", named(f.called, f.loop)},
		{"Several steps a call", named(f.called, f.severalSteps)},
		{"Input or model", named(f.called, f.input)},
		{"Reported of it", named(f.called, f.reported)},
		{"One time", named(f.called, f.beforehand)},
	})
}

// named puts a name before what is said, where anything is.
func named(name string, say func() string) func() string {
	return func() string {
		if text := say(); text != "" {
			return name + ": " + text
		}
		return ""
	}
}

// fitName is the cell in whose time the others are told, as briefly as it is plain.
func (f framework) fitName() string {
	if f.fit.Cell == summary.Reference() {
		return f.fit.Mode
	}
	return f.fit.Cell.String()
}

// lean says which ways keep fit's speed, and where their code is.
func (f framework) lean() string {
	k := f.candidates(f.fit)
	text := k.told(f.fitName(), func(fastest summary.Cell) string {
		return fmt.Sprintf("%s %s x %s%s.", fastest.Cell, timesFit(fastest), f.fitName(), memory(f.fit, fastest))
	})
	if text == "" {
		return ""
	}
	var modes []string
	for _, c := range k.byStanding[keeps] {
		modes = append(modes, c.Mode)
		if c.StepsPerExecution > 1 {
			modes = append(modes, "several-steps")
		}
	}
	return text + f.recipes(modes) + oneRound(f.fit)
}

// loop says what the loop of one's own costs over fit, in ms a step first: that is what carries over to another model.
func (f framework) loop() string {
	var parts []string
	for _, execution := range executions() {
		if c, ok := f.conclusive("train-on-batch", execution); ok {
			parts = append(parts, beside(c, f.fit, f.fitName()))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "." + f.recipes([]string{"train-on-batch"}) + oneRound(f.fit)
}

// severalSteps says what it wins to run several steps in one call, of each cell that ran with one step a call too.
func (f framework) severalSteps() string {
	var parts []string
	var ones []summary.Cell
	for _, c := range f.cells {
		one, ok := f.conclusive(c.Mode, c.Execution)
		if c.StepsPerExecution < 2 || !ok || !usable(c) {
			continue
		}
		parts = append(parts, beside(c, one, one.Cell.String()))
		ones = append(ones, one, c)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "." + f.recipes([]string{"several-steps"}) + oneRound(ones...)
}

// beside holds a cell's step against another's, which is called by that name.
func beside(c, other summary.Cell, name string) string {
	step, base := c.StepMilliseconds, other.StepMilliseconds
	digits := max(1, typeset.Decimals(step.Median-base.Median, 3))
	ours, theirs := units(step.Median, digits), units(base.Median, digits)
	figures := fmt.Sprintf("%s against %s ms, %s x", ours.text(), theirs.text(), typeset.Ratio(step.Over(base).Median))
	switch {
	case !step.ApartFrom(base):
		return fmt.Sprintf("undecided: %s and %s are within the spread of the rounds (%s)", c.Cell, name, figures)
	case step.Median < base.Median:
		return fmt.Sprintf("%s takes %s ms a step less than %s (%s)", c.Cell, theirs.minus(ours).text(), name, figures)
	}
	return fmt.Sprintf("%s takes +%s ms a step over %s (%s)", c.Cell, ours.minus(theirs).text(), name, figures)
}

// othersNoise is how far the figures of the frameworks that are not the first view's can be trusted.
func othersNoise(views []view) []Line {
	var all []statement
	for _, v := range views[1:] {
		if v.byFramework() {
			all = append(all, statement{"Noise", named(v.called(views), v.noise)})
		}
	}
	return stated(all)
}

// recipes names the command that prints the code of those modes that have one for this engine, as a sentence behind another.
func (f framework) recipes(modes []string) string {
	var having []string
	for _, mode := range modes {
		if _, ok := f.book.Find(mode, f.engine); ok && !slices.Contains(having, mode) {
			having = append(having, mode)
		}
	}
	if len(having) == 0 {
		return ""
	}
	text := fmt.Sprintf(" Recipe: fitbench recipe %s --for %s", having[0], f.engine)
	if len(having) > 1 {
		text += ", and so for " + strings.Join(having[1:], ", ")
	}
	return text + "."
}
