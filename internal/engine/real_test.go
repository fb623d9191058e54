package engine

import (
	"testing"

	"fitbench/internal/footing"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// 200 samples in batches of 8 are 25 steps an epoch: 30 steps are a whole epoch and a cut one.
func TestRealRunsInChildrenAreOnAnEqualFooting(t *testing.T) {
	n := newNative(t, "real", nil)
	plan := record.Plan{
		Samples: 200, Window: 104, Anomalies: 5, Noise: 0.2, Shift: 0.5, Seed: 7,
		BatchSize: 8, Steps: 30, Rounds: 1, Threads: 2, Workers: 2, QueueSize: 3,
	}
	var err error
	plan.Cells, err = modes.ParseCells([]string{"fit", "generator@eager", "train-on-batch@eager", "fit-windows@compiled"}, []string{"compiled"})
	if err != nil {
		t.Fatal(err)
	}
	var runs []record.Run
	for _, cell := range plan.Cells {
		var last modes.Event
		run := n.Run(t.Context(), Job{Plan: plan, Cell: cell, Round: 1}, func(e modes.Event) { last = e })
		if run.Error != "" || run.Steps != 30 || len(run.Epochs) != 2 || run.OrderDigest == "" || run.WeightsDigest == "" || run.EngineVersion == "" {
			t.Errorf("%s: %+v", cell, run)
		}
		if last.Kind != modes.KindEpoch || last.Step != 30 {
			t.Errorf("%s: the last event is %+v, want the end of the last epoch", cell, last)
		}
		runs = append(runs, run)
	}
	for _, difference := range footing.Check(runs) {
		t.Error(difference)
	}
}
