//go:build unix

package engine

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// middle is a process between the test and a grandchild.
type middle struct {
	*exec.Cmd
	stdout bytes.Buffer
	// beacon is the grandchild's. It inherits the other end through the process in the middle, so its end tells that neither lives any more.
	beacon *bufio.Reader
}

// startMiddle starts both, the one in the middle in a process group of its own, and returns when the grandchild is up.
func startMiddle(t *testing.T, behaviour, grandchild string) *middle {
	t.Helper()
	beacon, inherited, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { beacon.Close() })
	if err := beacon.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	m := &middle{Cmd: exec.Command(os.Args[0]), beacon: bufio.NewReader(beacon)}
	m.Env = append(os.Environ(), childVariable+"="+behaviour, grandchildVariable+"="+grandchild, "GORACE=atexit_sleep_ms=0")
	m.ExtraFiles = []*os.File{inherited}
	m.Stdout = &m.stdout
	m.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	inherited.Close()
	if line, err := m.beacon.ReadString('\n'); line != "up\n" {
		t.Fatalf("the grandchild said %q, %v; want up", line, err)
	}
	return m
}

func TestKillingTheParentLeavesNoChild(t *testing.T) {
	for _, grandchild := range []string{"obedient-grandchild", "deaf-grandchild"} {
		t.Run(grandchild, func(t *testing.T) {
			m := startMiddle(t, "middle", grandchild)
			if err := m.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = m.Wait()
			if rest, err := io.ReadAll(m.beacon); err != nil {
				t.Errorf("the grandchild outlives its parent: read %q, %v", rest, err)
			}
		})
	}
}

// The grandchild dies of either signal, as a worker does that has only just begun. Its standard input ends instead, and it finishes.
func TestASignalToTheWholeGroupReachesTheParentAlone(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		m := startMiddle(t, "interrupted-middle", "unprepared")
		if err := syscall.Kill(-m.Process.Pid, signal); err != nil {
			t.Fatal(err)
		}
		if err := m.Wait(); err != nil {
			t.Errorf("%v: %v", signal, err)
		}
		if got := m.stdout.String(); got != "\"\"\n" {
			t.Errorf("%v: the run's error is %s, want none", signal, got)
		}
	}
}

func TestNothingOfAChildsGroupIsLeftBehind(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	t.Setenv(addressVariable, listener.Addr().String())
	if got := run(t, t.Context(), "leaves-its-group", nil, nil); got.Error != "" {
		t.Errorf("error %q, want a whole run", got.Error)
	}
	held, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := held.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := held.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a process that the child started is still there: read %d bytes, %v", n, err)
	}
}

func TestAKilledChildIsNoZombie(t *testing.T) {
	for _, behaviour := range []string{"killed", "flood", "hang-after-result"} {
		run(t, t.Context(), behaviour, nil, nil)
	}
	var status unix.WaitStatus
	if pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil); !errors.Is(err, unix.ECHILD) {
		t.Errorf("child %d is left (%v)", pid, err)
	}
}
