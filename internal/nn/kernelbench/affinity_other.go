//go:build !linux

package main

// allowedCores lists none: threads are not pinned on this system.
func allowedCores() []int { return nil }

// setAffinity and threadIDs are never called where there are no cores to pin to.
func setAffinity(int, []int) error { return nil }

func threadIDs() ([]int, error) { return nil, nil }
