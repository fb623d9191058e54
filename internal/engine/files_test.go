package engine

import (
	"context"
	"os"
	"slices"
	"testing"

	"fitbench/internal/modes"
)

func TestNativeLeavesNoFileOpen(t *testing.T) {
	before := openFiles(t)
	ctx, cancel := context.WithCancel(t.Context())
	for _, behaviour := range []string{"complete", "killed", "garbage", "exit-3", "hang-after-result"} {
		run(t, ctx, behaviour, nil, nil)
	}
	absent().Run(ctx, testJob(), nil)
	run(t, ctx, "obedient", nil, func(modes.Event) { cancel() })
	if after := openFiles(t); len(after) > len(before) {
		t.Errorf("open files %v before, %v after", before, after)
	}
}

func openFiles(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list a process's open files:", err)
	}
	var names []string
	for _, e := range entries {
		target, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil {
			names = append(names, e.Name()+" "+target)
		}
	}
	slices.Sort(names)
	return names
}
