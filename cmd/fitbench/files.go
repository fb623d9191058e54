package main

import (
	"errors"
	"fmt"
	"io"

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
