package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// startProfile begins the CPU profile that the job asks for. stop ends it and is to be called in any case. The errors are those of
// the file, or say that a profile is being taken already.
func startProfile(job Job) (stop func() error, err error) {
	if job.CPUProfile == "" {
		return func() error { return nil }, nil
	}
	name := fmt.Sprintf("%s-%s-round-%d.pprof", job.Cell.Mode, job.Cell.Execution, job.Round)
	file, err := os.Create(filepath.Join(job.CPUProfile, name))
	if err != nil {
		return nil, fmt.Errorf("the CPU profile cannot be written: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(fmt.Errorf("the CPU profile cannot be taken: %w", err), file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			return fmt.Errorf("the CPU profile cannot be written: %w", err)
		}
		return nil
	}, nil
}
