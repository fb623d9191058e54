package report

import (
	"fmt"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// loss shows what training came to, by execution, and how far the executions differ; that is shown, not judged. Accuracy is shown
// only together with the share of class 1, without which it says nothing.
func (v view) loss() string {
	var cells []summary.Cell
	var parts []string
	for _, g := range v.groups() {
		for _, c := range g.cells {
			if c.Loss.OK {
				cells = append(cells, c)
				parts = append(parts, fmt.Sprintf("%s %s", ascii(g.execution), fixed(c.Loss.Median, 6)))
				break
			}
		}
	}
	if len(cells) == 0 {
		return ""
	}
	text := "mean over the last epoch: " + strings.Join(parts, ", ")
	if len(cells) > 1 {
		text += fmt.Sprintf(" (difference %.1e)", cells[1].Loss.Median-cells[0].Loss.Median)
	}
	share, known := v.classOneShare()
	if accuracy := cells[0].Accuracy; accuracy.OK && known {
		text += fmt.Sprintf("; accuracy %s %%, but %s %% of the windows are class 1 anyway", fixed(accuracy.Median*100, 2), fixed(share*100, 2))
	}
	return text + "."
}

// classOneShare is the share of class 1 as a run reports it, or as it is known for the experiment's own labels.
func (v view) classOneShare() (float64, bool) {
	for _, c := range v.cells {
		if c.ClassOneShare.OK {
			return c.ClassOneShare.Median, true
		}
	}
	return experimentClassOnes / 1049344.0, hasExperimentLabels(v.rec.Plan)
}

// experimentClassOnes is the number of windows of class 1 in the experiment's data.
const experimentClassOnes = 1042942

// hasExperimentLabels tells whether the plan's labels are the experiment's. The noise is drawn before the anomalies in any case, so
// neither its scale nor the shift matters.
func hasExperimentLabels(p record.Plan) bool {
	return p.Samples == 1049344 && p.Window == 104 && p.Anomalies == 50000 && p.Seed == 0
}
