//go:build unix

package engine

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is the signal's name as the manuals have it, as in SIGKILL.
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String()
}
