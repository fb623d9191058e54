package report_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// checked are checks with all that one can have, and with little.
func checked() map[string]report.CheckResult {
	of := record.Of[float64]
	rec := record.Record{
		SchemaVersion: 1, Plan: record.Plan{Samples: 65536, BatchSize: 64, Steps: 5000, Rounds: 13, Threads: 2},
		Runs: []record.Run{{Mode: "fit", Execution: "compiled", Engine: "native:./a<b>", Role: "base", Round: 1, StepMilliseconds: of(0.1625)}},
	}
	return map[string]report.CheckResult{
		"pairs": {
			Title: "head native against base native:./a<b>", How: "13 rounds of 5,000 steps at batch 64 on 65,536 windows, kernel avx2, 2 threads, 2m3s; none disturbed",
			Rows: []report.CheckRow{
				{Figure: "fit@compiled, ms a step", Base: of(0.1625), Head: of(0.18), Change: of(0.108), Low: of(0.09), High: of(0.126), Confidence: of(0.9967),
					Twin: of(-0.00001), Pairs: 13, Verdict: "regressed"},
				{Figure: "train-on-batch@eager, ms a step", Base: of(4.64), Head: of(4.632), Change: of(-0.0004), Low: of(-0.0123), High: of(0.00996),
					Confidence: of(0.9967), Twin: of(0.002), Pairs: 13, Verdict: "same"},
				{Figure: "memory:fit@compiled", Base: of(1234.5), Head: of(1234.5), Change: of(0), Twin: of(0.062), Pairs: 12, Verdict: "inconclusive",
					Note: "base differs from itself by 6.2 %, so nothing is concluded"},
				{Figure: "cpu:fit@compiled", Verdict: "inconclusive", Note: "base differs from itself by 6.2 %, so nothing is concluded"},
			},
			Shown:    []report.CheckRow{{Figure: "train-on-batch@eager, times fit", Base: of(28.5), Head: of(25.7), Verdict: "shown only"}},
			Warnings: []string{"work was added to head on purpose (fit@compiled=10%): this tests the check, and says nothing of head"},
			Notes:    []string{"change: Hodges-Lehmann estimate of head over base | in the rounds"},
			Verdict:  "regressed", Record: rec,
		},
		"baseline": {
			Title: "this build against the baseline b.json", How: "10 rounds of 5,000 steps",
			Rows:     []report.CheckRow{{Figure: "fit@compiled, peak memory, MB", Base: of(30), Head: of(30.6), Change: of(0.02), Verdict: "same"}},
			Warnings: []string{"cannot compare times: not the same CPU model"}, NotCompared: []string{"times"}, Verdict: "same", Record: rec,
		},
	}
}

func TestChecksAreShownAsReviewed(t *testing.T) {
	for name, c := range checked() {
		for form, write := range map[string]func(w io.Writer) error{
			"_0.txt":  func(w io.Writer) error { return report.CheckTable(w, c, report.Options{}) },
			"_80.txt": func(w io.Writer) error { return report.CheckTable(w, c, report.Options{Width: 80}) },
			".md":     func(w io.Writer) error { return report.CheckMarkdown(w, c) },
			".json":   func(w io.Writer) error { return report.CheckJSON(w, c) },
		} {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			golden(t, "check_"+name+form, got.Bytes())
		}
	}
}

func TestWarningsOfACheckAreShownWithoutItsNotesToo(t *testing.T) {
	var got bytes.Buffer
	if err := report.CheckTable(&got, checked()["pairs"], report.Options{NoAnswer: true}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"on purpose": true, "base differs from itself": true, "Verdict: regressed": true, "Hodges-Lehmann": false} {
		if strings.Contains(got.String(), text) != want {
			t.Errorf("%q shown is %v:\n%s", text, !want, got.String())
		}
	}
}

func TestLinesOfACheckFitTheTerminal(t *testing.T) {
	for name, c := range checked() {
		for width := 50; width <= 200; width += 5 {
			var got bytes.Buffer
			if err := report.CheckTable(&got, c, report.Options{Width: width}); err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(got.String(), "\n") {
				if len(line) > min(width, report.MaxWidth) {
					t.Errorf("%s at %d: %s", name, width, fmt.Sprint(len(line), " ", line))
				}
			}
		}
	}
}
