package meter

import "testing"

func FuzzParsersGiveACountOrNothing(f *testing.F) {
	for _, text := range append(garbage, statBefore, meminfo, status, membershipV2, membershipHybrid, mountV2, mountsHybrid,
		"7 (fitbench) S 1 7 7 0 -1 4 0 0 0 0 100 50 0 0", "some avg10=0.00 total=5\n", "0-3,8", "150000 100000", `\040`) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, ok := parseMachine(text); ok && (m.cores < 1 || m.idle < 0 || m.all < m.idle || m.steal < -1 || m.steal > m.all) {
			t.Errorf("machine: %+v", m)
		}
		if ticks, ok := parseProcess(text); ok && ticks < 0 {
			t.Errorf("process: %d", ticks)
		}
		if microseconds, ok := parsePressure(text); ok && microseconds < 0 {
			t.Errorf("pressure: %d", microseconds)
		}
		if bytes, ok := findKilobytes(text, "VmHWM"); ok && bytes < 0 {
			t.Errorf("kilobytes: %d", bytes)
		}
		if n, ok := countCPUs(text); ok && n < 1 {
			t.Errorf("CPUs: %d", n)
		}
		for _, h := range []hierarchy{{""}, {"memory"}} {
			group, _ := h.membership(text)
			ancestors(h.mounts(text), group)
			ancestors(h.mounts(mountV2+mountsHybrid), group)
		}
		cpuField(text, "model name")
		unescape(text)
	})
}
