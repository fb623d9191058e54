//go:build unix

package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fitbench/internal/modes"
)

// fifo makes a named pipe. What holds it open for writing shows by its end that it is gone.
func fifo(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// watch closes started when a process has opened the pipe, and the returned channel when none has it open any more.
func watch(t *testing.T, pipe string, started chan<- struct{}) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		file, err := os.Open(pipe) // waits for a writer
		if err != nil {
			t.Error(err)
			close(started)
			return
		}
		defer file.Close()
		close(started)
		if _, err := io.Copy(io.Discard, file); err != nil {
			t.Error(err)
		}
	}()
	return ended
}

// A framework that compiles neither reads its standard input nor lets another thread do so; what it started must end too.
func TestAnInterruptWhileAFrameworkCompilesLeavesNothingBehind(t *testing.T) {
	pipe := fifo(t, t.TempDir())
	p := fake(t, `echo '{"event":"hello","protocol":1}'
(sleep 1000 >'`+pipe+`' & sleep 1000 & wait) &
echo '{"event":"phase","phase":"train","steps":40}'
trap '' TERM INT
wait`)
	p.grace = 1 // a nanosecond
	started := make(chan struct{})
	ended := watch(t, pipe, started)
	ctx, cancel := context.WithCancelCause(t.Context())
	got := p.Run(ctx, testJob(), func(modes.Event) {
		<-started
		cancel(errors.New("Ctrl-C"))
	})
	if want := "interrupted (Ctrl-C): in phase train engine "; len(got.Error) < len(want) || got.Error[:len(want)] != want {
		t.Errorf("error %q, want %q", got.Error, want)
	}
	<-ended
}

func TestAnInterruptEndsTheSearchAndWhatItStarted(t *testing.T) {
	skipWithoutSignals(t)
	dir := t.TempDir()
	started := make(chan struct{})
	pipe := fifo(t, dir)
	path := answering(t, dir, "hanging", "sleep 1000 >'"+pipe+"' & wait")
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := watch(t, pipe, started)
	go func() {
		<-started
		cancel(errors.New("Ctrl-C"))
	}()
	if found, err := Discover(ctx, []string{path}); err == nil || err.Error() != "Ctrl-C" {
		t.Errorf("%+v, %v; want the interrupt", found, err)
	}
	<-ended
}
