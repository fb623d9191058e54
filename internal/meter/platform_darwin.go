package meter

import "golang.org/x/sys/unix"

// platformPeakRSS is ru_maxrss, which macOS counts in bytes where Linux counts kilobytes. Unproved: built, not run; whether it
// carries anything over from the parent as on Linux is not known.
func platformPeakRSS() (bytes int64, ok bool) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil || u.Maxrss <= 0 {
		return 0, false
	}
	return u.Maxrss, true
}

// platformMachine is unproved: built, not run. A value that the system refuses stays empty.
func platformMachine() Machine {
	model, _ := unix.Sysctl("machdep.cpu.brand_string")
	release, _ := unix.Sysctl("kern.osrelease")
	online, _ := unix.SysctlUint32("hw.logicalcpu")
	return Machine{CPUModel: model, OnlineCores: int(online), OSVersion: release}
}

// addressSpaceLimit: without /proc there is no used address space to hold it against.
func addressSpaceLimit() (bytes uint64, limited bool) { return 0, false }
