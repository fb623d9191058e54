package parity

import (
	"context"
	"os"
	"testing"

	"fitbench/internal/engine"
)

// TestMain makes the test binary be the native engine where it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == engine.WorkerCommand {
		os.Exit(engine.Worker(context.Background(), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
