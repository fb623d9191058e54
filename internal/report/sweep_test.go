package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// sweeps are records of several batch sizes with the situations that their tables must cope with.
func sweeps() map[string]record.Record {
	interrupted := sweepOf(16, 64, 256, 1024)
	interrupted.Runs = interrupted.Runs[:7]
	bent := change(sweepOf(16, 64, 256, 1024, 4096, 8096), "train-on-batch@eager", func(r *record.Run) {
		if r.BatchSize > 256 {
			*r.StepMilliseconds *= 3
		}
	})
	engines := sweepOf(16, 64, 256)
	for _, r := range engines.Runs {
		r.Engine, r.StepMilliseconds = "native:./old", record.Of(*r.StepMilliseconds*2)
		engines.Runs = append(engines.Runs, r)
	}
	engines.Plan.Engines = []string{"native", "native:./old"}
	noisy := change(sweepOf(16, 64, 256), "generator@compiled", func(r *record.Run) {
		r.Disturbed, r.OtherCPUPercent = true, record.Of(80.0)
	})
	failing := change(sweepOf(16, 64, 8096), "fit@compiled", func(r *record.Run) {
		if r.BatchSize == 8096 {
			r.Error = "out of memory"
		}
	})
	unequal := sweepOf(16, 64, 256)
	unequal.Runs[0].OrderDigest = "another"
	return map[string]record.Record{
		"sweep": sweepOf(16, 64, 256, 1024, 8096), "sweep wide": sweepOf(16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
		"sweep interrupted": interrupted, "sweep bent": bent, "sweep engines": engines, "sweep noisy": noisy, "sweep failing": failing,
		"sweep two sizes": sweepOf(64, 8096), "sweep unequal": unequal,
	}
}

func TestSweepTablesAreAsReviewed(t *testing.T) {
	for name, rec := range sweeps() {
		for _, width := range []int{0, 60} {
			t.Run(fmt.Sprintf("%s at %d", name, width), func(t *testing.T) {
				var got bytes.Buffer
				if err := report.Table(&got, rec, report.Options{Width: width}); err != nil {
					t.Fatal(err)
				}
				if width != 0 && name != "sweep wide" {
					return
				}
				golden(t, fmt.Sprintf("%s_%d.txt", strings.ReplaceAll(name, " ", "_"), width), got.Bytes())
			})
		}
	}
}

func TestReportedIsAsReviewed(t *testing.T) {
	for _, width := range []int{0, 60} {
		var got bytes.Buffer
		if err := report.Reported(&got, report.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("reported_%d.txt", width), got.Bytes())
	}
}

// The terms by hand: 407 s / 163,960 steps is 2.482 ms at 64, 99 s / 1,290 steps 76.744 ms at 8,096; 74.262 ms over 8,032 samples.
func TestTheReportedTermsAreThoseOfTwoPoints(t *testing.T) {
	var got bytes.Buffer
	if err := report.Reported(&got, report.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.9              9.2", "10.3             15.9", "11.0             17.6"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("%q is not in\n%s", want, got.String())
		}
	}
}

// fit is 0.020 ms + 1.5 us a sample, train-on-batch@eager 0.600 ms + 2.5 us, generator@compiled 0.040 ms + 1.55 us: its gap of 0.020 ms
// + 0.05 us n is a tenth of fit's from batch 180 on.
func TestTheAnswerOfASweepIsTheCostModels(t *testing.T) {
	texts := map[string]string{}
	for _, l := range report.Answer(sweepOf(16, 64, 256, 1024, 8096)) {
		texts[l.Title] += l.Text
	}
	for title, wants := range map[string][]string{
		"fit@compiled":         {"0.0200 ms a step", "1.50 us a sample", "5 of them"},
		"train-on-batch@eager": {"0.600 ms a step", "2.50 us a sample", "never in this model, up to 8,096"},
		"generator@compiled":   {"0.0400 ms a step", "1.55 us a sample", "from batch 181 on, up to 8,096"},
	} {
		for _, want := range wants {
			if !strings.Contains(texts[title], want) {
				t.Errorf("%s: %q lacks %q", title, texts[title], want)
			}
		}
	}
}

func TestASweepThatDidNotTrainAlikeHasNoModel(t *testing.T) {
	for _, l := range report.Answer(sweeps()["sweep unequal"]) {
		if strings.Contains(l.Text, "a sample") {
			t.Errorf("%s: %s", l.Title, l.Text)
		}
	}
}
