package meter

import "testing"

func TestUsableCoresIsTheSmallerOfAffinityAndQuota(t *testing.T) {
	const (
		leafV1 = "sys/fs/cgroup/cpu,cpuacct/docker/abc/"
		topV1  = "sys/fs/cgroup/cpu,cpuacct/docker/"
	)
	for name, c := range map[string]struct {
		machine  files
		affinity int
		want     int
	}{
		"affinity alone":                        {files{}, 8, 8},
		"an affinity that cannot be":            {files{}, 0, 1},
		"version 2, whole cores":                {machineV2.and(files{leaf + "cpu.max": "200000 100000\n"}), 8, 2},
		"version 2, a part of a core counts":    {machineV2.and(files{leaf + "cpu.max": "250001 100000\n"}), 8, 3},
		"version 2, less than one core":         {machineV2.and(files{leaf + "cpu.max": "10000 100000\n"}), 8, 1},
		"version 2, another period":             {machineV2.and(files{leaf + "cpu.max": "150000 50000\n"}), 8, 3},
		"version 2, max is no limit":            {machineV2.and(files{leaf + "cpu.max": "max 100000\n"}), 8, 8},
		"version 2, the ancestor is tighter":    {machineV2.and(files{leaf + "cpu.max": "400000 100000\n", parent + "cpu.max": "100000 100000\n"}), 8, 1},
		"version 2, the affinity is tighter":    {machineV2.and(files{leaf + "cpu.max": "400000 100000\n"}), 2, 2},
		"version 1":                             {machineV1.and(files{leafV1 + "cpu.cfs_quota_us": "150000\n", leafV1 + "cpu.cfs_period_us": "100000\n"}), 8, 2},
		"version 1, -1 is no limit":             {machineV1.and(files{leafV1 + "cpu.cfs_quota_us": "-1\n", leafV1 + "cpu.cfs_period_us": "100000\n"}), 8, 8},
		"version 1, the ancestor is tighter":    {machineV1.and(files{leafV1 + "cpu.cfs_quota_us": "-1\n", leafV1 + "cpu.cfs_period_us": "100000\n", topV1 + "cpu.cfs_quota_us": "300000\n", topV1 + "cpu.cfs_period_us": "100000\n"}), 8, 3},
		"version 1, a quota without its period": {machineV1.and(files{leafV1 + "cpu.cfs_quota_us": "150000\n"}), 8, 8},
	} {
		s := c.machine.source(t)
		s.affinity = func() int { return c.affinity }
		if got := s.usableCores(); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func TestGarbageQuotasAreNoLimit(t *testing.T) {
	for _, name := range []string{"cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us"} {
		s := machineV2.and(files{leaf + "cpu.cfs_quota_us": "100000", leaf + "cpu.cfs_period_us": "100000"}).source(t)
		for _, text := range garbage {
			files{leaf + name: text}.put(t, s.root)
			if got := s.usableCores(); got != 8 {
				t.Errorf("%s = %q: got %d cores", name, text, got)
			}
		}
	}
}

func TestOnlineCoresCountsTheKernelsList(t *testing.T) {
	for text, want := range map[string]int{"0\n": 1, "0-1\n": 2, "0-3,8,10-11\n": 7, "0-": 0, "3-1": 0, "": 0, "x": 0, "0,,1": 0, "-1": 0, "99999": 0} {
		if got := (files{"sys/devices/system/cpu/online": text}).source(t).onlineCores(); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if got := (files{}).source(t).onlineCores(); got != 0 {
		t.Errorf("without the file: got %d", got)
	}
}
