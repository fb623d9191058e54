package picture

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// barEntry is a legend's bar as it is under points.
func barEntry(text string) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		c.SetColor(k.faint(k.text))
		c.Fill(rectangle(at.X-swatch/2, at.X+swatch/2, at.Y))
	}}
}

// areaEntry is a piece of a bar in the i-th colour.
func areaEntry(text string, i int) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		c.SetColor(k.of(i))
		c.Fill(rectangle(at.X-swatch/2, at.X+swatch/2, at.Y))
	}}
}

// roundEntry is the point of a round.
func roundEntry(text string) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		var path vg.Path
		shape(nil).add(&path, at, 2.2)
		filled(k.text)(c, path)
	}}
}

// Radii of the marks on a line, in points: of a median, and of a round.
const (
	markRadius = 3.2
	dotRadius  = 0.9
)

// dotEntry is the dot of a round on a line.
func dotEntry(text string) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		var path vg.Path
		dot().add(&path, at, dotRadius)
		filled(k.text)(c, path)
	}}
}

// crossEntry is the cross of a round that does not count.
func crossEntry(text string) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		var path vg.Path
		addCross(&path, at)
		c.SetLineStyle(stroke(k.text, 1))
		c.Stroke(path)
	}}
}

// lineEntry is a series with its line and its mark.
func lineEntry(text string, s style) entry {
	return entry{text, func(c *draw.Canvas, k look, at vg.Point) {
		c.StrokeLine2(s.line(k), at.X-swatch/2, at.Y, at.X+swatch/2, at.Y)
		var path vg.Path
		s.shape().add(&path, at, markRadius)
		s.marked(k)(c, path)
	}}
}
