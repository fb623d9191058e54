package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

var (
	fit       = record.Cell{Mode: "fit", Execution: "compiled"}
	generator = record.Cell{Mode: "generator", Execution: "eager"}
)

// ran is an undisturbed run.
func ran(c record.Cell, batchSize, round int, ms float64) record.Run {
	r := record.Run{
		Mode: c.Mode, Execution: c.Execution, Engine: "fitbench", BatchSize: batchSize, Round: round,
		StepMilliseconds: record.Of(ms), SteadyCPUPercent: record.Of(150.0), PeakRSSBytes: record.Of(int64(31_400_000)),
		OtherCPUPercent: record.Of(1.0),
	}
	if c.Execution == "eager" {
		r.StepSplit = &record.StepSplit{Dispatch: 0.11, Allocation: 0.2, Casts: 0.02, Arithmetic: 0.4}
	}
	return r
}

// of is a record of these runs.
func of(runs ...record.Run) record.Record {
	return record.Record{Plan: record.Plan{BatchSize: 64, Rounds: 5, Cells: []record.Cell{fit, generator}}, Runs: runs}
}

// sweep is a record of two cells at three sizes in two rounds.
func sweep() record.Record {
	rec := of()
	rec.Plan.BatchSize, rec.Plan.BatchSizes = 0, []int{16, 64, 8096}
	for round := 1; round <= 2; round++ {
		for _, n := range rec.Plan.BatchSizes {
			ms := (0.1 + float64(n)/1000) * float64(round)
			rec.Runs = append(rec.Runs, ran(fit, n, round, ms), ran(generator, n, round, 3*ms))
		}
	}
	return rec
}

// all are the pictures of a record.
func all(rec record.Record) map[string]Picture {
	drawn := map[string]Picture{}
	cells := summary.Of(rec).Cells
	put := func(name string, p Picture, ok bool) {
		if ok {
			drawn[name] = p
		}
	}
	p, ok := Steps(cells, rec.Runs)
	put("steps", p, ok)
	p, ok = Memory(cells)
	put("memory", p, ok)
	p, ok = Split(cells)
	put("split", p, ok)
	p, ok = StepsByBatch(cells, rec.Runs)
	put("steps by batch", p, ok)
	p, ok = LoadByBatch(cells, rec.Runs)
	put("load by batch", p, ok)
	return drawn
}

// wellFormed reads a whole document.
func wellFormed(t *testing.T, document []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v in %.300s", err, document)
		}
	}
}

func TestEveryPictureIsXMLWithItsTitleAndText(t *testing.T) {
	drawn := all(sweep())
	if len(drawn) != 5 {
		t.Fatalf("%d pictures of a sweep with an eager step, want 5", len(drawn))
	}
	for name, p := range drawn {
		for _, theme := range []Theme{Light(), Dark()} {
			for _, l := range []Layout{Wide(), Narrow()} {
				svg := p.SVG(theme, l)
				wellFormed(t, svg)
				for _, want := range []string{"<title>" + p.Title + "</title>", "<desc>" + p.Text + "</desc>", `role="img"`} {
					if !bytes.Contains(svg, []byte(want)) {
						t.Errorf("%s: no %s", name, want)
					}
				}
			}
		}
	}
}

func TestLettersNeedNoFontThatADeviceMayLack(t *testing.T) {
	for name, p := range all(sweep()) {
		svg := string(p.SVG(Light(), Wide()))
		if n := strings.Count(svg, "font-family"); n != 1 || !strings.Contains(svg, `, sans-serif"`) {
			t.Errorf("%s names fonts in %d places, want one, with the generic family last", name, n)
		}
		if strings.Contains(svg, "font-face") || strings.Contains(svg, "href") || strings.Contains(svg, "url(") {
			t.Errorf("%s refers to something else", name)
		}
	}
}

