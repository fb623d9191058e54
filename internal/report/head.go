package report

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/footing"
	"fitbench/internal/recipe"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// header says what was run, in two lines where they are wide enough, and what speaks against comparing the runs.
func header(rec record.Record, width int) []string {
	lines := typeset.Parted([]string{subject(rec.Plan), machine(rec), engines(rec)}, width)
	how := []string{schedule(rec)}
	differences := footing.Check(rec.Runs)
	if equal := equalFooting(rec.Runs); equal != "" && len(differences) == 0 {
		how = append(how, equal)
	}
	lines = append(lines, typeset.Parted(how, width)...)
	for _, d := range differences {
		lines = append(lines, typeset.Wrap("NOT ON AN EQUAL FOOTING, do not compare: "+typeset.ASCII(d.Error()), "", "  ", width)...)
	}
	return lines
}

// maxNamedSizes is the number of batch sizes that are named one by one.
const maxNamedSizes = 6

// subject is the model and its data.
func subject(p record.Plan) string {
	sizes := make([]string, len(p.Sizes()))
	for i, size := range p.Sizes() {
		sizes[i] = typeset.Integer(size)
	}
	if len(sizes) > maxNamedSizes {
		sizes = []string{fmt.Sprintf("%d sizes from %s to %s", len(sizes), sizes[0], sizes[len(sizes)-1])}
	}
	return fmt.Sprintf("1D CNN, %s windows of %s, batch %s", typeset.Integer(p.Samples), typeset.Integer(p.Window), strings.Join(sizes, " / "))
}

// machine is the cores, the threads where a step does not use all cores, and the kernel.
func machine(rec record.Record) string {
	e := rec.Environment
	s := typeset.Counted(e.UsableCores, "core")
	switch {
	case e.UsableCores == 0:
		s = "cores not known"
	case e.OnlineCores > 0:
		s = fmt.Sprintf("%d of %s", e.UsableCores, typeset.Counted(e.OnlineCores, "core"))
	}
	if n := rec.Plan.Threads; n > 0 && n != e.UsableCores {
		s += ", " + typeset.Counted(n, "thread")
	}
	if e.Kernel != "" && !onlyFrameworks(rec) {
		s += ", " + kernelName(e.Kernel)
	}
	return s
}

// onlyFrameworks tells whether no run used fitbench's kernel.
func onlyFrameworks(rec record.Record) bool {
	return len(rec.Runs) > 0 && !slices.ContainsFunc(rec.Runs, func(r record.Run) bool {
		_, ok := recipe.EngineOf(r.Engine)
		return !ok
	})
}

// kernelName is the kernel as a reader knows it: the portable one is named after its language.
func kernelName(name string) string {
	if name == "go" {
		return "kernel go (portable)"
	}
	return "kernel " + typeset.ASCII(name)
}

// engines says whose step was run, so that nobody takes it for another's, and of which version it is.
func engines(rec record.Record) string {
	var others []string
	own, frameworks := len(rec.Runs) == 0, false
	for _, r := range rec.Runs {
		if r.Engine == footing.OwnEngine {
			own = true
			continue
		}
		if _, ok := recipe.EngineOf(r.Engine); ok {
			frameworks = true
		}
		if name := engineName(rec, r.Engine); !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	s := ""
	if len(others) > 0 {
		s = "engine " + strings.Join(others, ", ")
	}
	if own && s != "" {
		s += " and "
	}
	if own {
		s += "fitbench's own engine"
		if !frameworks {
			s += ", not your Keras"
		}
	}
	return s
}

// engineName is an engine with what it says of itself, where a run of it came to that.
func engineName(rec record.Record, engine string) string {
	for _, r := range rec.Runs {
		if r.Engine == engine && r.EngineVersion != "" {
			return typeset.ASCII(fmt.Sprintf("%s (%s)", engine, r.EngineVersion))
		}
	}
	return typeset.ASCII(engine)
}

// schedule is the rounds, the length of a run, and the time that the runs took.
func schedule(rec record.Record) string {
	p := rec.Plan
	s := typeset.Counted(p.Rounds, "round") + " of "
	if p.Epochs > 0 {
		s += typeset.Counted(p.Epochs, "epoch")
	} else {
		s += stepCounts(p)
	}
	if p.JITCompile != nil {
		s += fmt.Sprintf(", jit_compile=%v in Keras", *p.JITCompile)
	}
	if p.Rounds > 1 && len(p.Cells)*len(p.Sizes()) > 1 {
		s += ", interleaved"
	}
	s += ended(rec)
	total, measured := 0.0, false
	for _, r := range rec.Runs {
		if r.WallSeconds != nil {
			total, measured = total+*r.WallSeconds, true
		}
	}
	if measured {
		s += ", " + typeset.Seconds(total) + " of building and training"
	}
	return s
}

// stepCounts is the number of steps of a run, which may go with the batch size.
func stepCounts(p record.Plan) string {
	least, most := p.At(p.Sizes()[0]).Steps, 0
	for _, size := range p.Sizes() {
		steps := p.At(size).Steps
		least, most = min(least, steps), max(most, steps)
	}
	if least == most {
		return typeset.Counted(most, "step")
	}
	return fmt.Sprintf("%s to %s", typeset.Integer(least), typeset.Counted(most, "step"))
}

// ended says how many of the planned runs there are, where not all are; it is no interruption where only those of given-up cells are
// missing.
func ended(rec record.Record) string {
	if slices.ContainsFunc(rec.Runs, func(r record.Run) bool { return r.Role != "" }) {
		return "" // a check ends for each cell when that is decided
	}
	planned, dropped := rec.Plan.Rounds*len(rec.Plan.Cells)*len(rec.Plan.Sizes())*max(len(rec.Plan.Engines), 1), 0
	for _, c := range summary.Of(rec).Cells {
		if c.GivenUp {
			dropped += rec.Plan.Rounds - c.Runs
		}
	}
	missing := planned - len(rec.Runs)
	switch {
	case missing <= 0:
		return ""
	case missing <= dropped:
		return fmt.Sprintf(", %d of %s", len(rec.Runs), typeset.Counted(planned, "run"))
	}
	return fmt.Sprintf(", interrupted: only %d of %s ended", len(rec.Runs), typeset.Counted(planned, "run"))
}

// equalFooting says what the digests prove, given that none differs: it takes two runs that have one.
func equalFooting(runs []record.Run) string {
	ordered, proved := 0, false
	weights := map[[4]string]int{}
	for _, r := range runs {
		if r.Error != "" {
			continue
		}
		if r.OrderDigest == "" {
			return ""
		}
		ordered++
		if r.WeightsDigest != "" {
			group := [4]string{r.By(), r.Kernel, r.Execution, fmt.Sprint(r.BatchSize)}
			weights[group]++
			proved = proved || weights[group] > 1
		}
	}
	switch {
	case ordered < 2:
		return ""
	case !proved:
		return "the same batches in the same order"
	}
	return "the same batches in the same order; equal final weights in each group of columns"
}
