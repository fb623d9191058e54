// Package picture draws a record: the time of a step and the memory by cell, the split of the eager step, and time and CPU load over
// the batch size, as SVG and as PNG, each with a text that says the same figures. It draws what package summary found and computes no
// figures of its own; what was not measured is not drawn, and a dash in the text. It knows nothing of the pages that pictures stand in.
package picture

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// Picture is one drawing, in every theme and layout.
type Picture struct {
	// Title says what is shown, with its unit.
	Title string
	// Text says the figures in words, for readers who do not see the picture. ASCII, on one line.
	Text string

	// legend explains the marks, in reading order.
	legend []entry
	// height is that of the plot without title and legend.
	height func(l Layout) vg.Length
	plot   func(k look) *plot.Plot
}

// Formats are the names that Write takes.
func Formats() []string { return []string{"svg", "png"} }

// Write writes the one picture that says most about a record, in the light theme: the time of a step over the batch size where there
// are several, else by cell. format is one of Formats. It is an error if there is nothing to draw, and nothing is written then.
func Write(w io.Writer, rec record.Record, format string) error {
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("picture format %q; accepted are %s", format, strings.Join(Formats(), " and "))
	}
	p, ok := most(rec)
	if !ok {
		return errors.New("no picture: the time of a step was not measured in any run")
	}
	image := p.SVG(Light(), Wide())
	if format == "png" {
		var err error
		if image, err = p.PNG(Light(), Wide()); err != nil {
			return err
		}
	}
	_, err := w.Write(image)
	return err
}

// most is the picture that says most about a record.
func most(rec record.Record) (Picture, bool) {
	cells := summary.Of(rec).Cells
	if p, ok := StepsByBatch(cells, rec.Runs); ok {
		return p, true
	}
	return Steps(cells, rec.Runs)
}
