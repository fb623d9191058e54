package meter

import (
	"runtime"
	"testing"
)

func TestCPUModelIsTheFirstProcessorsName(t *testing.T) {
	for name, c := range map[string]struct{ cpuinfo, want string }{
		"x86":     {"processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t: Xeon: fast @ 2.00GHz\n\nprocessor\t: 1\nmodel name\t: other\n", "Xeon: fast @ 2.00GHz"},
		"ARM":     {"processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n", "implementer 0x41, part 0xd0c"},
		"neither": {"processor\t: 0\nmodel name\n", ""},
		"nothing": {"", ""},
	} {
		if got := (files{"proc/cpuinfo": c.cpuinfo}).source(t).cpuModel(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if got := (files{}).source(t).cpuModel(); got != "" {
		t.Errorf("without the file: got %q", got)
	}
}

func TestReleaseIsTheKernels(t *testing.T) {
	if got := (files{"proc/sys/kernel/osrelease": "6.1.0-13-amd64\n"}).source(t).release(); got != "6.1.0-13-amd64" {
		t.Errorf("got %q", got)
	}
}

func TestUsableCoresOfThisMachineDoNotFollowGOMAXPROCS(t *testing.T) {
	before := ReadMachine().UsableCores
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(before + 3))
	if after := ReadMachine().UsableCores; after != before || before < 1 {
		t.Errorf("%d cores before, %d after", before, after)
	}
}

func TestThisMachineTellsWhatItIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("proved on Linux only")
	}
	m := ReadMachine()
	if m.OnlineCores < m.UsableCores || m.OSVersion == "" {
		t.Errorf("got %+v", m)
	}
	if memory, ok := AvailableMemory(); !ok || memory.AvailableBytes <= 0 || memory.Source == "" {
		t.Errorf("got %+v %v", memory, ok)
	}
}
