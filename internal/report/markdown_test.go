package report_test

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

func TestMarkdownIsAsReviewed(t *testing.T) {
	for _, name := range []string{"default", "failed", "unequal", "nothing", "disturbed"} {
		t.Run(name, func(t *testing.T) {
			golden(t, "markdown_"+name+".md", []byte(write(t, "markdown", report.Options{}, cases()[name])))
		})
	}
}

// rendered is Markdown as GitHub's dialect shows it, in HTML.
func rendered(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tags are HTML's tags; what a reader sees is what is left without them.
var tags = regexp.MustCompile(`<[^>]*>`)

func seen(page string) string { return html.UnescapeString(tags.ReplaceAllString(page, "")) }

func TestMarkdownIsATableWithTheFiguresOfTheTerminals(t *testing.T) {
	rec := recordOf(experiment(64, 5))
	page := rendered(t, write(t, "markdown", report.Options{}, rec))
	if strings.Count(page, "<table>") != 1 || strings.Count(page, "<tr>") != 7 || strings.Count(page, "<th ")+strings.Count(page, "<th>") != 8 {
		t.Errorf("want one table of 8 columns, a head and 6 cells:\n%s", page)
	}
	text := seen(page)
	terminal := write(t, "table", report.Options{}, rec)
	for _, figure := range []string{"0.162", "0.752", "4.64", "191 %", "~12.3 s", "1D CNN, 1,049,344 windows of 104, batch 64"} {
		if !strings.Contains(terminal, figure) || !strings.Contains(text, figure) {
			t.Errorf("%q is not in both the terminal's table and\n%s", figure, text)
		}
	}
}

func TestMarkdownGivesTheWholeAnswerAsAList(t *testing.T) {
	for name, rec := range cases() {
		page := rendered(t, write(t, "markdown", report.Options{}, rec))
		text := strings.Join(strings.Fields(seen(page)), " ")
		for _, l := range report.Answer(rec) {
			if !strings.Contains(text, l.Title+": "+l.Text) {
				t.Errorf("%s: %s is not in\n%s", name, l, text)
			}
		}
		for _, tag := range []string{"<em>", "<del>", "<a ", "<h1", "<h2", "<ol"} {
			if strings.Contains(page, tag) {
				t.Errorf("%s: text became %s in\n%s", name, tag, page)
			}
		}
	}
}

func TestMarkdownWithoutAnswerHasFiguresAlone(t *testing.T) {
	text := write(t, "markdown", report.Options{NoAnswer: true}, cases()["noisy"])
	if strings.Contains(text, "Noise") || strings.Contains(text, "Warning") || !strings.Contains(text, "ms/step") {
		t.Errorf("got\n%s", text)
	}
}

// What comes from outside is shown as it is, and changes nothing around it.
func TestTextsFromOutsideAreNotMarkdown(t *testing.T) {
	rec := recordOf(only(experiment(64, 2), record.Cell{Mode: "fit", Execution: "compiled"}, record.Cell{Mode: "a|b `c` *d*", Execution: "compiled"}))
	for i := range rec.Runs {
		rec.Runs[i].Engine = "exec:x_y_z <b>|# &lt;"
	}
	rec.Environment.CPUModel = "- CPU [a](b) ~~c~~ | d"
	rec.Runs[1].Error = "| ``no`` <script>\n\n# memory @you `"
	page := rendered(t, write(t, "markdown", report.Options{Sources: []string{"a`b|.json", "c"}}, rec, rec))
	if strings.Contains(page, "<script") || strings.Contains(page, "<b>") || strings.Contains(page, "<a ") || strings.Contains(page, "<del>") ||
		strings.Contains(page, "<em>") {
		t.Errorf("text became markup:\n%s", page)
	}
	if cell := "<td style=\"text-align:left\">a|b `c` *d*</td>"; strings.Count(page, cell) != 2 {
		t.Errorf("want the mode twice as %s in\n%s", cell, page)
	}
	if strings.Count(page, "<table>") != 2 || strings.Count(page, "<tr>") != 6 || strings.Count(page, "<td ")+strings.Count(page, "<td>") != 2*2*8 {
		t.Errorf("text broke the tables:\n%s", page)
	}
	text := seen(page)
	for _, want := range []string{"a|b `c` *d*", "exec:x_y_z <b>|# &lt;", "- CPU [a](b) ~~c~~ | d", "| ``no`` <script> # memory @you `", "a`b|.json"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestMarkdownOfASweepHasAColumnForEachSize(t *testing.T) {
	page := rendered(t, write(t, "markdown", report.Options{}, severalSizes(3, 16, 64, 256)))
	if strings.Count(page, "<table>") != 3 || strings.Count(page, "<th ")+strings.Count(page, "<th>") != 3*4 {
		t.Errorf("want tables of ms a step, times fit and CPU load by 3 sizes:\n%s", page)
	}
	for _, want := range []string{"batch 16 / 64 / 256", "fit-windows@compiled: "} {
		if text := seen(page); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Another engine's cells have a table of their own, and the answer says whose it is; what is said once holds for all.
func TestMarkdownNamesEachEngine(t *testing.T) {
	rec := recordOf(experiment(64, 3))
	for _, r := range recordOf(experiment(64, 3)).Runs {
		r.Engine = "native:./old"
		rec.Runs = append(rec.Runs, r)
	}
	rec.Plan.Engines = []string{"native", "native:./old"}
	page := rendered(t, write(t, "markdown", report.Options{}, rec))
	text := seen(page)
	for _, want := range []string{"engine fitbench, batch 64\n", "engine native:./old, batch 64\n", "Of engine fitbench, batch 64:"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "100 % is one core"); n != 1 || strings.Count(page, "<table>") != 2 {
		t.Errorf("the note on CPU load %d times in\n%s", n, text)
	}
}

func TestMarkdownHoldsNothingThatIsNotSeen(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Runs[0].Error = "red \x1b[31m and back\u202ewards"
	var out bytes.Buffer
	if err := report.Markdown(&out, []record.Record{rec}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "red ?[31m and back?wards") {
		t.Errorf("%q", text)
	}
}
