package picture

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// Steps draws the median step of each cell as a bar and its rounds as points. False if none was measured.
func Steps(cells []summary.Cell, runs []record.Run) (Picture, bool) {
	return byCell("Time of a step by cell, ms: median and rounds", stepTime(), cells, runs)
}

// Memory draws the median of each cell's peak memory as a bar. False if none was measured.
func Memory(cells []summary.Cell) (Picture, bool) {
	return byCell("Peak memory by cell, MB: median of the rounds", peakMemory(), cells, nil)
}

// row is one bar with what stands on it and behind it.
type row struct {
	label         string
	parts         []part
	used, leftOut []float64
	style         style
	value         string
}

// part is a piece of a bar, each beginning where the last ended.
type part struct {
	length float64
	fill   func(k look) color.Color
}

// end is the length of the whole bar.
func (r row) end() float64 {
	sum := 0.0
	for _, p := range r.parts {
		sum += p.length
	}
	return sum
}

// byCell draws a quantity of cells, with its rounds where it has some.
func byCell(title string, q quantity, cells []summary.Cell, runs []record.Run) (Picture, bool) {
	cells = shown(cells)
	var rows []row
	var items []string
	name, styleOf := names(cells), styles(cells)
	measured, anyLeftOut := false, false
	for _, c := range cells {
		r := row{label: name(c), style: styleOf(c), value: "-"}
		if v, ok := q.median(c, false); ok {
			r.parts = []part{{v, r.style.area}}
			r.value, measured = figure(v), true
			r.used, r.leftOut = q.rounds(c, runs, false)
			anyLeftOut = anyLeftOut || len(r.leftOut) > 0
		}
		rows = append(rows, r)
		items = append(items, name(c)+" "+q.said(c, runs))
	}
	var legend []entry
	if q.run != nil {
		legend = append(legend, barEntry("median"), roundEntry("a round"))
	}
	if anyLeftOut {
		legend = append(legend, crossEntry("disturbed, left out"))
	}
	return Picture{
		Title: title, Text: listed(title, items), legend: legend,
		height: rowsHeight(len(rows)),
		plot:   func(k look) *plot.Plot { return k.rows(rows) },
	}, measured
}

// area is the colour of a bar under the marks of its series.
func (s style) area(k look) color.Color { return k.faint(k.of(s.number)) }

// splitPart is one part of an eager step.
type splitPart struct {
	name string
	of   func(s summary.Split) summary.Value
}

func splitParts() []splitPart {
	return []splitPart{
		{"dispatch", func(s summary.Split) summary.Value { return s.Dispatch }},
		{"allocation", func(s summary.Split) summary.Value { return s.Allocation }},
		{"casts and copies", func(s summary.Split) summary.Value { return s.Casts }},
		{"arithmetic", func(s summary.Split) summary.Value { return s.Arithmetic }},
	}
}

// Split draws where the time of an eager step goes, for the cells in which all of it was measured. False if there is none.
func Split(cells []summary.Cell) (Picture, bool) {
	const title = "Where the time of an eager step goes, ms a step"
	var rows []row
	var items []string
	name := names(cells)
	for _, c := range cells {
		r := row{label: name(c)}
		var said []string
		for i, p := range splitParts() {
			v := p.of(c.Split)
			if !v.OK || !drawable(v.Median, false) {
				break
			}
			r.parts = append(r.parts, part{v.Median, func(k look) color.Color { return k.of(i) }})
			said = append(said, fmt.Sprintf("%s %s ms", p.name, figure(v.Median)))
		}
		if len(r.parts) != len(splitParts()) {
			continue
		}
		r.value = figure(r.end())
		rows = append(rows, r)
		items = append(items, fmt.Sprintf("%s %s ms: %s", r.label, r.value, strings.Join(said, ", ")))
	}
	var legend []entry
	for i, p := range splitParts() {
		legend = append(legend, areaEntry(p.name, i))
	}
	return Picture{
		Title: title, Text: listed(title, items), legend: legend, height: rowsHeight(len(rows)),
		plot: func(k look) *plot.Plot { return k.rows(rows) },
	}, len(rows) > 0
}

// Sizes of rows: lengths in points.
const (
	rowHeight  = 20
	barHeight  = 10
	axisHeight = 26
	// labelShare is the part of the width that the rows' names may take.
	labelShare = 0.45
)

func rowsHeight(n int) func(Layout) vg.Length {
	return func(Layout) vg.Length { return vg.Length(n)*rowHeight + axisHeight }
}

// rows is the plot of bars, the first on top.
func (k look) rows(rows []row) *plot.Plot {
	p := k.empty()
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.Y.LineStyle.Width, p.Y.Tick.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 0, 0
	p.X.Min, p.X.Max, p.X.Padding = 0, 0, 0
	var ticks plot.ConstantTicks
	b := bars{k: k}
	for i, r := range rows {
		y := float64(len(rows) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: y, Label: k.cut(r.label, k.width*labelShare)})
		p.X.Max = max(p.X.Max, r.end(), highest(r.used), highest(r.leftOut))
		b.rows = append(b.rows, placedRow{r, y})
	}
	p.Y.Tick.Marker = ticks
	if p.X.Max == 0 {
		p.X.Max = 1 // all were measured as nothing
	}
	p.X.Tick.Marker = evenly(5)
	p.Add(upright{k.grid}, b)
	return p
}

func highest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}

type placedRow struct {
	row
	y float64
}

// bars draws rows.
type bars struct {
	k    look
	rows []placedRow
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, r := range b.rows {
		from := 0.0
		for _, piece := range r.parts {
			c.SetColor(piece.fill(b.k))
			outline := rectangle(x(from), x(from+piece.length), y(r.y))
			c.Fill(outline)
			if len(r.parts) > 1 { // keeps pieces apart whose colours look alike
				c.SetLineStyle(stroke(b.k.background, 0.5))
				c.Stroke(outline)
			}
			from += piece.length
		}
		points{at: level(r.used, r.y), radius: 2.2, draw: filled(b.k.of(r.style.number))}.Plot(c, p)
		crosses{level(r.leftOut, r.y), b.k.text}.Plot(c, p)
		end := max(r.end(), highest(r.used), highest(r.leftOut))
		c.FillText(b.k.style(text.XLeft, text.YCenter), vg.Point{X: x(end) + 6, Y: y(r.y) + 1}, r.value)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: the values stand behind the bars.
func (b bars) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var boxes []plot.GlyphBox
	for _, r := range b.rows {
		end := max(r.end(), highest(r.used), highest(r.leftOut))
		boxes = append(boxes, plot.GlyphBox{
			X: p.X.Norm(end), Y: p.Y.Norm(r.y),
			Rectangle: vg.Rectangle{Max: vg.Point{X: 8 + b.k.style(0, 0).Width(r.value), Y: 1}},
		})
	}
	return boxes
}

// level are values at one height.
func level(values []float64, y float64) [][2]float64 {
	at := make([][2]float64, len(values))
	for i, v := range values {
		at[i] = [2]float64{v, y}
	}
	return at
}

// rectangle is a bar from left to right around a height.
func rectangle(left, right, y vg.Length) vg.Path {
	const half = barHeight / 2
	return vg.Rectangle{Min: vg.Point{X: left, Y: y - half}, Max: vg.Point{X: right, Y: y + half}}.Path()
}