// A circle is two arcs; the legend has one more.
func TestEveryRoundIsAPoint(t *testing.T) {
	for rounds := 1; rounds <= 5; rounds++ {
		rec := of()
		for i := 1; i <= rounds; i++ {
			rec.Runs = append(rec.Runs, ran(fit, 64, i, float64(i)))
		}
		p, ok := Steps(summary.Of(rec).Cells, rec.Runs)
		if arcs := bytes.Count(p.SVG(Light(), Wide()), []byte("A2.2,2.2")); !ok || arcs != 2*(rounds+1) {
			t.Errorf("%d rounds are drawn with %d arcs, want %d", rounds, arcs, 2*(rounds+1))
		}
	}
}

func TestTextsSayTheMediansAndTheRounds(t *testing.T) {
	rec := of(ran(fit, 64, 1, 0.1234), ran(fit, 64, 2, 0.1345), ran(fit, 64, 3, 0.1299), ran(generator, 64, 1, 0.75))
	failed := ran(fit, 64, 4, 9)
	failed.Error = "killed"
	rec.Runs = append(rec.Runs, failed)
	for name, want := range map[string]string{
		"steps":  "Time of a step by cell, ms: median and rounds: fit@compiled 0.130 ms (3 rounds, 0.123 to 0.135 ms); generator@eager 0.750 ms.",
		"memory": "Peak memory by cell, MB: median of the rounds: fit@compiled 31.4 MB; generator@eager 31.4 MB.",
		"split": "Where the time of an eager step goes, ms a step: generator@eager 0.730 ms: dispatch 0.110 ms, allocation 0.200 ms, " +
			"casts and copies 0.0200 ms, arithmetic 0.400 ms.",
	} {
		if got := all(rec)[name].Text; got != want {
			t.Errorf("%s says\n%s\nwant\n%s", name, got, want)
		}
	}
	want := "batch 16 0.174 ms (2 rounds, 0.116 to 0.232 ms), batch 64 0.246 ms (2 rounds, 0.164 to 0.328 ms), batch 8096 12.3 ms"
	if got := all(sweep())["steps by batch"].Text; !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
}

// Three undisturbed rounds are enough to leave a disturbed one out; it is a cross, and the words say so.
func TestADisturbedRoundThatDoesNotCountIsACross(t *testing.T) {
	rec := of(ran(fit, 64, 1, 1), ran(fit, 64, 2, 1), ran(fit, 64, 3, 1), ran(fit, 64, 4, 2))
	rec.Runs[3].Disturbed = true
	p := all(rec)["steps"]
	if !strings.Contains(p.Text, "fit@compiled 1.00 ms (3 rounds, 1.00 to 1.00 ms; 1 disturbed, left out)") || !drawsText(p, "disturbed, left out") {
		t.Errorf("text %q", p.Text)
	}
	rec.Runs[2].Disturbed = true // two are not
	p = all(rec)["steps"]
	if strings.Contains(p.Text, "left out") || drawsText(p, "disturbed, left out") {
		t.Errorf("text %q", p.Text)
	}
}

func drawsText(p Picture, text string) bool {
	return bytes.Contains(p.SVG(Light(), Wide()), []byte(">"+text+"<"))
}

func TestWhatWasNotMeasuredIsADash(t *testing.T) {
	rec := of(ran(fit, 64, 1, 1), ran(generator, 64, 1, 1))
	rec.Runs[1].StepMilliseconds = nil
	p, ok := Steps(summary.Of(rec).Cells, rec.Runs)
	if !ok || !strings.HasSuffix(p.Text, "generator@eager -.") || !drawsText(p, "-") {
		t.Errorf("ok %t, text %q", ok, p.Text)
	}
	rec.Runs[0].StepMilliseconds = nil
	if _, ok := Steps(summary.Of(rec).Cells, rec.Runs); ok {
		t.Error("a picture without a figure")
	}
}

func TestOneSizeHasNoPictureOverTheBatchSize(t *testing.T) {
	drawn := all(of(ran(fit, 64, 1, 1)))
	if _, ok := drawn["steps by batch"]; ok {
		t.Error("steps over one batch size")
	}
	if _, ok := drawn["load by batch"]; ok {
		t.Error("load over one batch size")
	}
}

