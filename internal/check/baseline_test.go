package check_test

import (
	"strings"
	"testing"

	"fitbench/internal/baseline"
	"fitbench/internal/check"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/verdict"
)

func TestABaselinesFiguresAreShownInTheirUnits(t *testing.T) {
	of := record.Of[float64]
	rec := record.Record{Plan: record.Plan{Samples: 65536, BatchSize: 64, Steps: 5000, Rounds: 1}, Runs: []record.Run{{Kernel: "go", Threads: 1}}}
	c := check.Baseline("b.json", baseline.Result{
		Verdict: verdict.Regressed, Notes: []string{"cannot compare peak memory"},
		Lines: []baseline.Line{
			{Cell: "fit@compiled", Figure: "operations a step", Base: of(1), Head: of(1), Change: of(0), Verdict: verdict.Same},
			{Cell: "fit@compiled", Figure: "bytes copied a step", Unit: "bytes", Base: of(10), Head: of(11), Change: of(0.1), Verdict: verdict.Regressed},
			{Cell: "fit@compiled", Figure: baseline.PeakMemory, Unit: "bytes", Base: of(30e6), Head: of(30e6), Change: of(0), Verdict: verdict.Same},
			{Cell: "fit@compiled", Figure: baseline.Step, Unit: "reference loops", Base: of(0.002), Head: of(0.003), Change: of(0.5),
				Low: of(0.4), High: of(0.6), Verdict: verdict.Same},
		},
		Ratios: []baseline.Ratio{{Cell: "generator@compiled", Base: summary.Value{Median: 3, OK: true}}},
	}, rec)
	if c.How != "1 round of 5,000 steps at batch 64 on 65,536 windows, kernel go, 1 thread" || c.Title != "this build against the baseline b.json" {
		t.Errorf("%q, %q", c.Title, c.How)
	}
	want := []struct {
		figure     string
		base, head float64
	}{{"fit@compiled, bytes copied a step, bytes", 10, 11}, {"fit@compiled, peak memory, MB", 30, 30}, {"fit@compiled, step, loops a 1,000 steps", 2, 3}}
	if len(c.Rows) != len(want) {
		t.Fatalf("rows %+v", c.Rows)
	}
	for i, w := range want {
		if r := c.Rows[i]; r.Figure != w.figure || !near(r.Base, w.base) || !near(r.Head, w.head) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
	if r := c.Rows[2]; *r.Low != 0.4 || *r.High != 0.6 || *r.Change != 0.5 {
		t.Errorf("%+v", r)
	}
	if c.Verdict != "regressed" || len(c.NotCompared) != 0 || len(c.Warnings) != 1 || !strings.Contains(c.Notes[0], "1 exact count of") {
		t.Errorf("%+v", c)
	}
	if len(c.Shown) != 1 || !near(c.Shown[0].Base, 3) || c.Shown[0].Head != nil {
		t.Errorf("shown %+v", c.Shown)
	}
}

func TestABaselineWithoutTimesSaysSo(t *testing.T) {
	c := check.Baseline("b.json", baseline.Result{Verdict: verdict.Same, Notes: []string{"cannot compare times: not the same CPU model"}}, record.Record{})
	if len(c.NotCompared) != 1 || c.NotCompared[0] != "times" || len(c.Warnings) != 1 {
		t.Errorf("%+v", c)
	}
}
