package picture

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shape is the outline of a mark, as corners on the unit circle; without corners it is the circle itself.
type shape [][2]float64

// shapes are told apart without their colours.
func shapes() []shape {
	return []shape{nil, polygon(4, 0.25*math.Pi), polygon(3, 0.5*math.Pi), polygon(4, 0), polygon(3, -0.5*math.Pi), polygon(6, 0)}
}

// polygon has n corners, the first at that angle.
func polygon(n int, angle float64) shape {
	s := make(shape, n)
	for i := range s {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		s[i] = [2]float64{cos, sin}
	}
	return s
}

// dot is so small that it need not be round, and four corners take less than a circle.
func dot() shape { return polygon(4, 0.25*math.Pi) }

// add appends the outline around a point.
func (s shape) add(path *vg.Path, at vg.Point, radius vg.Length) {
	if len(s) == 0 {
		path.Move(vg.Point{X: at.X + radius, Y: at.Y})
		path.Arc(at, radius, 0, 2*math.Pi)
		path.Close()
		return
	}
	radius *= 1.25 // as large to the eye as the circle
	for i, corner := range s {
		p := vg.Point{X: at.X + radius*vg.Length(corner[0]), Y: at.Y + radius*vg.Length(corner[1])}
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
}

// style is how a series looks: its colour and shape by number, dashed and hollow where the step is not the compiled one.
type style struct {
	number int
	other  bool
}

func (s style) shape() shape {
	all := shapes()
	return all[(s.number+s.number/len(all))%len(all)] // a colour that comes again has another shape
}

func (s style) line(k look) draw.LineStyle {
	l := stroke(k.of(s.number), 1.3)
	if s.other {
		l.Dashes = []vg.Length{4, 3}
	}
	return l
}

// points draws a mark at each point, all in one path: a picture of some hundred runs stays small.
type points struct {
	at     [][2]float64
	radius vg.Length
	draw   func(c *draw.Canvas, path vg.Path)
	shape  shape
}

// Plot implements plot.Plotter.
func (m points) Plot(c draw.Canvas, p *plot.Plot) {
	if len(m.at) == 0 {
		return
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	for _, v := range m.at {
		m.shape.add(&path, vg.Point{X: rounded(x(v[0])), Y: rounded(y(v[1]))}, m.radius)
	}
	m.draw(&c, path)
}

// rounded is a length in tenths of a point: more digits make a picture of many marks larger, and no eye sees them.
func rounded(l vg.Length) vg.Length { return vg.Length(math.Round(float64(l)*10) / 10) }

// filled draws the inside of marks.
func filled(of color.Color) func(c *draw.Canvas, path vg.Path) {
	return func(c *draw.Canvas, path vg.Path) {
		c.SetColor(of)
		c.Fill(path)
	}
}

// marked draws marks in a series's style: filled, or hollow.
func (s style) marked(k look) func(c *draw.Canvas, path vg.Path) {
	if !s.other {
		return filled(k.of(s.number))
	}
	return func(c *draw.Canvas, path vg.Path) {
		filled(k.background)(c, path)
		c.SetLineStyle(stroke(k.of(s.number), 1.3))
		c.Stroke(path)
	}
}

// crosses draws an x at each point, all in one path.
type crosses struct {
	at    [][2]float64
	color color.Color
}

// Plot implements plot.Plotter.
func (m crosses) Plot(c draw.Canvas, p *plot.Plot) {
	if len(m.at) == 0 {
		return
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	for _, v := range m.at {
		addCross(&path, vg.Point{X: x(v[0]), Y: y(v[1])})
	}
	c.SetLineStyle(stroke(m.color, 1))
	c.Stroke(path)
}

func addCross(path *vg.Path, at vg.Point) {
	const arm = 2.5
	path.Move(vg.Point{X: at.X - arm, Y: at.Y - arm})
	path.Line(vg.Point{X: at.X + arm, Y: at.Y + arm})
	path.Move(vg.Point{X: at.X - arm, Y: at.Y + arm})
	path.Line(vg.Point{X: at.X + arm, Y: at.Y - arm})
}
