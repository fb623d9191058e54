package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// environmentFacts names the machine and the build.
func environmentFacts(rec record.Record) []Line {
	e := rec.Environment
	lines := []Line{
		{"CPU", e.CPUModel},
		{"Cores", cores(e)},
		{"Kernel", e.Kernel},
		{"System", strings.TrimSpace(e.OS + " " + e.OSVersion)},
		{"Architecture", e.Arch},
		{"Go", e.Go},
		{"Revision", e.Revision},
		{"GOGC", cmp.Or(e.GOGC, "not set")},
		{"GODEBUG", cmp.Or(e.GODEBUG, "not set")},
	}
	var told []string
	for _, r := range rec.Runs {
		if key := r.Engine + "\n" + r.EngineVersion; r.EngineVersion != "" && !slices.Contains(told, key) {
			told = append(told, key)
			lines = append(lines, Line{"Engine " + r.Engine, r.EngineVersion})
		}
	}
	return stateable(lines)
}

func cores(e record.Environment) string {
	switch {
	case e.UsableCores == 0:
		return ""
	case e.OnlineCores == 0:
		return fmt.Sprintf("%d usable", e.UsableCores)
	}
	return fmt.Sprintf("%d usable of %d online", e.UsableCores, e.OnlineCores)
}

// planFacts names what was asked for.
func planFacts(p record.Plan) []Line {
	sizes := make([]string, len(p.Sizes()))
	for i, n := range p.Sizes() {
		sizes[i] = typeset.Integer(n)
	}
	length := stepCounts(p)
	if p.Epochs > 0 {
		length = typeset.Counted(p.Epochs, "epoch")
	}
	cells := make([]string, len(p.Cells))
	for i, c := range p.Cells {
		cells[i] = c.String()
	}
	return stateable([]Line{
		{"Series", fmt.Sprintf("%s values, %s anomalies of +%g, noise %g, seed %d", typeset.Integer(p.Samples), typeset.Integer(p.Anomalies), p.Shift, p.Noise, p.Seed)},
		{"Window", typeset.Counted(p.Window, "value")},
		{"Batch sizes", strings.Join(sizes, ", ")},
		{"Each run", length},
		{"Rounds", typeset.Integer(p.Rounds)},
		{"Threads", typeset.Integer(p.Threads)},
		{"Kernel asked for", cmp.Or(p.Kernel, "auto")},
		{"Queue", fmt.Sprintf("filled by %s, batches ahead at most: %s", typeset.Counted(p.Workers, "worker"), typeset.Integer(p.QueueSize))},
		{"Cells", strings.Join(cells, ", ")},
		{"Engines", cmp.Or(strings.Join(p.Engines, ", "), "native")},
	})
}

// stateable are lines with a dash for what is not known.
func stateable(lines []Line) []Line {
	for i := range lines {
		lines[i] = Line{printable(lines[i].Title), printable(cmp.Or(lines[i].Text, typeset.Absent))}
	}
	return lines
}
