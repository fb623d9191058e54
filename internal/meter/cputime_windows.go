package meter

import (
	"time"

	"golang.org/x/sys/windows"
)

// processCPU is the user and system time of all threads of this process so far. Unproved: built, not run.
func processCPU() (user, system time.Duration, known bool) {
	var created, ended, inKernel, inUser windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &inKernel, &inUser) != nil {
		return 0, 0, false
	}
	return span(inUser), span(inKernel), true
}

// span reads a Filetime as a length of time, which counts in units of 100 ns. (Its Nanoseconds method reads a date.)
func span(f windows.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}

// familyCPU is this process's alone: Windows does not add up ended children.
func familyCPU() (time.Duration, bool) {
	user, system, known := processCPU()
	return user + system, known
}
