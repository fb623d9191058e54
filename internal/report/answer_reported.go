package report

import (
	"fmt"
	"strings"

	"fitbench/internal/record"
)

// reported are the wall times of 10 epochs of this experiment that a user reported for tf.keras on TensorFlow 2.0.0 (CPU), Python
// 3.6, Core i7 3.2 GHz with 4 cores, macOS: in seconds, by batch size, in the order of reportedModes.
func reported(batchSize int) ([]float64, bool) {
	switch batchSize {
	case 64:
		return []float64{407, 1852, 1985}, true
	case 8096:
		return []float64{99, 179, 198}, true
	}
	return nil, false
}

// reportedModes are the ways of training in that report, each with the execution that TensorFlow 2.0.0 gave it.
func reportedModes() []record.Cell {
	return []record.Cell{
		{Mode: "fit", Execution: "compiled"},
		{Mode: "generator", Execution: "eager"},
		{Mode: "train-on-batch", Execution: "eager"},
	}
}

// asReported shows the ratios of the modes as TensorFlow 2.0.0 ran them, and the reported ones where the experiment is the same.
func (v view) asReported() string {
	fit, ok := v.fit()
	if !ok {
		return ""
	}
	times, same := reported(fit.BatchSize)
	same = same && isExperiment(v.rec.Plan)
	var names, here, there, walls []string
	for i, r := range reportedModes() {
		c, ok := v.conclusive(r.Mode, r.Execution)
		if !ok {
			continue
		}
		names, here = append(names, r.Mode), append(here, ratio(c.TimesFit.Median))
		if same {
			there, walls = append(there, ratio(times[i]/times[0])), append(walls, fixed(times[i], 0))
		}
	}
	if len(names) < 2 {
		return ""
	}
	text := fmt.Sprintf("fit compiled, %s op by op: %s here.", strings.Join(names[1:], " and "), strings.Join(here, " / "))
	if same {
		text += fmt.Sprintf(" Reported for TensorFlow 2.0.0 itself: %s (%s s for 10 epochs, on another machine and another runtime).",
			strings.Join(there, " / "), strings.Join(walls, " / "))
	}
	return text
}

// isExperiment tells whether the plan's data are those of the reported experiment.
func isExperiment(p record.Plan) bool {
	return p.Samples == 1049344 && p.Window == 104 && p.Anomalies == 50000 && p.Noise == 0.2 && p.Shift == 0.5 && p.Seed == 0
}
