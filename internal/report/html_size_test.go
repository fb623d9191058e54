package report_test

import (
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// largePage is a record of about 500 runs, and what its page says to be left out.
type largePage struct {
	rec     record.Record
	leftOut string
}

// largePages are those that make the largest pages.
func largePages() map[string]largePage {
	sizes := make([]int, 84)
	for i := range sizes {
		sizes[i] = 16 + i
	}
	engines := severalSizes(2, 16, 64, 256, 1024)
	for i := range 9 {
		for _, r := range engines.Runs[:48] {
			r.Engine = "exec:python3 keras_engine.py --number " + strconv.Itoa(i)
			engines.Runs = append(engines.Runs, r)
		}
	}
	const pictures = "Pictures of single batch sizes are left out where there are more than 8."
	return map[string]largePage{
		"rounds":     {recordOf(experiment(64, 84)), ""},
		"8 sizes":    {severalSizes(10, 16, 32, 64, 128, 256, 512, 1024, 2048), ""},
		"9 sizes":    {severalSizes(9, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096), pictures},
		"84 sizes":   {severalSizes(1, sizes...), "Only the first 40 of 84 engines and batch sizes are shown one by one."},
		"10 engines": {engines, pictures},
	}
}

func TestAPageOf500RunsIsBelowOneAndAHalfMegabytesAndSaysWhatItLeavesOut(t *testing.T) {
	for name, c := range largePages() {
		text, _ := page(t, c.rec, report.Options{})
		if len(text) >= 1_500_000 {
			t.Errorf("%s: %d bytes of %d runs", name, len(text), len(c.rec.Runs))
		}
		if !strings.Contains(text, c.leftOut) || c.leftOut == "" && strings.Contains(text, "left out where") {
			t.Errorf("%s: the page does not say %q, or more than that", name, c.leftOut)
		}
	}
}

func TestAPageIsWrittenAtOnceOrNotAtAll(t *testing.T) {
	w := &counting{err: errors.New("disk full")}
	if err := report.HTML(w, recordOf(experiment(64, 2)), report.Options{}); !errors.Is(err, w.err) || w.calls != 1 {
		t.Errorf("error %v after %d calls, want the writer's after one", err, w.calls)
	}
}

type counting struct {
	calls int
	err   error
}

func (w *counting) Write([]byte) (int, error) { w.calls++; return 0, w.err }

func TestThePageIsTheSameForTheSameRecord(t *testing.T) {
	first, _ := page(t, sweepOf(16, 64, 256), report.Options{})
	second, _ := page(t, sweepOf(16, 64, 256), report.Options{})
	if first != second {
		t.Error("two pages of one record differ")
	}
}

// palette is the colours of a page by name: the first of each name is the light theme's, the second the dark one's.
func palette(t *testing.T) map[string][]float64 {
	t.Helper()
	_, root := page(t, recordOf(experiment(64, 1)), report.Options{})
	colours := map[string][]float64{}
	for _, m := range regexp.MustCompile(`--([a-z]+): #([0-9a-f]{6})`).FindAllStringSubmatch(words(elements(root, "style")[0]), -1) {
		hex, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		colours[m[1]] = append(colours[m[1]], luminance(uint32(hex)))
	}
	return colours
}

// luminance is WCAG 2.2's relative luminance of a colour.
func luminance(hex uint32) float64 {
	linear := func(v uint32) float64 {
		x := float64(v&0xff) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(hex>>16) + 0.7152*linear(hex>>8) + 0.0722*linear(hex)
}

func TestTextsOfAPageStandOutInBothThemes(t *testing.T) {
	colours := palette(t)
	for _, pair := range [][2]string{{"text", "back"}, {"muted", "back"}, {"text", "panel"}, {"text", "doubt"}} {
		text, back := colours[pair[0]], colours[pair[1]]
		if len(text) != 2 || len(back) != 2 {
			t.Fatalf("%d and %d colours of %v, want one a theme", len(text), len(back), pair)
		}
		for theme := range text {
			low, high := min(text[theme], back[theme]), max(text[theme], back[theme])
			if ratio := (high + 0.05) / (low + 0.05); !(ratio >= 4.5) {
				t.Errorf("theme %d: %s on %s has a contrast of %.2f, want 4.5", theme, pair[0], pair[1], ratio)
			}
		}
	}
}

func TestAPageIsLaidOutForPhones(t *testing.T) {
	_, root := page(t, recordOf(experiment(64, 2)), report.Options{})
	var viewport *html.Node
	for _, m := range elements(root, "meta") {
		if attribute(m, "name") == "viewport" {
			viewport = m
		}
	}
	if viewport == nil || attribute(viewport, "content") != "width=device-width, initial-scale=1" {
		t.Error("a phone would show the page as small as on a desk")
	}
	style := words(elements(root, "style")[0])
	for _, want := range []string{".scroll { overflow-x: auto", "overflow-wrap: anywhere", "@media (max-width: 600px)", "@media (prefers-color-scheme: dark)"} {
		if !strings.Contains(style, want) {
			t.Errorf("the style lacks %q", want)
		}
	}
}

// Its figure is to be held against a second.
func BenchmarkHTMLOf500Runs(b *testing.B) {
	for name, c := range largePages() {
		b.Run("grows="+strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				if err := report.HTML(io.Discard, c.rec, report.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
