//go:build !unix && !windows

package engine

import "os/exec"

// inOwnGroup does nothing where there are no process groups.
func inOwnGroup(*exec.Cmd) {}
