package baseline_test

import (
	"math"
	"slices"

	"fitbench/internal/record"
)

var (
	fit       = record.Cell{Mode: "fit", Execution: "compiled"}
	generator = record.Cell{Mode: "generator", Execution: "eager"}
)

// good is a record of two cells in five rounds, the rounds within 1 % of each other.
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
				StepMilliseconds: record.Of(0.1 * (1 + 0.002*float64(round))), ReferenceSeconds: record.Of(0.025),
				OtherCPUPercent: record.Of(0.0),
				PeakRSSBytes:    record.Of(int64(40e6)), OpsPerStep: record.Of(int64(1)), TensorBytesPerStep: record.Of(int64(0)),
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

func nan() *float64 { return record.Of(math.NaN()) }
