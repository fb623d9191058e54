//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps from the child what a terminal, or a kill, sends to all processes of the parent's group. The parent alone decides,
// also in the moments before the child can ignore an interrupt. It also lets the parent kill what the child has started.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// group is the process group of a child.
type group int

// groupOf is the group of a child that was started in its own.
func groupOf(cmd *exec.Cmd) group { return group(cmd.Process.Pid) }

// kill ends all processes of the group that there are. Right after the child has been waited for is early enough: the system gives
// its number to another process only after all others have had their turn.
func (g group) kill() {
	// The one error that is possible says that nobody is left.
	_ = syscall.Kill(-int(g), syscall.SIGKILL)
}
