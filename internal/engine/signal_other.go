//go:build !unix

package engine

import "syscall"

// signalName is what the system calls the signal.
func signalName(s syscall.Signal) string { return s.String() }
