package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/data"
	"fitbench/internal/record"
)

// orderOfTwoEpochs is the digest of 31 + 9 steps of 32 samples of 1000, by rule 3 of docs/protocol.md.
func orderOfTwoEpochs(t *testing.T) string {
	t.Helper()
	var told []byte
	for epoch, steps := range []int{31, 9} {
		order := make([]int32, 1000)
		if err := data.EpochOrder(t.Context(), order, 0, epoch); err != nil {
			t.Fatal(err)
		}
		for _, sample := range order[:steps*32] {
			told = binary.LittleEndian.AppendUint64(told, uint64(sample))
		}
	}
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:])
}

// An epoch is 31 steps and a piece of fit-chunked 8, so the run ends with the first step of a second piece.
func TestPythonKerasTellsTheExperimentsOrder(t *testing.T) {
	want := orderOfTwoEpochs(t)
	for _, p := range pythons(t) {
		if p.framework != "keras" && p.framework != "tf-keras" {
			continue
		}
		for _, mode := range []string{"generator", "train-on-batch", "pipeline", "pipeline-map-first", "fit-chunked"} {
			t.Run(p.Name()+" "+mode, func(t *testing.T) {
				job := conformanceJob(record.Cell{Mode: mode, Execution: "compiled"})
				job.Plan.Samples, job.Plan.Anomalies, job.Plan.BatchSize, job.Plan.Steps, job.Plan.ChunkSize = 1000, 9, 32, 40, 280
				job.Plan.Workers, job.Plan.QueueSize = 1, 10
				run := p.Run(t.Context(), job, nil)
				if strings.Contains(run.Error, " has no ") {
					t.Skip(run.Error)
				}
				steps := []int{}
				for _, e := range run.Epochs {
					steps = append(steps, e.Steps)
				}
				if run.Error != "" || run.OrderDigest != want || !slices.Equal(steps, []int{31, 9}) {
					t.Errorf("error %q, order %s, steps %v; want order %s", run.Error, run.OrderDigest, steps, want)
				}
			})
		}
	}
}
