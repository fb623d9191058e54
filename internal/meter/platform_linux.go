package meter

import "golang.org/x/sys/unix"

// platformPeakRSS: nothing besides /proc can be trusted, see PeakRSS.
func platformPeakRSS() (bytes int64, ok bool) { return 0, false }

// platformMachine: all of it stands in /proc and /sys.
func platformMachine() Machine { return Machine{} }

func addressSpaceLimit() (bytes uint64, limited bool) {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return 0, false
	}
	return limit.Cur, true
}
