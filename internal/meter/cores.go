package meter

import (
	"strconv"
	"strings"
)

// usableCores is the smaller of the CPU affinity and the control groups' quota, at least 1.
func (s source) usableCores() int {
	cores := max(s.affinity(), 1)
	for _, h := range []hierarchy{{""}, {"cpu"}} {
		for _, folder := range s.groups(h) {
			if quota, limited := s.quota(folder); limited {
				cores = min(cores, quota)
			}
		}
	}
	return cores
}

// quota is the number of cores that a group's CPU quota allows, rounded up: cpu.max of version 2 ("150000 100000": microseconds
// of CPU time in each period of so many; "max": no limit), cpu.cfs_quota_us and cpu.cfs_period_us of version 1 (-1: no limit).
func (s source) quota(folder string) (cores int, limited bool) {
	if text, ok := s.read(folder, "cpu.max"); ok {
		fields := strings.Fields(text)
		if len(fields) != 2 {
			return 0, false
		}
		return wholeCores(fields[0], fields[1])
	}
	quota, ok := s.read(folder, "cpu.cfs_quota_us")
	if !ok {
		return 0, false
	}
	period, ok := s.read(folder, "cpu.cfs_period_us")
	if !ok {
		return 0, false
	}
	return wholeCores(strings.TrimSpace(quota), strings.TrimSpace(period))
}

// wholeCores is quota / period rounded up; false where either is not a positive number.
func wholeCores(quota, period string) (cores int, limited bool) {
	q, ok := parseNumber(quota)
	p, periodOK := parseNumber(period)
	if !ok || !periodOK || q == 0 || p == 0 {
		return 0, false
	}
	return int((q-1)/p + 1), true
}

// onlineCores counts the CPUs in the kernel's list of those online, such as "0-3,8"; 0 where unknown.
func (s source) onlineCores() int {
	text, _ := s.read("sys/devices/system/cpu/online")
	count, ok := countCPUs(strings.TrimSpace(text))
	if !ok {
		return 0
	}
	return count
}

func countCPUs(list string) (count int, ok bool) {
	for item := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(item, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 16)
		if err != nil {
			return 0, false
		}
		to, err := strconv.ParseUint(last, 10, 16)
		if err != nil || to < from {
			return 0, false
		}
		count += int(to-from) + 1
	}
	return count, true
}
