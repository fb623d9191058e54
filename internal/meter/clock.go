package meter

import "time"

// Instant is the wall clock and the CPU time that this process, all its threads together, has used so far.
type Instant struct {
	Wall time.Time
	// User and System are valid only if CPUKnown.
	User, System time.Duration
	CPUKnown     bool
}

// Now reads both clocks. It costs about a microsecond: meant for the borders of segments, not for every step.
func Now() Instant {
	user, system, known := processCPU()
	return Instant{Wall: time.Now(), User: user, System: system, CPUKnown: known}
}

// Since is what passed between an earlier instant and this one.
func (i Instant) Since(earlier Instant) Interval {
	interval := Interval{Wall: i.Wall.Sub(earlier.Wall)}
	if i.CPUKnown && earlier.CPUKnown {
		interval.User, interval.System, interval.CPUKnown = i.User-earlier.User, i.System-earlier.System, true
	}
	return interval
}

// Interval is a length of wall time and the CPU time used in it, possibly summed over several segments.
type Interval struct {
	Wall time.Duration
	// User and System are valid only if CPUKnown.
	User, System time.Duration
	CPUKnown     bool
}

// Add is the sum of two intervals. The zero Interval changes nothing, so that a sum may start from it; otherwise the CPU time
// of the sum is known only if that of both parts is.
func (i Interval) Add(j Interval) Interval {
	switch zero := (Interval{}); {
	case i == zero:
		return j
	case j == zero:
		return i
	}
	sum := Interval{Wall: i.Wall + j.Wall}
	if i.CPUKnown && j.CPUKnown {
		sum.User, sum.System, sum.CPUKnown = i.User+j.User, i.System+j.System, true
	}
	return sum
}

// CPUPercent is (user + system) / wall in percent, 100 being one core kept busy. It is false where the CPU time is not known
// or no wall time passed.
func (i Interval) CPUPercent() (float64, bool) {
	if !i.CPUKnown || i.Wall <= 0 {
		return 0, false
	}
	return 100 * float64(i.User+i.System) / float64(i.Wall), true
}
