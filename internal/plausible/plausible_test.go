package plausible_test

import (
	"math"
	"strings"
	"testing"

	"fitbench/internal/plausible"
	"fitbench/internal/record"
)

func TestFiguresThatCannotHaveBeenMeasuredAreNamed(t *testing.T) {
	for name, change := range map[string]func(r *record.Record){
		"":                          func(*record.Record) {},
		"runs[1].step_milliseconds": func(r *record.Record) { r.Runs[1].StepMilliseconds = record.Of(-1.0) },
		"runs[0].wall_seconds":      func(r *record.Record) { r.Runs[0].WallSeconds = record.Of(math.NaN()) },
		"runs[0].phases.train":      func(r *record.Record) { r.Runs[0].Phases.Train = record.Of(math.Inf(1)) },
		"runs[0].cpu_percent":       func(r *record.Record) { r.Runs[0].CPUPercent = record.Of(1e19) },
		"runs[0].peak_rss_bytes":    func(r *record.Record) { r.Runs[0].PeakRSSBytes = record.Of(int64(-1)) },
		"runs[0].epochs[0].steps":   func(r *record.Record) { r.Runs[0].Epochs = []record.Epoch{{Steps: -1}} },
		"plan.rounds":               func(r *record.Record) { r.Plan.Rounds = -5 },
		"plan.batch_sizes[1]":       func(r *record.Record) { r.Plan.BatchSizes = []int{1, -1} },
		"runs[0].epochs[0].loss":    func(r *record.Record) { r.Runs[0].Epochs = []record.Epoch{{Loss: math.Inf(-1)}} },
		"runs[0].step_losses[1]":    func(r *record.Record) { r.Runs[0].StepLosses = []float64{0, math.NaN()} },
		"runs[0].loss":              func(r *record.Record) { r.Runs[0].Loss = record.Of(math.NaN()) },
	} {
		rec := record.Record{SchemaVersion: 1, Plan: record.Plan{Shift: -0.5}, Runs: []record.Run{{Loss: record.Of(-1e-9), StepLosses: []float64{-1e-9}}, {}}}
		change(&rec)
		err := plausible.Figures(rec)
		if name == "" && err != nil || name != "" && (err == nil || !strings.HasPrefix(err.Error(), name+" is ")) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
