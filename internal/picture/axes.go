package picture

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// upright draws a line up from each labelled tick of the horizontal axis, all in one path.
type upright struct{ color color.Color }

// Plot implements plot.Plotter.
func (g upright) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	rule(c, g.color, p.X, func(path *vg.Path, v float64) {
		path.Move(vg.Point{X: x(v), Y: c.Min.Y})
		path.Line(vg.Point{X: x(v), Y: c.Max.Y})
	})
}

// across draws one from those of the vertical axis.
type across struct{ color color.Color }

// Plot implements plot.Plotter.
func (g across) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	rule(c, g.color, p.Y, func(path *vg.Path, v float64) {
		path.Move(vg.Point{X: c.Min.X, Y: y(v)})
		path.Line(vg.Point{X: c.Max.X, Y: y(v)})
	})
}

func rule(c draw.Canvas, of color.Color, axis plot.Axis, add func(path *vg.Path, v float64)) {
	var path vg.Path
	for _, t := range axis.Tick.Marker.Ticks(axis.Min, axis.Max) {
		if !t.IsMinor() && t.Value >= axis.Min && t.Value <= axis.Max {
			add(&path, t.Value)
		}
	}
	if len(path) > 0 {
		c.SetLineStyle(stroke(of, 0.6))
		c.Stroke(path)
	}
}

// decades marks a logarithmic axis at 1, 2 and 5 of each power of ten, at the powers alone where there are many.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	for e := first; e <= last; e++ {
		for _, m := range []float64{1, 2, 5} {
			t := plot.Tick{Value: m * math.Pow10(e)}
			if t.Value < low*(1-1e-9) || t.Value > high*(1+1e-9) {
				continue
			}
			if m == 1 || high <= low*1e3 {
				t.Label = plain(t.Value)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// plain is a round number without an exponent.
func plain(v float64) string {
	return fmt.Sprintf("%.*f", max(0, -int(math.Floor(math.Log10(v)+1e-9))), v)
}

// sizes marks a logarithmic axis at the batch sizes, with labels where they do not come too close.
type sizes struct {
	all  []int
	look look
}

// Ticks implements plot.Ticker.
func (s sizes) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	room := 0.8 * float64(s.look.width) // the axis itself, about
	end := math.Inf(-1)
	for _, n := range s.all {
		t := plot.Tick{Value: float64(n)}
		label := fmt.Sprint(n)
		half := float64(s.look.style(0, 0).Width(label)) / 2
		at := room * math.Log(t.Value/low) / math.Log(high/low)
		if at-half > end+4 {
			t.Label, end = label, at+half
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// evenly marks a linear axis from 0 on at round values, at most that many.
type evenly int

// Ticks implements plot.Ticker.
func (most evenly) Ticks(_, high float64) []plot.Tick {
	step := math.Pow10(int(math.Floor(math.Log10(high / float64(most)))))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step*float64(most) >= high {
			step *= m
			break
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= high*(1+1e-9); i++ {
		v := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.*f", digits, v)})
	}
	return ticks
}
