//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps from the child what a terminal, or a kill, sends to all processes of the parent's group. The parent alone decides,
// also in the moments before the child can ignore an interrupt.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
