//go:build !unix

package atomicfile

import "io/fs"

// dontWait is not needed here: there are no named pipes that wait for a reader.
const dontWait = 0

// newFileMode is the usual mode of a new file.
func newFileMode() fs.FileMode { return 0o666 }
