//go:build unix

package meter

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU is the user and system time of all threads of this process so far.
func processCPU() (user, system time.Duration, known bool) {
	return usage(unix.RUSAGE_SELF)
}

// familyCPU is the user and system time of this process and of its children that have ended and been waited for.
func familyCPU() (time.Duration, bool) {
	user, system, known := usage(unix.RUSAGE_SELF)
	childUser, childSystem, childKnown := usage(unix.RUSAGE_CHILDREN)
	return user + system + childUser + childSystem, known && childKnown
}

func usage(who int) (user, system time.Duration, known bool) {
	var u unix.Rusage
	if unix.Getrusage(who, &u) != nil {
		return 0, 0, false
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), true
}
