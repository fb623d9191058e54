package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fitbench/internal/atomicfile"
)

// writeFile writes a file that a flag names as a whole: where something fails, what was there stays.
func writeFile(flag, path string, text func(io.Writer) error) error {
	file, err := atomicfile.Open(path)
	if err != nil {
		return usagef("%s %s: %w", flag, path, err)
	}
	if err := errors.Join(file.Replace(text), file.Close()); err != nil {
		return fmt.Errorf("%s %s: %w", flag, path, err)
	}
	return nil
}

// fileFlag is a flag that takes the name of a file. An empty one is refused: it is likely to be a variable that is not set.
type fileFlag struct{ target *string }

func (f fileFlag) String() string {
	if f.target == nil {
		return ""
	}
	return *f.target
}

func (fileFlag) Type() string { return "FILE" }

func (f fileFlag) Set(path string) error {
	if path == "" {
		return errors.New("the name of a file is accepted, not an empty one")
	}
	*f.target = path
	return nil
}

// differ refuses two flags that name the same file, of which the second would replace what the first has written. An empty name is of no
// file.
func differ(flag, path, otherFlag, other string) error {
	if path == "" || other == "" || !sameFile(path, other) {
		return nil
	}
	return usagef("%s %s and %s %s are the same file, and one would replace the other; give two names", flag, path, otherFlag, other)
}

// sameFile tells whether two names are of one regular file, or of one that there will be.
func sameFile(a, b string) bool {
	if x, err := os.Stat(a); err == nil {
		y, err := os.Stat(b)
		return err == nil && x.Mode().IsRegular() && os.SameFile(x, y)
	}
	absoluteA, errA := filepath.Abs(a)
	absoluteB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absoluteA == absoluteB
}
