//go:build unix

package atomicfile

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPipeThatNobodyReadsIsAnErrorNotAWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	if err := f.Replace(text("content")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); !errors.Is(err, unix.ENXIO) {
		t.Errorf("error %v, want %v", err, unix.ENXIO)
	}
}
