package parallel

import "time"

// spinLimit bounds a spin by time, and by rounds where the clock is coarse or stands still.
type spinLimit struct {
	time   time.Duration
	rounds int
}

// pollsPerRound is how often a spin polls between two looks at the clock, which cost as much as some ten polls.
const pollsPerRound = 100

// defaultSpinLimit is longer than the other threads' last shards of a small step take, and about what waking a thread costs: who
// spins that long in vain loses no more than parking at once would have cost had the work come.
func defaultSpinLimit() spinLimit {
	const time = 20 * time.Microsecond
	// A poll takes 1 ns at the least.
	return spinLimit{time: time, rounds: int(time.Nanoseconds()) / pollsPerRound}
}

// spin polls until ready tells true, or the limit is reached. It does not yield: the runtime would wake another core for a goroutine
// that does. The collector and the scheduler can preempt it at any time.
func (l spinLimit) spin(ready func() bool) bool {
	start := time.Now()
	for range l.rounds {
		for range pollsPerRound {
			if ready() {
				return true
			}
		}
		if time.Since(start) >= l.time {
			return false
		}
	}
	return false
}