// Such figures come from a program with an error, or from a file that somebody edited.
func TestImpossibleFiguresAreNotDrawn(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), -1, 1e300, 0, 1e-300, 1e-9, 1e9} {
		rec := sweep()
		for i := range rec.Runs {
			if i%3 == 0 {
				rec.Runs[i].StepMilliseconds, rec.Runs[i].SteadyCPUPercent = record.Of(v), record.Of(v)
			}
		}
		for name, p := range all(rec) {
			svg := p.SVG(Dark(), Narrow())
			wellFormed(t, svg)
			if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%s with %g has a place that is none", name, v)
			}
		}
	}
}

func TestNamesCannotBreakADocument(t *testing.T) {
	rec := of(ran(record.Cell{Mode: "<script>\x00\x1b[31m&\"'\xff", Execution: strings.Repeat("long ", 40)}, 64, 1, 1))
	for name, p := range all(rec) {
		svg := p.SVG(Light(), Narrow())
		wellFormed(t, svg)
		if bytes.Contains(svg, []byte("<script")) {
			t.Errorf("%s has a script", name)
		}
	}
}

func TestWriteChoosesThePictureAndTheFormat(t *testing.T) {
	for _, c := range []struct {
		rec   record.Record
		title string
	}{{of(ran(fit, 64, 1, 1)), "by cell"}, {sweep(), "by batch size"}} {
		var svg, image bytes.Buffer
		if err := errors.Join(Write(&svg, c.rec, "svg"), Write(&image, c.rec, "png")); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(svg.String(), c.title) {
			t.Errorf("the SVG is not the one %s", c.title)
		}
		got, err := png.Decode(&image)
		if err != nil || got.Bounds().Dx() != 1440 || got.Bounds().Dy() < 200 {
			t.Errorf("a PNG of %v, %v; want 1440 pixels from left to right", got.Bounds(), err)
		}
	}
}

func TestWriteRefusesWhatItCannotDraw(t *testing.T) {
	for _, c := range []struct {
		rec          record.Record
		format, want string
	}{
		{sweep(), "gif", `"gif"; accepted are svg and png`},
		{of(), "svg", "not measured in any run"},
		{record.Record{}, "png", "not measured in any run"},
	} {
		var out bytes.Buffer
		if err := Write(&out, c.rec, c.format); err == nil || !strings.Contains(err.Error(), c.want) || out.Len() > 0 {
			t.Errorf("%d bytes, error %v; want %q", out.Len(), err, c.want)
		}
	}
	full := errors.New("disk full")
	if err := Write(broken{full}, sweep(), "svg"); !errors.Is(err, full) {
		t.Errorf("error %v, want the writer's", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestEnginesAreToldApart(t *testing.T) {
	rec := of(ran(fit, 64, 1, 1), ran(fit, 64, 1, 2))
	rec.Runs[1].Engine = "exec:other"
	text := all(rec)["steps"].Text
	for _, want := range []string{"fit@compiled by fitbench 1.00 ms", "fit@compiled by exec:other 2.00 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if styleOf := styles(summary.Of(rec).Cells); styleOf(summary.Cell{Cell: fit, Engine: "fitbench"}) == styleOf(summary.Cell{Cell: fit, Engine: "exec:other"}) {
		t.Error("two engines look alike")
	}
}

func TestNamesAreCutToTheirRoom(t *testing.T) {
	k := look{Light(), Narrow()} // at 9 points Arial's f, i, t, @, c, o, w and dot are 2.5, 2.0, 2.5, 9.1, 4.5, 5.0, 6.5 and 2.5 wide
	for _, c := range []struct {
		name string
		room vg.Length
		want string
	}{
		{"fit@compiled", 100, "fit@compiled"},
		{"fit@compiled", 30, "fit@c..."},
		{strings.Repeat("w", 1e6), 30, "www..."},
		{"", 10, ""},
	} {
		if got := k.cut(c.name, c.room); got != c.want {
			t.Errorf("%.20q in %g points is %q, want %q", c.name, float64(c.room), got, c.want)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	for name, p := range all(sweep()) {
		b.Run(fmt.Sprintf("picture=%s", strings.ReplaceAll(name, " ", "-")), func(b *testing.B) {
			for b.Loop() {
				p.SVG(Light(), Wide())
			}
		})
	}
}
