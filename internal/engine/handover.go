package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fitbench/internal/nn/model"
	"fitbench/internal/npy"
	"fitbench/internal/record"
)

// handOver completes the job with the files that an engine with weights of its own needs, in a folder that remove takes away. The
// error says which file could not be written.
func (p *Program) handOver(job Job) (complete Job, remove func(), err error) {
	if job.InitialWeights != "" || !p.takesWeights(job) {
		return job, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "fitbench-*")
	if err != nil {
		return job, nil, fmt.Errorf("the initial weights cannot be handed over: %w", err)
	}
	// A folder that stays is no harm to the run.
	remove = func() { _ = os.RemoveAll(dir) }
	job.InitialWeights = filepath.Join(dir, "initial_weights.npy")
	if err := writeWeights(job.InitialWeights, job.Plan); err != nil {
		remove()
		return job, nil, fmt.Errorf("the initial weights cannot be handed over: %w", err)
	}
	return job, remove, nil
}

// takesWeights tells whether weights are handed over: to a framework, so that it starts from the native ones, and to every engine where
// the losses are compared. The native worker draws them itself.
func (p *Program) takesWeights(job Job) bool { return p.framework != "" || job.Parity }

func writeWeights(path string, plan record.Plan) error {
	network := model.Default(plan.Window)
	if err := network.Validate(); err != nil {
		return err
	}
	weights := network.InitialWeights(plan.Seed)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(npy.Write(file, weights, len(weights)), file.Close())
}
