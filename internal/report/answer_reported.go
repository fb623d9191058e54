package report

import (
	"cmp"
	"fmt"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// reportedTime is one user's wall times of 10 epochs of this experiment, for tf.keras on TensorFlow 2.0.0 (CPU), Python 3.6, Core i7 3.2
// GHz with 4 cores, macOS.
type reportedTime struct {
	cell record.Cell // the execution is the one that TensorFlow 2.0.0 gave the mode
	// seconds and CPU load in percent of one hardware thread, by batch size
	seconds, cpu map[int]float64
}

func reportedTimes() []reportedTime {
	return []reportedTime{
		{record.Cell{Mode: "fit", Execution: "compiled"}, map[int]float64{64: 407, 8096: 99}, map[int]float64{64: 220, 8096: 860}},
		{record.Cell{Mode: "generator", Execution: "eager"}, map[int]float64{64: 1852, 8096: 179}, map[int]float64{64: 130, 8096: 700}},
		{record.Cell{Mode: "train-on-batch", Execution: "eager"}, map[int]float64{64: 1985, 8096: 198}, map[int]float64{64: 120, 8096: 680}},
	}
}

// asReported shows the ratios of the modes as TensorFlow 2.0.0 ran them, and the reported ones where the experiment is the same.
func (v view) asReported() string {
	fit, ok := v.fit()
	if !ok {
		return ""
	}
	same := isExperiment(v.rec.Plan)
	var names, here, there, walls []string
	base := 0.0
	for _, r := range reportedTimes() {
		c, ok := v.conclusive(r.cell.Mode, r.cell.Execution)
		if !ok {
			continue
		}
		names, here = append(names, c.Mode), append(here, typeset.Ratio(c.TimesFit.Median))
		s, known := r.seconds[fit.BatchSize]
		if same = same && known; same {
			base = cmp.Or(base, s)
			there, walls = append(there, typeset.Ratio(s/base)), append(walls, typeset.Fixed(s, 0))
		}
	}
	if len(names) < 2 {
		return ""
	}
	text := fmt.Sprintf("fit compiled, %s eager: %s here.", strings.Join(names[1:], " and "), strings.Join(here, " / "))
	if same {
		text += fmt.Sprintf(" Reported for TensorFlow 2.0.0 itself: %s (%s s for 10 epochs, on another machine and another runtime). "+
			"The causes differ: for here see Where the gap is; there 120 to 200 operations a step were dispatched one by one from Python.",
			strings.Join(there, " / "), strings.Join(walls, " / "))
	}
	return text + oneRound(fit)
}

// isExperiment tells whether the plan's data are those of the reported experiment.
func isExperiment(p record.Plan) bool {
	e := record.Experiment()
	return p.Samples == e.Samples && p.Window == e.Window && p.Anomalies == e.Anomalies &&
		p.Noise == e.Noise && p.Shift == e.Shift && p.Seed == e.Seed
}
