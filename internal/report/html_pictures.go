package report

import (
	"encoding/base64"
	"html/template"

	"fitbench/internal/picture"
	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// htmlPicture is one picture in the themes and layouts among which a browser chooses.
type htmlPicture struct {
	Sources []htmlSource
	// Data is for all that no source is for.
	Data template.URL
	// Text says the figures.
	Text string
}

// htmlSource is a picture for devices of one kind.
type htmlSource struct {
	Media string
	Data  template.Srcset
}

// Media queries of the variants; the template's style changes at the same width.
const (
	darkMedia   = "(prefers-color-scheme: dark)"
	narrowMedia = "(max-width: 600px)"
)

func htmlPictureOf(p picture.Picture) *htmlPicture {
	data := func(t picture.Theme, l picture.Layout) string {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(p.SVG(t, l))
	}
	return &htmlPicture{
		Text: p.Text,
		Sources: []htmlSource{ // the first that fits is taken
			{narrowMedia + " and " + darkMedia, template.Srcset(data(picture.Dark(), picture.Narrow()))},
			{darkMedia, template.Srcset(data(picture.Dark(), picture.Wide()))},
			{narrowMedia, template.Srcset(data(picture.Light(), picture.Narrow()))},
		},
		Data: template.URL(data(picture.Light(), picture.Wide())),
	}
}

// viewPictures are those of one engine and batch size, each kind one or none.
type viewPictures struct{ steps, split, memory []picture.Picture }

func (v view) pictures() (drawn viewPictures) {
	drawn.steps = drawable(picture.Steps(v.cells, v.rec.Runs))
	drawn.split = drawable(picture.Split(v.cells))
	drawn.memory = drawable(picture.Memory(v.cells))
	return drawn
}

// sweepPictures are those over the batch size.
func sweepPictures(rec record.Record, sum summary.Summary) []picture.Picture {
	return append(drawable(picture.StepsByBatch(sum.Cells, rec.Runs)), drawable(picture.LoadByBatch(sum.Cells, rec.Runs))...)
}

// drawable is a picture as a list of one, or of none.
func drawable(p picture.Picture, ok bool) []picture.Picture {
	if !ok {
		return nil
	}
	return []picture.Picture{p}
}

// parts are pictures as parts of a section.
func parts(pictures []picture.Picture) []sectionPart {
	var all []sectionPart
	for _, p := range pictures {
		all = append(all, sectionPart{Picture: htmlPictureOf(p)})
	}
	return all
}
