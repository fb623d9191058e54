package compare_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/compare"
	"fitbench/internal/record"
)

var (
	fit       = record.Cell{Mode: "fit", Execution: "compiled"}
	generator = record.Cell{Mode: "generator", Execution: "eager"}
)

// good is a record of two cells in five rounds: 0.100 to 0.104 ms a step for fit and three times that for generator.
func good() record.Record {
	rec := record.Record{
		SchemaVersion: record.SchemaVersion,
		Plan: record.Plan{Samples: 65536, Window: 104, Anomalies: 3000, Noise: 0.2, Shift: 0.5, BatchSize: 64, Steps: 300, Rounds: 5,
			Threads: 2, Workers: 1, QueueSize: 10, Cells: []record.Cell{fit, generator}},
		Environment: record.Environment{CPUModel: "AMD EPYC", UsableCores: 2, OnlineCores: 2, Kernel: "avx2", OS: "linux", Arch: "amd64",
			OSVersion: "6.1", Go: "go1.26.0", Revision: "abc"},
	}
	for round := 1; round <= 5; round++ {
		for _, c := range rec.Plan.Cells {
			r := record.Run{
				Mode: c.Mode, Execution: c.Execution, Engine: "fitbench", Kernel: "avx2", Threads: 2, Round: round, BatchSize: 64, Steps: 300,
				StepMilliseconds: record.Of(0.099 + 0.001*float64(round)), SteadyCPUPercent: record.Of(180.0), OtherCPUPercent: record.Of(0.0),
				PeakRSSBytes: record.Of(int64(40e6)), OpsPerStep: record.Of(int64(1)), TensorBytesPerStep: record.Of(int64(0)),
				CopiedBytesPerStep: record.Of(int64(0)), OrderDigest: "0123456789abcdef", WeightsDigest: "weights of " + c.Execution,
			}
			if c == generator {
				r.StepMilliseconds = record.Of(*r.StepMilliseconds * 3)
				r.OpsPerStep, r.TensorBytesPerStep, r.CopiedBytesPerStep = record.Of(int64(112)), record.Of(int64(3361360)), record.Of(int64(28680))
			}
			rec.Runs = append(rec.Runs, r)
		}
	}
	return rec
}

// edited is the good record after an edit.
func edited(edit func(*record.Record)) record.Record {
	rec := good()
	edit(&rec)
	return rec
}

// each edits every run of a cell.
func each(c record.Cell, edit func(*record.Run)) func(*record.Record) {
	return func(rec *record.Record) {
		for i := range rec.Runs {
			if rec.Runs[i].Cell() == c {
				edit(&rec.Runs[i])
			}
		}
	}
}

// all edits every run.
func all(edit func(*record.Run)) func(*record.Record) {
	return func(rec *record.Record) {
		for i := range rec.Runs {
			edit(&rec.Runs[i])
		}
	}
}

// slower makes the steps of a cell take that many times as long.
func slower(c record.Cell, times float64) func(*record.Record) {
	return each(c, func(r *record.Run) { r.StepMilliseconds = record.Of(*r.StepMilliseconds * times) })
}

// rounds keeps the first rounds.
func rounds(n int) func(*record.Record) {
	return func(rec *record.Record) {
		rec.Plan.Rounds = n
		rec.Runs = slices.DeleteFunc(rec.Runs, func(r record.Run) bool { return r.Round > n })
	}
}

// written is the comparison of records as text, the lines' white space condensed: the layout has tests of its own.
func written(t *testing.T, recs ...record.Record) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(atWidth(t, 0, recs...)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

func atWidth(t *testing.T, width int, recs ...record.Record) string {
	t.Helper()
	var sides []compare.Side
	for i, r := range recs {
		sides = append(sides, compare.Side{Name: string(rune('a'+i)) + ".json", Record: r})
	}
	var out bytes.Buffer
	if err := compare.Write(&out, sides, width); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func wantContains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

func wantWithout(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, s := range unwanted {
		if strings.Contains(text, s) {
			t.Errorf("has %q:\n%s", s, text)
		}
	}
}
