package engine

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestNativeStartsTheRunningProgramAlsoWhenItsFileIsGone(t *testing.T) {
	path := copyOfThisProgram(t)
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), childVariable+"=deleted", grandchildVariable+"=complete", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if want := "\"\" " + testDigest + "\n"; err != nil || string(out) != want {
		t.Errorf("run's error and digest %s, %v; want %s", out, err, want)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the program is still there: %v", err)
	}
}

func copyOfThisProgram(t *testing.T) string {
	t.Helper()
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(t.TempDir(), "program"), os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Name()
}
