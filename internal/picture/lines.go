package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// StepsByBatch draws the time of a step over the batch size, both logarithmic: a line a cell, with its rounds as points. False unless
// it was measured at two sizes or more.
func StepsByBatch(cells []summary.Cell, runs []record.Run) (Picture, bool) {
	return byBatch("Time of a step, ms, by batch size (both logarithmic)", stepTime(), true, cells, runs)
}

// LoadByBatch draws the CPU load over the batch size likewise, the load on a linear axis from 0 on.
func LoadByBatch(cells []summary.Cell, runs []record.Run) (Picture, bool) {
	return byBatch("CPU load, % of one core, by batch size (logarithmic)", cpuLoad(), false, cells, runs)
}

// chart is a quantity over the batch size.
type chart struct {
	quantity
	logarithmic bool
	series      []series
	// batches are the sizes with a figure, ascending.
	batches []int
}

// series is the line of one cell.
type series struct {
	style                  style
	medians, used, leftOut [][2]float64
}

// byBatch draws a quantity over the batch size.
func byBatch(title string, q quantity, logarithmic bool, cells []summary.Cell, runs []record.Run) (Picture, bool) {
	cells = shown(cells)
	name, styleOf := names(cells), styles(cells)
	g := chart{quantity: q, logarithmic: logarithmic}
	var legend []entry
	var items []string
	crossed := false
	for _, line := range lines(cells) {
		items = append(items, name(line[0])+g.said(line, runs))
		s := series{style: styleOf(line[0])}
		if g.add(&s, line, runs); len(s.medians) == 0 {
			continue
		}
		g.series = append(g.series, s)
		legend = append(legend, lineEntry(name(line[0]), s.style))
		crossed = crossed || len(s.leftOut) > 0
	}
	slices.Sort(g.batches)
	g.batches = slices.Compact(g.batches)
	legend = append(legend, dotEntry("a round"))
	if crossed {
		legend = append(legend, crossEntry("disturbed, left out"))
	}
	return Picture{
		Title: title, Text: listed(title, items), legend: legend, height: chartHeight, plot: g.plot,
	}, len(g.batches) > 1
}

func chartHeight(l Layout) vg.Length { return 0.3*l.width + 110 }

// lines are the cells that differ in nothing but the batch size, by ascending size.
func lines(cells []summary.Cell) [][]summary.Cell {
	var all [][]summary.Cell
	for _, c := range cells {
		i := slices.IndexFunc(all, func(line []summary.Cell) bool { return line[0].Engine == c.Engine && line[0].Cell == c.Cell })
		if i < 0 {
			i, all = len(all), append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	for _, line := range all {
		slices.SortStableFunc(line, func(a, b summary.Cell) int { return cmp.Compare(a.BatchSize, b.BatchSize) })
	}
	return all
}

// said are the figures of a line in words.
func (g chart) said(line []summary.Cell, runs []record.Run) string {
	text := ""
	for _, c := range line {
		text += fmt.Sprintf(", batch %d %s", c.BatchSize, g.quantity.said(c, runs))
	}
	return text
}

// add takes the figures of a line that can be drawn.
func (g *chart) add(s *series, line []summary.Cell, runs []record.Run) {
	for _, c := range line {
		v, ok := g.median(c, g.logarithmic)
		if !ok || c.BatchSize < 1 {
			continue
		}
		used, leftOut := g.rounds(c, runs, g.logarithmic)
		s.medians = append(s.medians, [2]float64{float64(c.BatchSize), v})
		s.used, s.leftOut = append(s.used, above(c.BatchSize, used)...), append(s.leftOut, above(c.BatchSize, leftOut)...)
		g.batches = append(g.batches, c.BatchSize)
	}
}

// above are values at one batch size.
func above(batchSize int, values []float64) [][2]float64 {
	at := make([][2]float64, len(values))
	for i, v := range values {
		at[i] = [2]float64{float64(batchSize), v}
	}
	return at
}

// plot is the chart in a look.
func (g chart) plot(k look) *plot.Plot {
	p := k.empty()
	p.X.Scale, p.X.Min, p.X.Max = plot.LogScale{}, float64(g.batches[0]), float64(g.batches[len(g.batches)-1])
	p.X.Tick.Marker = sizes{g.batches, k}
	p.X.Label.Text = "batch size"
	p.Y.Min, p.Y.Max = g.bounds()
	p.Y.Tick.Marker = evenly(5)
	if g.logarithmic {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
	}
	p.Add(across{k.grid})
	for _, s := range g.series {
		p.Add(s.connected(k), points{at: s.medians, radius: markRadius, shape: s.style.shape(), draw: s.style.marked(k)})
	}
	for _, s := range g.series { // over all marks
		p.Add(points{at: s.used, radius: dotRadius, shape: dot(), draw: filled(k.text)}, crosses{s.leftOut, k.text})
	}
	return p
}

// bounds are the smallest and the largest value, opened to round ones on a logarithmic axis, from 0 on a linear one.
func (g chart) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range g.series {
		for _, values := range [][][2]float64{s.medians, s.used, s.leftOut} {
			for _, v := range values {
				low, high = min(low, v[1]), max(high, v[1])
			}
		}
	}
	if !g.logarithmic {
		return 0, max(high, 1) * 1.05
	}
	return low / 1.15, high * 1.15
}

// connected is the line through the medians.
func (s series) connected(k look) plot.Plotter { return polyline{s.medians, s.style.line(k)} }

// polyline connects points.
type polyline struct {
	at    [][2]float64
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (l polyline) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := make([]vg.Point, len(l.at))
	for i, v := range l.at {
		at[i] = vg.Point{X: x(v[0]), Y: y(v[1])}
	}
	if len(at) > 1 {
		c.StrokeLines(l.style, at)
	}
}
