package picture

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Layout is how much room a picture has. Letters have the same size in each.
type Layout struct{ width vg.Length }

// Wide is for a desk, 720 CSS pixels.
func Wide() Layout { return Layout{width: 540} }

// Narrow is for a phone, 352 CSS pixels.
func Narrow() Layout { return Layout{width: 264} }

// look is a theme in a layout.
type look struct {
	Theme
	Layout
}

// Sizes in points; 9 are 12 CSS pixels.
const (
	letters = 9
	line    = 13
	margin  = 4
	swatch  = 20
	gap     = 4
)

// style is the one text style of all pictures.
func (k look) style(x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: k.text, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: letters},
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
}

// entry is one mark of a legend and what it means.
type entry struct {
	text string
	draw func(c *draw.Canvas, k look, at vg.Point)
}

// placed is an entry, or a line of the title, with the left end of its line from the top left corner.
type placed struct {
	entry
	x, y vg.Length
}

// head places the title and the legend, in as many lines as they need, and says how high that is.
func (p Picture) head(k look) ([]placed, vg.Length) {
	var all []placed
	y := vg.Length(margin)
	for _, s := range k.broken(p.Title) {
		all, y = append(all, placed{entry{text: s}, margin, y}), y+line
	}
	x := vg.Length(margin)
	for _, e := range p.legend {
		e.text = k.cut(e.text, k.width-2*margin-swatch-gap)
		wide := swatch + k.style(0, 0).Width(e.text) + 3*gap
		if x > margin && x+wide > k.width {
			x, y = margin, y+line
		}
		all, x = append(all, placed{e, x, y}), x+wide
	}
	if len(p.legend) > 0 {
		y += line
	}
	return all, y + margin
}

// broken is a text in lines that fit.
func (k look) broken(s string) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		n := len(lines)
		if n > 0 && k.style(0, 0).Width(lines[n-1]+" "+word) <= k.width-2*margin {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// size is the width and the height of the whole picture.
func (p Picture) size(k look) (w, h vg.Length) {
	_, head := p.head(k)
	return k.width, vg.Length(math.Ceil(float64(head + p.height(k.Layout))))
}

// drawOn draws all of it.
func (p Picture) drawOn(canvas vg.CanvasSizer, k look) {
	c := draw.New(canvas)
	c.SetColor(k.background)
	c.Fill(c.Rectangle.Path())
	marks, height := p.head(k)
	for _, m := range marks {
		x, y := m.x, c.Max.Y-m.y-line/2
		if m.draw != nil {
			m.draw(&c, k, vg.Point{X: x + swatch/2, Y: y})
			x += swatch + gap
		}
		c.FillText(k.style(text.XLeft, text.YCenter), vg.Point{X: x, Y: y}, m.text)
	}
	p.plot(k).Draw(draw.Crop(c, margin, -margin, margin, -height))
}

// empty is a plot without contents in the look's colours and letters.
func (k look) empty() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = k.text, k.text
		axis.Label.TextStyle = k.style(text.XCenter, text.YBottom)
		axis.Padding = 4
	}
	p.X.Tick.Label = k.style(text.XCenter, text.YTop)
	p.Y.Tick.Label = k.style(text.XRight, text.YCenter)
	return p
}

// stroke is a line of that colour and width.
func stroke(c color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width}
}

// cut is s, which is ASCII, with dots for its end where it is wider than the room.
func (k look) cut(s string, room vg.Length) string {
	const most = 200 // no room takes more
	if len(s) <= most && k.style(0, 0).Width(s) <= room {
		return s
	}
	n := min(len(s), most)
	for n > 0 && k.style(0, 0).Width(s[:n]+"...") > room {
		n--
	}
	return s[:n] + "..."
}

// ascii is s on one line and in ASCII, a question mark for anything else: all fonts have these letters, and XML takes them.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}
