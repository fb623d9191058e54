//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// watched is a run as a process whose progress the test reads.
type watched struct {
	*exec.Cmd
	progress *bufio.Reader
	stdout   bytes.Buffer
	seen     strings.Builder
}

// startWatched starts two runs, fit@compiled and then fit-windows@compiled, long enough to be caught in the second: on the slowest
// kernel, which every machine has.
func startWatched(t *testing.T, args ...string) *watched {
	t.Helper()
	steps := 4000
	if raceEnabled {
		steps = 200 // each takes that much longer
	}
	args = append([]string{"run", "--samples", "20000", "--batch-size", "8", "--steps", strconv.Itoa(steps), "--rounds", "1",
		"--modes", "fit@compiled,fit-windows@compiled", "--kernel", "go"}, args...)
	w := &watched{Cmd: program(t, args...)}
	w.Env = append(w.Env, asProgram+"=interactive")
	w.Stdout = &w.stdout
	stderr, err := w.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.progress = bufio.NewReader(stderr)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Process.Kill() })
	return w
}

// until reads the progress to the first mention of what.
func (w *watched) until(t *testing.T, what string) {
	t.Helper()
	for !strings.Contains(w.seen.String(), what) {
		b, err := w.progress.ReadByte()
		if err != nil {
			t.Fatalf("the progress ended without %q: %q", what, w.seen.String())
		}
		w.seen.WriteByte(b)
	}
}

// end reads the rest of standard error and returns the exit code.
func (w *watched) end(t *testing.T) int {
	t.Helper()
	rest, err := io.ReadAll(w.progress)
	if err != nil {
		t.Fatal(err)
	}
	w.seen.Write(rest)
	w.Wait()
	return w.ProcessState.ExitCode()
}

// child is the process of the run under way.
func (w *watched) child(t *testing.T) int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", w.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Skip("the kernel does not list children")
	return 0
}

// The rounds are more than can be done: however late the progress is read, there is a run to interrupt when the signal comes. That the
// progress names the second run of a round shows that a first one has finished.
func TestASignalKeepsAndShowsWhatIsFinished(t *testing.T) {
	const rounds = 100_000
	for _, s := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		if signal.Ignored(s.signal) { // as SIGHUP is under nohup, and then by what is started here too
			t.Logf("%v is ignored here", s.signal)
			continue
		}
		path := filepath.Join(t.TempDir(), "result.json")
		w := startWatched(t, "--rounds", strconv.Itoa(rounds), "--output-file", path)
		w.until(t, "fit-windows@compiled")
		if err := w.Process.Signal(s.signal); err != nil {
			t.Fatal(err)
		}
		if code := w.end(t); code != s.code {
			t.Errorf("%v: exit code %d, want %d: %s", s.signal, code, s.code, w.seen.String())
		}
		wantContains(t, "standard output", w.stdout.String(), "ms/step", "fit (array)")
		rec := readRecord(t, path)
		if len(rec.Runs) == 0 || len(rec.Runs) == 2*rounds || rec.Runs[0].Mode != "fit" {
			t.Errorf("%v: the file holds %d runs, want that of fit and those that were finished after it", s.signal, len(rec.Runs))
		}
		for _, run := range rec.Runs {
			if run.Error != "" || run.Steps != rec.Plan.Steps {
				t.Errorf("%v: the file holds %+v, want finished runs alone", s.signal, run)
			}
		}
	}
}

func TestAKilledWorkerIsToldAndTheOthersGoOn(t *testing.T) {
	w := startWatched(t)
	w.until(t, "fit@compiled round 1/1 step")
	if err := syscall.Kill(w.child(t), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if code := w.end(t); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	wantContains(t, "standard error", w.seen.String(), "fit@compiled", "SIGKILL", "memory")
	wantContains(t, "standard output", w.stdout.String(), "fit-windows", "ms/step")
}

func TestAKilledParentLeavesNoChild(t *testing.T) {
	w := startWatched(t)
	w.until(t, "fit@compiled round 1/1 step")
	child, err := unix.PidfdOpen(w.child(t), 0)
	if err != nil {
		t.Skip("no pidfd here:", err)
	}
	defer unix.Close(child)
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.end(t)
	const limit = 20_000 // milliseconds; the child ends at once, this only bounds a failure
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(child), Events: unix.POLLIN}}, limit)
	if err != nil || n != 1 {
		t.Errorf("the child is still there after %d ms: %v", limit, err)
	}
}

func TestFitWithoutTheMemoryIsRefusedAndTheOthersRun(t *testing.T) {
	cmd := program(t, "run", "--samples", "10000000", "--window", "512", "--batch-size", "8", "--steps", "4", "--rounds", "1",
		"--modes", "fit@compiled,fit-windows@compiled")
	exe := cmd.Path
	// The array takes 20 GB; the address space, which also holds what the Go runtime reserves, is held to 8.
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -v 8000000; exec "$@"`, "sh", exe}, cmd.Args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("%v, want exit code %d", err, exitFailed)
	}
	wantContains(t, "standard error", stderr.String(), "fit@compiled", "GB", "fit-windows")
	wantContains(t, "standard output", stdout.String(), "fit-windows", "ms/step")
}

func TestASecondSignalKillsARunThatDoesNotStop(t *testing.T) {
	w := startWatched(t)
	w.until(t, "fit@compiled round 1/1 step")
	child := w.child(t)
	if err := syscall.Kill(child, syscall.SIGSTOP); err != nil { // it cannot answer the first signal
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} { // two kinds: pending signals of one kind are merged
		if err := w.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	if code := w.end(t); code != 130 && code != 143 { // whichever of the two the system delivered first
		t.Errorf("exit code %d, want 130 or 143: %s", code, w.seen.String())
	}
}

func TestAPipeWithoutAReaderIsAnErrorAndTheResultsAreStillShown(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := fitbench(small("--modes", "fit-windows@compiled", "--output-file", fifo)...)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	wantContains(t, "standard output", stdout, "ms/step")
	wantContains(t, "standard error", stderr, "--output-file", fifo)
}

func TestASignalThatWasIgnoredFromTheStartStaysIgnored(t *testing.T) {
	cmd := program(t, small("--modes", "fit-windows@compiled")...)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" INT; exec "$@"`, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Env = append(cmd.Env, asProgram+"=interactive")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := &watched{Cmd: cmd, progress: bufio.NewReader(stderr)}
	w.until(t, "fit-windows@compiled")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := w.end(t); code != exitOK {
		t.Errorf("exit code %d, want %d: %s", code, exitOK, w.seen.String())
	}
}
