// Fitbench trains one small 1D CNN on a synthetic series in the ways that Keras offers and in leaner ones, each run in a process of
// its own, and prints time, CPU load and memory side by side, with the answer in words.
//
// This package is the command line alone: flags in, exit code out. What the commands do lives in the packages below internal.
package main

import (
	"context"
	"io"
	"os"

	"fitbench/internal/meter"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, interactive: isTerminal(os.Stderr),
	}))
}

// streams are the standard streams of a command, so that tests can run it in process.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// interactive tells whether somebody watches err, a terminal: only then is progress shown.
	interactive bool
	// watchOthers is how check watches what else uses the machine; nil for package meter's way.
	watchOthers func() (read func() meter.Disturbance)
}
