package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// pageRecords are all situations that a page must cope with.
func pageRecords() map[string]record.Record {
	all := cases()
	maps.Copy(all, sweeps())
	return all
}

// shownPage is the page of a record.
type shownPage struct {
	name string
	rec  record.Record
	text string
	root *html.Node
}

func TestEveryPageKeepsTheRules(t *testing.T) {
	rules := map[string]func(t *testing.T, p shownPage){
		"it is one file that needs nothing else":          needsNothingElse,
		"its pictures are XML and refer to nothing":       picturesAreXML,
		"pictures over the batch size take several sizes": batchPicturesTakeSizes,
		"it says what the terminal says":                  saysWhatTheTerminalSays,
		"tables have headings and scroll by themselves":   tablesHaveHeadings,
	}
	for name, rec := range pageRecords() {
		text, root := page(t, rec, report.Options{})
		for rule, holds := range rules {
			t.Run(name+"/"+rule, func(t *testing.T) { holds(t, shownPage{name, rec, text, root}) })
		}
	}
}

func needsNothingElse(t *testing.T, p shownPage) {
	for e := range p.root.Descendants() {
		switch e.Data {
		case "script", "iframe", "object", "embed", "base", "form", "video", "audio":
			if e.Type == html.ElementNode {
				t.Errorf("it has a <%s>", e.Data)
			}
		}
		for _, a := range e.Attr {
			switch a.Key {
			case "src", "srcset", "href", "data", "action", "poster", "background":
				if !strings.HasPrefix(a.Val, "data:") {
					t.Errorf("<%s %s=%.60q>", e.Data, a.Key, a.Val)
				}
			case "style":
				t.Errorf("<%s> has a style of its own", e.Data)
			}
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has a script in %s", e.Data, a.Key)
			}
		}
	}
	style := words(elements(p.root, "style")[0])
	for _, outside := range []string{"url(", "@import", "@font-face"} {
		if strings.Contains(style, outside) {
			t.Errorf("the style has %s", outside)
		}
	}
	if !strings.Contains(p.text, "default-src 'none'; img-src data:; style-src 'unsafe-inline'") || strings.Contains(p.text, "ZgotmplZ") {
		t.Error("browsers are not told to load nothing, or the template refused a value")
	}
}

func picturesAreXML(t *testing.T, p shownPage) {
	for _, svg := range svgs(t, p.root) {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				for _, a := range e.Attr {
					if a.Name.Local == "href" || strings.Contains(a.Value, "url(") {
						t.Errorf("a picture refers to %q", a.Value)
					}
				}
				if e.Name.Local == "script" || e.Name.Local == "foreignObject" || e.Name.Local == "image" {
					t.Errorf("a picture has a %s", e.Name.Local)
				}
			}
		}
	}
}

func batchPicturesTakeSizes(t *testing.T, p shownPage) {
	over := 0
	for _, e := range elements(p.root, "img") {
		if strings.Contains(attribute(e, "alt"), "by batch size") {
			over++
		}
	}
	if want := strings.HasPrefix(p.name, "sweep"); (over == 2) != want || (over == 0) == want {
		t.Errorf("%d pictures over the batch size", over)
	}
}

func saysWhatTheTerminalSays(t *testing.T, p shownPage) {
	body := plainBlanks(words(elements(p.root, "main")[0]))
	for _, l := range report.Answer(p.rec) {
		if !strings.Contains(body, l.Text) {
			t.Errorf("it lacks %q", l.Text)
		}
	}
}

func tablesHaveHeadings(t *testing.T, p shownPage) {
	for _, table := range elements(p.root, "table") {
		box := table.Parent
		if attribute(box, "class") != "scroll" || attribute(box, "tabindex") != "0" || attribute(box, "aria-label") == "" {
			t.Errorf("a table is in <%s>, which is no box that scrolls by itself", box.Data)
		}
		if len(elements(table, "caption")) != 1 {
			t.Error("a table has no caption")
		}
		columns := len(elements(elements(table, "thead")[0], "th"))
		for _, row := range elements(table, "tr") {
			if n := width(t, row); n != columns {
				t.Errorf("%d cells below %d headings: %q", n, columns, words(row))
			}
		}
		for _, th := range elements(table, "th") {
			if attribute(th, "scope") == "" {
				t.Errorf("heading %q is of nothing", words(th))
			}
		}
		for _, td := range elements(table, "td") {
			if words(td) == "" {
				t.Errorf("an empty cell in %q", words(td.Parent))
			}
		}
	}
}

// width is the number of columns of a row.
func width(t *testing.T, row *html.Node) int {
	t.Helper()
	sum := 0
	for cell := range row.ChildNodes() {
		if cell.Type != html.ElementNode {
			continue
		}
		n := 1
		if s := attribute(cell, "colspan"); s != "" {
			if _, err := fmt.Sscan(s, &n); err != nil {
				t.Fatal(err)
			}
		}
		sum += n
	}
	return sum
}
