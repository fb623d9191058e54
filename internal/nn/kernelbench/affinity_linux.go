package main

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// allowedCores lists the cores that this process may use, in order; none where the system does not tell.
func allowedCores() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var allowed []int
	for core := 0; len(allowed) < set.Count(); core++ {
		if set.IsSet(core) {
			allowed = append(allowed, core)
		}
	}
	return allowed
}

// setAffinity keeps a thread to the cores; 0 is the calling thread, a process's number its first. A thread that has ended needs none.
func setAffinity(thread int, to []int) error {
	var set unix.CPUSet
	for _, core := range to {
		set.Set(core)
	}
	if err := unix.SchedSetaffinity(thread, &set); !errors.Is(err, unix.ESRCH) {
		return err
	}
	return nil
}

// threadIDs lists the threads of this process.
func threadIDs() ([]int, error) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}
