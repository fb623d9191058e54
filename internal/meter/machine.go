package meter

import "strings"

// Machine is what the runs ran on.
type Machine struct {
	// CPUModel is the processor's name; empty where unknown.
	CPUModel string
	// UsableCores is how many cores this process may keep busy: the smaller of the CPU affinity and the control groups' quota
	// rounded up, at least 1. GOMAXPROCS has no part in it.
	UsableCores int
	// OnlineCores is the number of logical CPUs that the system runs on; 0 where unknown.
	OnlineCores int
	// OSVersion is the operating system's own release string; empty where unknown.
	OSVersion string
}

// ReadMachine reads them.
func ReadMachine() Machine {
	s, m := system(), platformMachine()
	m.UsableCores = s.usableCores()
	if m.CPUModel == "" {
		m.CPUModel = s.cpuModel()
	}
	if m.OnlineCores == 0 {
		m.OnlineCores = s.onlineCores()
	}
	if m.OSVersion == "" {
		m.OSVersion = s.release()
	}
	return m
}

// release is the kernel's release, as uname -r shows it.
func (s source) release() string {
	text, _ := s.read("proc/sys/kernel/osrelease")
	return strings.TrimSpace(text)
}

// cpuModel is the first processor's "model name". ARM's kernels print numbers in its place, which are then given as they stand.
func (s source) cpuModel() string {
	text, _ := s.read("proc/cpuinfo")
	if name := cpuField(text, "model name"); name != "" {
		return name
	}
	implementer, part := cpuField(text, "CPU implementer"), cpuField(text, "CPU part")
	if implementer == "" || part == "" {
		return ""
	}
	return "implementer " + implementer + ", part " + part
}

// cpuField is the first value of that name in the text of /proc/cpuinfo, whose lines read "name<tab>: value".
func cpuField(text, name string) string {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
