package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Exit codes. An interruption's is the signal's number added to 128, as shells have it.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitBySignal = 128
)

// usageError is a wrong use of the command line: which flag or argument, which value, what would be accepted.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// interruption is the cause of a context that a signal ended.
type interruption struct{ signal os.Signal }

func (i interruption) Error() string { return "stopped: " + i.signal.String() }

func (i interruption) exitCode() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return exitBySignal + int(number)
	}
	return exitFailed
}

// silent is an exit code whose reason has been told already.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit code %d", int(s)) }

// execute runs one command line and returns the exit code. Usage text follows wrong usage only.
func execute(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	var (
		stopped interruption
		told    silent
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &told):
		return int(told)
	case errors.As(err, new(usageError)):
		// The error comes last: behind a list of flags it would have scrolled away.
		fmt.Fprintf(s.err, "%s\n%s: %v\n", command.UsageString(), command.CommandPath(), err)
		return exitUsage
	case errors.As(err, &stopped):
		fmt.Fprintf(s.err, "fitbench: %v\n", err)
		return stopped.exitCode()
	}
	fmt.Fprintf(s.err, "fitbench: %v\n", err)
	return exitFailed
}

// unlessClosed drops the error of writing to an output that its reader has closed: they have seen enough.
func unlessClosed(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
