package main

import (
	"fmt"
	"runtime"
)

// cores are the two cores, or the one, on which everything is measured; empty where the operating system pins no threads.
type cores []int

// maxCores is how many cores the measurements need.
const maxCores = 2

// firstCores are the first ones that this process may use.
func firstCores() cores {
	allowed := allowedCores()
	return allowed[:min(maxCores, len(allowed))]
}

// confine keeps all threads of this process, and those that they start, to the cores. It looks twice: a thread that was started
// while the first look went on has the old cores if its parent had.
func (c cores) confine() error {
	if len(c) == 0 {
		return nil
	}
	for range 2 {
		ids, err := threadIDs()
		if err != nil {
			return fmt.Errorf("cannot list this process's threads: %w", err)
		}
		for _, id := range ids {
			if err := setAffinity(id, c); err != nil {
				return fmt.Errorf("cannot keep thread %d to cores %v: %w", id, c, err)
			}
		}
	}
	return nil
}

// on runs work on one thread that stays on that one of the cores.
func (c cores) on(core int, work func() error) error {
	if len(c) == 0 {
		return work()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setAffinity(0, c[core:core+1]); err != nil {
		return fmt.Errorf("cannot pin a thread to core %d: %w", c[core], err)
	}
	failure := work()
	if err := setAffinity(0, c); err != nil {
		return fmt.Errorf("cannot give a thread its cores %v back: %w", c, err)
	}
	return failure
}
