// Package testdata holds the golden values, built into the program: what other implementations computed for the same experiment.
// golden/README.md describes the files. It computes nothing.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed golden/series_full.json golden/keras_b64
var files embed.FS

// Golden is the folder of golden values: series_full.json, and keras_b64 with the training steps.
func Golden() fs.FS {
	golden, err := fs.Sub(files, "golden")
	if err != nil {
		panic("testdata: the embedded folder has no valid name")
	}
	return golden
}
