package meter

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// files are texts by path below a source's root.
type files map[string]string

// put writes the files below root.
func (f files) put(t *testing.T, root string) {
	t.Helper()
	for name, text := range f {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// source is a machine with these files, 8 CPUs in the affinity mask and no limits.
func (f files) source(t *testing.T) source {
	t.Helper()
	root := t.TempDir()
	f.put(t, root)
	return source{
		root:         root,
		now:          func() time.Time { return time.Unix(1000, 0) },
		familyCPU:    func() (time.Duration, bool) { return 0, false },
		parent:       func() int { return 1 },
		addressSpace: func() (uint64, bool) { return 0, false },
		affinity:     func() int { return 8 },
	}
}

// and is the union of two sets of files; the second's win.
func (f files) and(more files) files {
	all := files{}
	for _, set := range []files{f, more} {
		for name, text := range set {
			all[name] = text
		}
	}
	return all
}

// near fails on NaN too.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9 }

// garbage are texts that are no file of /proc or /sys: empty, cut, binary, negative, too large, of another shape.
var garbage = []string{
	"", "\n", " ", "\x00\xff\x00", "x", ":", ")", "-1", "-1 -1", "NaN", "1e9", "99999999999999999999", "cpu", "cpu ", "cpu  1 2",
	"cpu  1 2 x 4\ncpu0 1 2 3 4\n", "cpu  1 2 3 -4\ncpu0 1\n", "some", "some total=", "some total=x", "some total=-5",
	"MemAvailable:", "MemAvailable: kB", "MemAvailable: 12", "MemAvailable: -12 kB", "MemAvailable: 99999999999999999 kB",
	"VmHWM: x kB\nVmSize: x kB", "VmHWM: 0 kB", "1 (name) R", "0::", "0::relative", ":::", "max", "max max", "0 0", "5 0", "0-", "3-1", "a-b", "0,,1",
}
