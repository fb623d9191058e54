package report_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// page is a record's page and its elements.
func page(t *testing.T, rec record.Record, o report.Options) (text string, root *html.Node) {
	t.Helper()
	var out bytes.Buffer
	if err := report.HTML(&out, rec, o); err != nil {
		t.Fatal(err)
	}
	text = out.String()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return text, root
}

// elements are those of that name below a node, in the page's order.
func elements(n *html.Node, name string) []*html.Node {
	var found []*html.Node
	for e := range n.Descendants() {
		if e.Type == html.ElementNode && e.Data == name {
			found = append(found, e)
		}
	}
	return found
}

// attribute is an element's, empty where it has none.
func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// words are what stands in a node, with single blanks.
func words(n *html.Node) string {
	var b strings.Builder
	for e := range n.Descendants() {
		if e.Type == html.TextNode {
			b.WriteString(e.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// svgs are the pictures embedded in a page.
func svgs(t *testing.T, root *html.Node) []string {
	t.Helper()
	var all []string
	add := func(data string) {
		encoded, ok := strings.CutPrefix(data, "data:image/svg+xml;base64,")
		if !ok {
			t.Fatalf("a picture is %.60q", data)
		}
		svg, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(svg))
	}
	for _, e := range elements(root, "source") {
		add(attribute(e, "srcset"))
	}
	for _, e := range elements(root, "img") {
		add(attribute(e, "src"))
	}
	return all
}

func TestEveryPictureIsThereForBothThemesAndForPhones(t *testing.T) {
	_, root := page(t, sweepOf(16, 64), report.Options{})
	pictures := elements(root, "picture")
	if len(pictures) != 2+2*3 {
		t.Errorf("%d pictures of two sizes with an eager step, want two over the size and three each", len(pictures))
	}
	for _, p := range pictures {
		var media []string
		for _, s := range elements(p, "source") {
			media = append(media, attribute(s, "media"))
		}
		want := []string{"(max-width: 600px) and (prefers-color-scheme: dark)", "(prefers-color-scheme: dark)", "(max-width: 600px)"}
		if !slices.Equal(media, want) || len(elements(p, "img")) != 1 {
			t.Errorf("a picture is for %q and one for all else; want %q", media, want)
		}
		variants := svgs(t, p)
		slices.Sort(variants)
		if len(slices.Compact(variants)) != 4 {
			t.Error("two variants of a picture are the same")
		}
	}
}

func TestTextAlternativesSayTheFigures(t *testing.T) {
	_, root := page(t, recordOf(experiment(64, 5)), report.Options{})
	var all []string
	for _, e := range elements(root, "img") {
		all = append(all, attribute(e, "alt"))
	}
	for _, want := range []string{
		"fit@compiled 0.162 ms (5 rounds, 0.159 to 0.165 ms)", // 2 % on both sides of 0.162
		"generator@eager 0.752 ms (5 rounds, 0.737 to 0.767 ms)",
		"train-on-batch@eager 0.740 ms: dispatch 0.110 ms, allocation 0.210 ms, casts and copies 0.0200 ms, arithmetic 0.400 ms",
		"fit@compiled 462 MB; generator@compiled 33.0 MB;",
	} {
		if !slices.ContainsFunc(all, func(alt string) bool { return strings.Contains(alt, want) }) {
			t.Errorf("no picture says %q", want)
		}
	}
	_, root = page(t, sweepOf(16, 64), report.Options{})
	if alt := attribute(elements(root, "img")[0], "alt"); !strings.Contains(alt, "fit@compiled, batch 16 0.0440 ms (3 rounds, 0.0436 to 0.0444 ms)") {
		t.Errorf("the picture over the batch size says %q", alt) // 0.020 + 16 * 1.5 / 1000
	}
}

func TestNothingThatARunSaysIsTakenForHTML(t *testing.T) {
	const evil = `</td><script>alert(1)</script><img src=x onerror="alert(1)">'"&`
	rec := recordOf(experiment(64, 2))
	rec.Plan.Engines, rec.Plan.Kernel = []string{evil}, evil
	rec.Environment = record.Environment{CPUModel: evil, Kernel: evil, OS: evil, Arch: evil, Go: evil, Revision: evil, OSVersion: evil, GOGC: evil, GODEBUG: evil}
	rec = change(rec, "generator@eager", func(r *record.Run) { r.Error = evil + "\nsecond line" })
	rec = change(rec, "fit@compiled", func(r *record.Run) {
		r.Mode, r.Execution, r.Engine, r.Feed, r.EngineVersion = evil, evil, evil, evil, evil
	})
	_, root := page(t, rec, report.Options{})
	for e := range root.Descendants() {
		if e.Data == "script" && e.Type == html.ElementNode || attribute(e, "onerror") != "" || attribute(e, "src") == "x" {
			t.Fatalf("<%s> came in", e.Data)
		}
	}
	if text := words(elements(root, "body")[0]); strings.Count(text, evil) < 10 {
		t.Errorf("what was said is there %d times only", strings.Count(text, evil))
	}
}

// plainBlanks is a text with blanks that break.
func plainBlanks(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

func TestTheAnswerCanBeLeftOut(t *testing.T) {
	rec := recordOf(experiment(64, 5))
	with, _ := page(t, rec, report.Options{})
	without, _ := page(t, rec, report.Options{NoAnswer: true})
	if !strings.Contains(with, "Where the gap is") || strings.Contains(without, "Where the gap is") || strings.Contains(without, "The answer") {
		t.Error("the answer is there without being asked for, or the reverse")
	}
}

func TestWarningsAndFailuresStandOut(t *testing.T) {
	doubts := func(rec record.Record, o report.Options) string {
		_, root := page(t, rec, o)
		var all []string
		for _, p := range elements(root, "p") {
			if attribute(p, "class") == "doubt" {
				all = append(all, words(p))
			}
		}
		return plainBlanks(strings.Join(all, "\n"))
	}
	for name, want := range map[string]string{
		"failed":    "FAILED fit@compiled, rounds 1, 2 (not tried again after two failures): fit needs 436.5 MB",
		"noisy":     "Warning: all cells: disturbed",
		"unequal":   "NOT ON AN EQUAL FOOTING, do not compare:",
		"disturbed": "",
	} {
		rec := cases()[name]
		for _, o := range []report.Options{{}, {NoAnswer: true}} {
			if got := doubts(rec, o); !strings.Contains(got, want) {
				t.Errorf("%s: %q stands out, want %q", name, got, want)
			}
		}
	}
	if got := doubts(recordOf(experiment(64, 5)), report.Options{}); got != "" {
		t.Errorf("%q stands out where all is well", got)
	}
}

// pageRows are the texts of a table's rows by the first cell's.
func pageRows(root *html.Node, caption string) map[string]string {
	all := map[string]string{}
	for _, table := range elements(root, "table") {
		if words(elements(table, "caption")[0]) != caption {
			continue
		}
		for _, body := range elements(table, "tbody") {
			group := ""
			for _, row := range elements(body, "tr") {
				cells := elements(row, "td")
				if len(cells) == 0 {
					group = words(row)
					continue
				}
				var texts []string
				for _, c := range cells {
					texts = append(texts, words(c))
				}
				all[group+": "+words(elements(row, "th")[0])] = strings.Join(texts, " | ")
			}
		}
	}
	return all
}

func TestTheTablesOfAPageShowTheFigures(t *testing.T) {
	_, root := page(t, recordOf(experiment(64, 5)), report.Options{})
	const compiled, eager = "compiled step: ", "eager step (op by op): "
	for _, c := range []struct{ caption, row, want string }{
		{"Time, CPU load and memory", compiled + "fit (array)", "0.162 | 2.0 % | 1.00 | 184 % | ~2.66 s | 462 MB | 5"},
		{"Time, CPU load and memory", eager + "train-on-batch (inline)", "0.750 | 2.0 % | 4.63 | 128 % | ~12.3 s | 40 MB | 5"},
		{"Inside the eager step, each step", eager + "generator (queue)", "0.110 ms | 0.210 ms | 0.0200 ms | 0.400 ms | 142"},
		{"Memory", compiled + "fit (array)", "462 MB | 437 MB | 0.243 s | - | -"},
		{"Memory", eager + "generator (queue)", "41 MB | 0 MB | 0.100 ms | 3.1 MB | 0.40 MB"},
	} {
		if got := pageRows(root, c.caption)[c.row]; got != c.want {
			t.Errorf("%s, %s: %q, want %q; there are %v", c.caption, c.row, got, c.want, pageRows(root, c.caption))
		}
	}
}

func TestWhatWasNotMeasuredIsADashOnThePage(t *testing.T) {
	_, root := page(t, cases()["hidden memory"], report.Options{})
	if got := pageRows(root, "Time, CPU load and memory")["compiled step: fit (array)"]; got != "0.162 | 1.0 % | 1.00 | - | ~2.66 s | - | 3" {
		t.Errorf("the row is %q", got)
	}
	_, root = page(t, cases()["failed"], report.Options{})
	if got := pageRows(root, "Memory")["compiled step: fit (array)"]; got != "failed" {
		t.Errorf("the row of a failed cell is %q", got)
	}
	_, root = page(t, cases()["nothing"], report.Options{})
	if len(elements(root, "img"))+len(elements(root, "table")) > 0 || !strings.Contains(words(root), "No run has ended") {
		t.Error("a record without runs has tables or pictures, or does not say that it is empty")
	}
}

func TestAPageOfASweepHasAColumnForEachSize(t *testing.T) {
	_, root := page(t, sweepOf(16, 64, 8096), report.Options{})
	// 0.020 + 1.5 b / 1000 for fit, 0.600 + 2.5 b / 1000 for the eager step
	for caption, want := range map[string]string{
		"Ms a step at batch size": "0.640 | 0.760 | 20.8",
		"Times fit":               "14.55 | 6.55 | 1.71",
	} {
		if got := pageRows(root, caption)[": train-on-batch@eager"]; got != want {
			t.Errorf("%s: %q, want %q", caption, got, want)
		}
	}
	if n := len(elements(root, "details")); n != 3 {
		t.Errorf("%d sizes are shown by themselves, want 3", n)
	}
}
