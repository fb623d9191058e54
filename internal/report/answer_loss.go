package report

import (
	"fmt"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// loss shows what training came to, by execution, and how far the executions differ; that is shown, not judged. Accuracy is shown
// only together with the share of class 1, without which it says nothing.
func (v view) loss() string {
	if v.byFramework() { // whose modes may shuffle by themselves
		return ""
	}
	var cells []summary.Cell
	var parts []string
	for _, g := range v.groups() {
		for _, c := range g.cells {
			if c.Loss.OK {
				cells = append(cells, c)
				parts = append(parts, fmt.Sprintf("%s %s", typeset.ASCII(g.execution), typeset.Fixed(c.Loss.Median, 6)))
				break
			}
		}
	}
	if len(cells) == 0 {
		return ""
	}
	text := averaged(v.rec.Plan) + ": " + strings.Join(parts, ", ")
	if len(cells) > 1 {
		text += fmt.Sprintf(" (difference %.1e)", cells[1].Loss.Median-cells[0].Loss.Median)
	}
	share := v.classOneShare()
	if accuracy := cells[0].Accuracy; accuracy.OK && share.OK {
		text += fmt.Sprintf("; accuracy %s %%, where always answering class 1 is right for %s %% of all windows",
			typeset.Fixed(accuracy.Median*100, 2), typeset.Fixed(share.Median*100, 2))
	}
	return text + "."
}

// averaged says which steps the loss is a mean over: those of the last epoch, which the number of steps may have cut short.
func averaged(p record.Plan) string {
	total, epoch := p.TotalSteps(), p.StepsPerEpoch()
	switch cut := total % max(epoch, 1); {
	case p.Epochs > 0 || cut == 0:
		return "mean over the last epoch"
	case total < epoch:
		return fmt.Sprintf("mean over the %s", typeset.Counted(total, "step"))
	default:
		return fmt.Sprintf("mean over the last %s, an epoch cut short", typeset.Counted(cut, "step"))
	}
}

// classOneShare is the share of class 1 as a run reports it.
func (v view) classOneShare() summary.Value {
	for _, c := range v.cells {
		if c.ClassOneShare.OK {
			return c.ClassOneShare
		}
	}
	return summary.Value{}
}
