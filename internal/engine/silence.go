package engine

import (
	"fmt"
	"time"

	"fitbench/internal/record"
)

// frameworkSilence is the limit for a framework, which says nothing while it is loaded from a slow disk or compiles a step.
const frameworkSilence = 5 * time.Minute

// DefaultSilence is how long a program may write nothing to its standard output while a run is under way, beside its allowance.
const DefaultSilence = 60 * time.Second

// What the slowest machine may take without a word, generously: making and shuffling a sample, building a value of fit's array,
// training a sample in a step of the slowest kernel.
const (
	silencePerSample  = time.Microsecond
	silencePerValue   = 10 * time.Nanosecond
	silencePerTrained = 2 * time.Millisecond
)

// allowance is the silence that a plan's size may take: 2 s for a series of a million samples, an hour for the longest.
func allowance(p record.Plan) time.Duration {
	samples := time.Duration(p.Samples)
	return samples*silencePerSample + samples*time.Duration(p.Window)*silencePerValue + time.Duration(p.BatchSize)*silencePerTrained
}

// silenceTicks is how often silence is looked at within its limit.
const silenceTicks = 4

// vigil counts the looks at which nothing had come. Time between two looks counts once, however long it was: where this process
// was stopped meanwhile, it has not listened either.
type vigil struct {
	moves uint64
	quiet int
}

// look tells whether the silence has lasted too long. moves is the listener's count.
func (v *vigil) look(moves uint64) bool {
	if moves != v.moves || moves%2 == 1 {
		v.moves, v.quiet = moves, 0
		return false
	}
	v.quiet++
	return v.quiet >= silenceTicks
}

// silent says that a child was killed for it.
func silent(limit time.Duration) string {
	shown := limit.Round(time.Millisecond)
	if limit > 10*time.Second {
		shown = limit.Round(time.Second)
	}
	return fmt.Sprintf("wrote nothing to standard output for %v and was killed", shown)
}
