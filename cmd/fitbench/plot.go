package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fitbench/internal/atomicfile"
	"fitbench/internal/picture"
	"fitbench/internal/record"
)

// plotFlag takes the file of a picture, whose ending says which kind.
type plotFlag struct{ target *string }

func (f plotFlag) String() string {
	if f.target == nil {
		return ""
	}
	return *f.target
}

func (plotFlag) Type() string { return "FILE.svg|png" }

func (f plotFlag) Set(path string) error {
	if !slices.Contains(picture.Formats(), plotFormat(path)) {
		return fmt.Errorf("a file name that ends in .%s is accepted", strings.Join(picture.Formats(), " or ."))
	}
	*f.target = path
	return nil
}

const plotUsage = "also draw the time of a step here, by batch size where there are several"

func plotFormat(path string) string { return strings.TrimPrefix(filepath.Ext(path), ".") }

// plot draws a record, where a file is given.
func plot(path string, rec record.Record) error {
	if path == "" {
		return nil
	}
	return writeFile("--plot", path, func(w io.Writer) error { return picture.Write(w, rec, plotFormat(path)) })
}

// canPlot tells beforehand whether the file can be written.
func canPlot(path string) error {
	if path == "" {
		return nil
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return usagef("--plot %s: %w", path, err)
	}
	return file.Close()
}
