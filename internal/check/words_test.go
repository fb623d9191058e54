package check_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"fitbench/internal/check"
	"fitbench/internal/record"
)

func TestAReportHasChangesAndNotLogarithms(t *testing.T) {
	f := found(t, &world{edit: func(r *record.Run, role string, n int) {
		slower("head", fit, 1.5)(r, role, n)
		slower("twin", fit, 1.02)(r, role, n)
		if role == "head" {
			*r.StepMilliseconds *= 1 + 0.001*float64(r.Round)
		}
	}}, nil, "fit@compiled", "generator@compiled")
	c := f.Report("native:./old", "native")
	if c.Title != "head native against base native:./old" || c.Verdict != "regressed" || len(c.Rows) != 2 || len(c.NotCompared) > 0 {
		t.Fatalf("%+v", c)
	}
	row := c.Rows[0]
	if row.Figure != "fit@compiled, ms a step" || !(math.Abs(*row.Change-(1.5*1.0085-1)) <= 1e-4) || !near(row.Twin, 0.02) || row.Pairs != 16 || row.Verdict != "regressed" || row.Note != "" {
		t.Errorf("%+v: change %v, twin %v", row, *row.Change, *row.Twin)
	}
	if !(*row.Low < *row.Change && *row.Change < *row.High) || !(*row.Low > 0.5) || !(*row.High < 1.5*1.016-1) {
		t.Errorf("%v in %v to %v", *row.Change, *row.Low, *row.High)
	}
	// Of two gates each may spend 0.005 by every other look, of that 7/16 by the one after 16 rounds, the first of its kind.
	if spent := (1 - *row.Confidence) / 2; !(spent > 0 && spent <= 0.005*7/16) || !(spent > 0.7*0.005*7/16) {
		t.Errorf("confidence %v", *row.Confidence)
	}
	if len(c.Shown) != 1 || c.Shown[0].Figure != "generator@compiled, times fit" || c.Shown[0].Verdict != "shown only" {
		t.Errorf("shown %+v", c.Shown)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"in at most 1 % of cases", "a change matters from 5 % on", "confidences of 99.5819 % to 99.7559 % by themselves", "takes two looks running", "base/base"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q: %s", want, notes)
		}
	}
	if len(c.Warnings) > 0 {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestTwinsApartAreTold(t *testing.T) {
	f := found(t, &world{edit: slower("twin", fit, 1.2)}, func(o *check.Options) { o.MaxTime = time.Minute }, "fit@compiled")
	c := f.Report("a", "b")
	if note := c.Rows[0].Note; !strings.Contains(note, "base differs from itself by 20 %, so nothing is concluded") || c.Verdict != "inconclusive" {
		t.Errorf("%s: %q", c.Verdict, note)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "not decided within --max-time 1m0s") {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// The look after 10 rounds says regressed; for the one after 13 there is no time.
func TestAChangeThatOneLookAloneSawIsTold(t *testing.T) {
	c := found(t, &world{edit: slower("head", fit, 1.1)}, func(o *check.Options) { o.MaxTime = 38 * time.Second }, "fit@compiled").Report("a", "b")
	if note := c.Rows[0].Note; c.Verdict != "inconclusive" || note != "regressed by the last look alone: a change takes two looks running" {
		t.Errorf("%s: %q", c.Verdict, note)
	}
}

func TestHowMuchWasComparedIsTold(t *testing.T) {
	how := func(edit func(*record.Run, string, int)) string {
		return found(t, &world{edit: edit}, nil, "fit@compiled").Report("a", "b").How
	}
	if got, want := how(nil), "10 rounds of 5,000 steps at batch 64 on 65,536 windows, kernel avx2, 2 threads, 30s; none disturbed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	ofHead := func(edit func(r *record.Run)) func(*record.Run, string, int) {
		return func(r *record.Run, role string, _ int) {
			if role == "head" {
				edit(r)
			}
		}
	}
	for want, edit := range map[string]func(r *record.Run){
		"kernel avx2 in base and kernel go in head, 2 threads": func(r *record.Run) { r.Kernel = "go" },
		"kernel avx2, 2 threads in base and 1 thread in head":  func(r *record.Run) { r.Threads = 1 },
		"kernel avx2 in base and kernel not told in head":      func(r *record.Run) { r.Kernel = "" },
	} {
		if got := how(ofHead(edit)); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	one := found(t, &world{}, func(o *check.Options) { o.MaxTime = time.Second }, "fit@compiled").Report("a", "b").How
	if !strings.HasPrefix(one, "1 round of") {
		t.Errorf("%q", one)
	}
}

func TestNothingOfAReportIsNotFinite(t *testing.T) {
	f := found(t, &world{}, func(o *check.Options) { o.MaxTime = time.Second }, "fit@compiled")
	for _, row := range f.Report("a", "b").Rows {
		for _, v := range []*float64{row.Base, row.Head, row.Change, row.Twin} {
			if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
				t.Errorf("%+v", row)
			}
		}
		if row.Low != nil || row.High != nil || row.Confidence != nil {
			t.Errorf("an interval of one round: %+v", row)
		}
	}
}
