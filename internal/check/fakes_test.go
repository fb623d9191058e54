package check_test

import (
	"context"
	"testing"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/check"
	"fitbench/internal/engine"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

var (
	fit       = record.Cell{Mode: "fit", Execution: "compiled"}
	generator = record.Cell{Mode: "generator", Execution: "compiled"}
)

// world is a machine with a time of its own: each run takes a second of it.
type world struct {
	now  time.Time
	role string // of the run under way
	runs int
	// edit changes the run of a role, the n-th of all from 1 on.
	edit func(r *record.Run, role string, n int)
}

// Run has the figures of a quiet machine and of an unchanged program: 2 ms a step, 6 for the generator.
func (w *world) Run(_ context.Context, job engine.Job, _ func(modes.Event)) record.Run {
	w.runs++
	w.now = w.now.Add(time.Second)
	run := record.Run{
		Mode: job.Cell.Mode, Execution: job.Cell.Execution, Round: job.Round, Kernel: "avx2", Threads: 2, Steps: job.Plan.Steps,
		StepMilliseconds: record.Of(2.0), UserSeconds: record.Of(1.0), SystemSeconds: record.Of(0.5), PeakRSSBytes: record.Of(int64(7e6)),
		OtherCPUPercent: record.Of(0.0), OrderDigest: "0rder", WeightsDigest: "weights",
	}
	if modes.Injects(job.Plan.Inject, job.Cell) {
		run.Injected = job.Plan.Inject
	}
	if job.Cell == generator {
		run.StepMilliseconds = record.Of(6.0)
	}
	if w.edit != nil {
		w.edit(&run, w.role, w.runs)
	}
	return run
}

// slower makes the steps of a role in a cell take that many times as long.
func slower(role string, cell record.Cell, times float64) func(*record.Run, string, int) {
	return func(r *record.Run, of string, _ int) {
		if of == role && r.Cell() == cell {
			*r.StepMilliseconds *= times
		}
	}
}

// optionsOf is a check in a world: 3 s a round and gate of its own cell.
func optionsOf(t *testing.T, w *world, gates ...string) check.Options {
	t.Helper()
	parsed, err := check.ParseGates(gates)
	if err != nil {
		t.Fatal(err)
	}
	return check.Options{
		Plan:  record.Plan{Samples: 65536, BatchSize: 64, Steps: 5000, Rounds: 3, Threads: 8},
		Gates: parsed,
		Base:  bench.Contender{Name: "native:./old", Engine: w}, Head: bench.Contender{Name: "fitbench", Engine: w},
		MinChange: 0.05, MaxTime: 3 * time.Minute,
		Observe:     func(p bench.Progress) { w.role = p.Role },
		WatchOthers: func() func() meter.Disturbance { return func() meter.Disturbance { return meter.Disturbance{} } },
		Now:         func() time.Time { return w.now },
	}
}

// found runs a check that must end without an error.
func found(t *testing.T, w *world, change func(*check.Options), gates ...string) check.Found {
	t.Helper()
	o := optionsOf(t, w, gates...)
	if change != nil {
		change(&o)
	}
	f, err := check.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
