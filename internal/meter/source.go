package meter

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// source is where readings come from. Tests put their own folders and functions in its place.
type source struct {
	// root is the folder that holds proc and sys. Where a system has neither, their files are missing, which reads as not measured.
	root string
	now  func() time.Time
	// familyCPU is the CPU time of this process and its ended children.
	familyCPU func() (time.Duration, bool)
	// parent is the process number of the parent.
	parent func() int
	// addressSpace is the limit of this process's address space in bytes; false where there is none.
	addressSpace func() (uint64, bool)
	// affinity is the number of logical CPUs that this process may run on.
	affinity func() int
}

// system is the source of this machine.
func system() source {
	return source{
		root:         "/",
		now:          time.Now,
		familyCPU:    familyCPU,
		parent:       os.Getppid,
		addressSpace: addressSpaceLimit,
		// The CPUs of the affinity mask as the process began, whatever GOMAXPROCS says.
		affinity: runtime.NumCPU,
	}
}

// read is the text of a file below the root; false where it cannot be read.
func (s source) read(path ...string) (string, bool) {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.Join(path...)))
	return string(text), err == nil
}

// parseNumber reads a count that is not negative and at most 2^62, so that two of them can be added; anything else is garbage.
func parseNumber(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0 && n <= 1<<62
}

// findKilobytes reads a line such as "VmHWM:     1234 kB" of the status and meminfo files, in bytes.
func findKilobytes(text, name string) (bytes int64, ok bool) {
	for line := range strings.Lines(text) {
		value, found := strings.CutPrefix(line, name+":")
		if !found {
			continue
		}
		fields := strings.Fields(value)
		if len(fields) != 2 || fields[1] != "kB" {
			return 0, false
		}
		n, ok := parseNumber(fields[0])
		return n << 10, ok && n < 1<<52
	}
	return 0, false
}
