//go:build !unix

package atomicfile

import "io/fs"

// newFileMode is the usual mode of a new file.
func newFileMode() fs.FileMode { return 0o666 }
