package report

import (
	"io"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/typeset"
)

// Reported writes the page about the figures that one user reported for Keras: what they were, their cost a step and a sample as two
// points give it, and all that speaks against holding them beside figures that this program measures. They stand on a page of their
// own for that reason.
func Reported(w io.Writer, o Options) error {
	width := o.lineWidth()
	lines := typeset.Wrap("What a user reported for the same experiment in tf.keras: 10 epochs of 1,049,344 windows of 104, wall time and CPU "+
		"load (100 % is one hardware thread).", "", "", width)
	table, err := reportedGrid().Lines()
	if err != nil {
		return err
	}
	lines = append(append(lines, ""), table...)
	lines = append(append(lines, ""), typeset.Wrap("ms a step = a + b x batch size: two points determine the two terms exactly, so there is no "+
		"telling how good they are, nor what lies between or beyond.", "", "", width)...)
	lines = append(lines, "")
	for _, line := range incomparable() {
		lines = append(lines, layout([]Line{line}, width)...)
	}
	_, err = io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// reportedGrid has a row each mode.
func reportedGrid() typeset.Grid {
	g := typeset.Grid{Gaps: []int{0, 3, 3, 3, 3, 3, 3}, Rows: [][]string{
		{"as TensorFlow 2.0.0 ran it", "batch 64", "CPU", "batch 8,096", "CPU", "a, ms a step", "b, us a sample"},
	}}
	for _, r := range reportedTimes() {
		line, ok := r.line()
		if !ok {
			continue // the constants below are at fault, which a test sees
		}
		g.Rows = append(g.Rows, []string{
			r.cell.String(), typeset.Fixed(r.seconds[64], 0) + " s", typeset.Load(r.cpu[64]), typeset.Fixed(r.seconds[8096], 0) + " s", typeset.Load(r.cpu[8096]),
			typeset.Fixed(line.Intercept, 1), typeset.Fixed(line.Slope*1e3, 1),
		})
	}
	return g
}

// line is the mode's cost in ms a step, through its two points.
func (r reportedTime) line() (stats.Line, bool) {
	var x, y []float64
	for _, size := range []int{64, 8096} {
		plan := record.Experiment()
		plan.BatchSize = size
		x, y = append(x, float64(size)), append(y, r.seconds[size]*1e3/float64(10*plan.StepsPerEpoch()))
	}
	return stats.FitLine(x, y)
}

// incomparable is what speaks against holding these figures beside measured ones.
func incomparable() []Line {
	return []Line{
		{"Machine", "Intel Core i7 3.2 GHz, 4 cores with 8 hardware threads, macOS Mojave. CPU loads above 400 % count hardware threads, not cores."},
		{"Runtime", "TensorFlow 2.0.0 (CPU) with Python 3.6.3: operations of a mode that runs op by op are dispatched from Python. fitbench's eager " +
			"step dispatches them from Go, which is cheaper; its compiled step has kernels made for this one network."},
		{"Measuring", "wall time of whole runs as the user took it, start-up, tracing and the epochs' shuffles included, one run each: no spread is known. " +
			"fitbench gives the steady state of several runs."},
		{"Which function", "the listing in the question calls fit(x=Sequence), which 2.0.0 already compiles; the figures are those of fit_generator, " +
			"which the text names."},
		{"What holds", "the order of the modes, and that a cost a step rules at batch 64 while at 8,096 most of the gap goes with the samples."},
		{"On your machine", "fitbench run --batch-size 64 and fitbench sweep measure the same experiment with fitbench's own engine."},
	}
}
