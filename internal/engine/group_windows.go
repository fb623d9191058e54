package engine

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps the console's Ctrl-C from the child: the parent alone decides.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
