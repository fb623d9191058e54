package picture

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// What vgsvg writes with every text is the font that gonum measures with; the reader's device may lack it. The root of the document
// names families instead that every device has a like of.
const (
	oneFont  = "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;"
	families = `font-family="Liberation Sans, Arial, Helvetica, sans-serif"`
)

// SVG is the picture as a document of its own, title and text included.
func (p Picture) SVG(t Theme, l Layout) []byte {
	k := look{t, l}
	canvas := vgsvg.New(p.size(k))
	p.drawOn(canvas, k)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		panic("picture: a buffer refused a picture") // it never does
	}
	text := strings.ReplaceAll(out.String(), oneFont, "")
	start := strings.Index(text, "<svg")
	end := start + strings.Index(text[start:], ">")
	return fmt.Appendf(nil, "%s %s role=\"img\">\n<title>%s</title>\n<desc>%s</desc>%s",
		text[:end], families, html.EscapeString(p.Title), html.EscapeString(p.Text), text[end+1:])
}

// dpi is the resolution of a PNG: two pixels for each CSS pixel, as sharp screens have.
const dpi = 192

// PNG is the picture in pixels, with its fonts.
func (p Picture) PNG(t Theme, l Layout) ([]byte, error) {
	k := look{t, l}
	w, h := p.size(k)
	canvas := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	p.drawOn(canvas, k)
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&out); err != nil {
		return nil, fmt.Errorf("picture as PNG: %w", err)
	}
	return out.Bytes(), nil
}
