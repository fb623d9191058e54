package meter

import "testing"

const (
	mb       = 1 << 20
	meminfo  = "MemTotal:        8000000 kB\nMemFree:          100000 kB\nMemAvailable:    4194304 kB\nBuffers: 1 kB\n" // 4096 MB
	status   = "Name:\tfitbench\nVmPeak:\t  900000 kB\nVmSize:\t  204800 kB\nVmHWM:\t   51200 kB\nVmRSS:\t   40000 kB\n"
	leaf     = "sys/fs/cgroup/user.slice/app.scope/"
	parent   = "sys/fs/cgroup/user.slice/"
	noLimit1 = "9223372036854771712\n" // how version 1 says that there is none
)

var (
	machineV2 = files{"proc/meminfo": meminfo, "proc/self/status": status, "proc/self/cgroup": membershipV2, "proc/self/mountinfo": mountV2}
	machineV1 = files{"proc/meminfo": meminfo, "proc/self/status": status, "proc/self/cgroup": membershipHybrid, "proc/self/mountinfo": mountsHybrid}
)

func TestAvailableMemoryIsTheSmallestLimit(t *testing.T) {
	const leafV1 = "sys/fs/cgroup/memory/docker/abc/"
	for name, c := range map[string]struct {
		machine      files
		addressSpace uint64
		want         Memory
	}{
		"only the machine": {machineV2, 0, Memory{4096 * mb, "MemAvailable"}},
		// 1000 MB - (600 - 200) MB
		"version 2, file cache counts as free": {machineV2.and(files{leaf + "memory.max": "1048576000\n", leaf + "memory.current": "629145600\n",
			leaf + "memory.stat": "anon 5\ninactive_file 209715200\nactive_file 9\n"}), 0, Memory{600 * mb, "cgroup limit"}},
		"version 2, cache not told": {machineV2.and(files{leaf + "memory.max": "1048576000\n", leaf + "memory.current": "629145600\n"}),
			0, Memory{400 * mb, "cgroup limit"}},
		"version 2, memory.high below memory.max": {machineV2.and(files{leaf + "memory.max": "1048576000\n", leaf + "memory.high": "734003200\n",
			leaf + "memory.current": "629145600\n"}), 0, Memory{100 * mb, "cgroup limit"}},
		"version 2, the ancestor is the tighter one": {machineV2.and(files{leaf + "memory.max": "1048576000\n", leaf + "memory.current": "1048576\n",
			parent + "memory.max": "2097152000\n", parent + "memory.current": "2044723200\n"}), 0, Memory{50 * mb, "cgroup limit"}},
		"version 2, max is no limit": {machineV2.and(files{leaf + "memory.max": "max\n", leaf + "memory.high": "max\n", leaf + "memory.current": "629145600\n"}),
			0, Memory{4096 * mb, "MemAvailable"}},
		"version 2, a limit without its use says nothing": {machineV2.and(files{leaf + "memory.max": "1048576\n"}), 0, Memory{4096 * mb, "MemAvailable"}},
		"version 2, over the limit":                       {machineV2.and(files{leaf + "memory.high": "1048576\n", leaf + "memory.current": "629145600\n"}), 0, Memory{0, "cgroup limit"}},
		// 500 MB - (300 - 40) MB; the plain inactive_file is of the group alone, without its children
		"version 1": {machineV1.and(files{leafV1 + "memory.limit_in_bytes": "524288000\n", leafV1 + "memory.usage_in_bytes": "314572800\n",
			leafV1 + "memory.stat": "inactive_file 1\ntotal_inactive_file 41943040\n"}), 0, Memory{240 * mb, "cgroup limit"}},
		"version 1, no limit": {machineV1.and(files{leafV1 + "memory.limit_in_bytes": noLimit1, leafV1 + "memory.usage_in_bytes": "314572800\n"}),
			0, Memory{4096 * mb, "MemAvailable"}},
		"version 1, the path is the host's and only the mount point exists": {machineV1.and(files{
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "524288000\n", "sys/fs/cgroup/memory/memory.usage_in_bytes": "314572800\n"}),
			0, Memory{200 * mb, "cgroup limit"}},
		"a limit above the machine's memory": {machineV2.and(files{leaf + "memory.max": "9437184000\n", leaf + "memory.current": "1048576\n"}),
			0, Memory{4096 * mb, "MemAvailable"}},
		// 1000 MB - VmSize 200 MB
		"address space":         {machineV2, 1000 * mb, Memory{800 * mb, "RLIMIT_AS"}},
		"address space used up": {machineV2, 100 * mb, Memory{0, "RLIMIT_AS"}},
	} {
		s := c.machine.source(t)
		s.addressSpace = func() (uint64, bool) { return c.addressSpace, c.addressSpace > 0 }
		if got, ok := s.availableMemory(); !ok || got != c.want {
			t.Errorf("%s: got %+v %v, want %+v", name, got, ok, c.want)
		}
	}
}

func TestAvailableMemoryIsUnknownWhereNothingIsTold(t *testing.T) {
	if got, ok := (files{}).source(t).availableMemory(); ok {
		t.Errorf("got %+v", got)
	}
	s := files{"proc/meminfo": "MemTotal: 8 kB\nMemFree: 4 kB\n"}.source(t)
	s.addressSpace = func() (uint64, bool) { return 1 << 30, true } // but no VmSize to hold it against
	if got, ok := s.availableMemory(); ok {
		t.Errorf("got %+v", got)
	}
}

func TestGarbageInAnyFileNeverMakesALimitOfNothing(t *testing.T) {
	good := machineV2.and(files{leaf + "memory.max": "1048576000\n", leaf + "memory.high": "max\n", leaf + "memory.current": "629145600\n",
		leaf + "memory.stat": "inactive_file 1\n"})
	for name, right := range good {
		s := good.source(t)
		s.addressSpace = func() (uint64, bool) { return 1 << 40, true }
		for _, text := range garbage {
			files{name: text}.put(t, s.root)
			if got, ok := s.availableMemory(); ok && got.AvailableBytes == 0 {
				t.Errorf("%s = %q: got %+v", name, text, got)
			}
		}
		files{name: right}.put(t, s.root)
		if got, ok := s.availableMemory(); !ok || got != (Memory{400*mb + 1, "cgroup limit"}) {
			t.Errorf("%s as it should be: got %+v %v", name, got, ok)
		}
	}
}

func TestPeakRSSIsVmHWM(t *testing.T) {
	if got, ok := (files{"proc/self/status": status}).source(t).peakRSS(); !ok || got != 50*mb {
		t.Errorf("got %d %v, want 50 MB", got, ok)
	}
	s := files{}.source(t)
	for _, text := range append(garbage, "VmRSS: 40000 kB\n", "VmHWM:\t 51200", "VmHWM:\t 51200 MB") {
		files{"proc/self/status": text}.put(t, s.root)
		if got, ok := s.peakRSS(); ok {
			t.Errorf("%q: got %d", text, got)
		}
	}
}
