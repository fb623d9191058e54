//go:build unix

package atomicfile

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// dontWait makes opening a pipe that nobody reads an error instead of a wait that may have no end.
const dontWait = unix.O_NONBLOCK

// newFileMode is what the process's umask leaves of 0666. The umask can only be read by setting it.
func newFileMode() fs.FileMode {
	mask := unix.Umask(0o077)
	unix.Umask(mask)
	return 0o666 &^ fs.FileMode(mask)
}
