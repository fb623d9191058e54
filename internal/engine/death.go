package engine

import (
	"fmt"
	"os"
	"syscall"
)

// death says how a process ended by itself, or by a signal that was not its parent's.
func death(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return fmt.Sprintf("ended with exit status %d", state.ExitCode())
	}
	text := "was killed by " + signalName(status.Signal())
	if status.Signal() == syscall.SIGKILL {
		text += ", usually because memory ran out"
	}
	return text
}
