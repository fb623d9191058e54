package meter

import "strings"

// Memory is how much memory this process may still take, and which limit says so.
type Memory struct {
	AvailableBytes int64
	// Source is "MemAvailable", "cgroup limit" or "RLIMIT_AS".
	Source string
}

// AvailableMemory is the smallest of what the machine has available, what the limits of this process's control group (version 1
// or 2) and of all its ancestors leave, and what is left of the address space limit. False where the system tells nothing.
func AvailableMemory() (Memory, bool) { return system().availableMemory() }

func (s source) availableMemory() (Memory, bool) {
	limits := []struct {
		source string
		left   func() (int64, bool)
	}{
		{"MemAvailable", s.machineMemory},
		{"cgroup limit", s.cgroupMemory},
		{"RLIMIT_AS", s.addressSpaceLeft},
	}
	var smallest Memory
	known := false
	for _, l := range limits {
		if left, ok := l.left(); ok && (!known || left < smallest.AvailableBytes) {
			smallest, known = Memory{AvailableBytes: left, Source: l.source}, true
		}
	}
	return smallest, known
}

// machineMemory is the kernel's own estimate of what can be taken without swapping.
func (s source) machineMemory() (int64, bool) {
	text, ok := s.read("proc/meminfo")
	if !ok {
		return 0, false
	}
	return findKilobytes(text, "MemAvailable")
}

// addressSpaceLeft is RLIMIT_AS minus the address space in use.
func (s source) addressSpaceLeft() (int64, bool) {
	limit, limited := s.addressSpace()
	if !limited || limit > 1<<62 {
		return 0, false
	}
	status, ok := s.read("proc/self/status")
	if !ok {
		return 0, false
	}
	used, ok := findKilobytes(status, "VmSize")
	return max(int64(limit)-used, 0), ok
}

// memoryFiles names the files of a memory controller. memory.high counts as a limit because a group above it is slowed down
// until it is back below, which no measurement survives.
var memoryFiles = [...]struct {
	hierarchy
	limits        []string
	usage         string
	inactiveCache string
}{
	{hierarchy{""}, []string{"memory.max", "memory.high"}, "memory.current", "inactive_file"},
	{hierarchy{"memory"}, []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"},
}

// cgroupMemory is the least that is left in any group from this process's up. A group without a limit says nothing.
func (s source) cgroupMemory() (least int64, known bool) {
	for _, files := range memoryFiles {
		for _, folder := range s.groups(files.hierarchy) {
			used, ok := s.cgroupUsage(folder, files.usage, files.inactiveCache)
			if !ok {
				continue
			}
			for _, name := range files.limits {
				limit, limited := s.cgroupNumber(folder, name)
				if !limited {
					continue
				}
				if left := max(limit-used, 0); !known || left < least {
					least, known = left, true
				}
			}
		}
	}
	return least, known
}

// cgroupUsage is the memory in use in the group, without the inactive file cache, which the kernel gives up when memory is asked
// for. Where the cache's size is not told, all of the memory in use counts.
func (s source) cgroupUsage(folder, usage, inactiveCache string) (int64, bool) {
	used, ok := s.cgroupNumber(folder, usage)
	if !ok {
		return 0, false
	}
	stat, _ := s.read(folder, "memory.stat")
	for line := range strings.Lines(stat) {
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] != inactiveCache {
			continue
		}
		if cache, ok := parseNumber(fields[1]); ok {
			return max(used-cache, 0), true
		}
	}
	return used, true
}

// cgroupNumber reads a file with one number. It is false for "max" of version 2 and for the number near 2^63 by which version 1
// says that there is no limit.
func (s source) cgroupNumber(folder, name string) (int64, bool) {
	text, ok := s.read(folder, name)
	if !ok {
		return 0, false
	}
	return parseNumber(strings.TrimSpace(text))
}
