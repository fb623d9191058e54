package meter

import (
	"strconv"
	"time"
)

const (
	// DisturbedPercent of one core is how much the hypervisor or other processes may take before a run counts as disturbed.
	DisturbedPercent = 10.0
	// shortest is the shortest interval that can support a statement about DisturbedPercent: the kernel counts in ticks of
	// 10 ms, of which each column of a difference may lack or have too much nearly one.
	shortest = 300 * time.Millisecond
)

// Others watches what the rest of the machine does from a moment on.
type Others struct {
	source source
	start  snapshot
}

// Disturbance is what the rest of the machine did meanwhile. A nil pointer means that it could not be measured.
type Disturbance struct {
	// OtherCPUPercent is what processes other than this one, its ended children and its parent used, in percent of one core.
	OtherCPUPercent *float64
	// StealPercent is what the hypervisor gave to other machines while this one wanted to run, in percent of one core.
	StealPercent *float64
	// PressurePercent is the share of the wall time in which at least one runnable task of the machine waited for a CPU. The
	// kernel does not tell whose: threads of this very process count too where they outnumber the cores, so it is shown, but a
	// run is not judged by it.
	PressurePercent *float64
}

// Disturbed tells whether steal or other load was over DisturbedPercent. What was not measured disturbs nothing.
func (d Disturbance) Disturbed() bool {
	over := func(percent *float64) bool { return percent != nil && *percent > DisturbedPercent }
	return over(d.OtherCPUPercent) || over(d.StealPercent)
}

// WatchOthers notes where the machine's counters stand. Each of them may be missing.
func WatchOthers() *Others { return system().watch() }

func (s source) watch() *Others { return &Others{source: s, start: s.snapshot()} }

// Read is what others did since WatchOthers. It may be called more than once. Other load and steal take an interval of at
// least 0.3 s.
func (o *Others) Read() Disturbance { return o.start.until(o.source.snapshot()) }

// snapshot is the machine's counters at one moment, in seconds; each part has its own known.
type snapshot struct {
	wall         time.Time
	machine      machineTicks
	machineKnown bool
	// own is the CPU time of this process and its ended children.
	own      time.Duration
	ownKnown bool
	// parent is the process number of the parent, parentTicks its CPU time.
	parent        int
	parentTicks   int64
	parentKnown   bool
	pressure      int64 // microseconds
	pressureKnown bool
}

func (s source) snapshot() snapshot {
	shot := snapshot{wall: s.now(), parent: s.parent()}
	if text, ok := s.read("proc/stat"); ok {
		shot.machine, shot.machineKnown = parseMachine(text)
	}
	shot.own, shot.ownKnown = s.familyCPU()
	if text, ok := s.read("proc", strconv.Itoa(shot.parent), "stat"); ok {
		shot.parentTicks, shot.parentKnown = parseProcess(text)
	}
	if text, ok := s.read("proc/pressure/cpu"); ok {
		shot.pressure, shot.pressureKnown = parsePressure(text)
	}
	return shot
}

// until compares two snapshots.
func (a snapshot) until(b snapshot) Disturbance {
	var d Disturbance
	wall := b.wall.Sub(a.wall)
	if wall <= 0 {
		return d
	}
	if a.pressureKnown && b.pressureKnown && b.pressure >= a.pressure {
		d.PressurePercent = percent(float64(b.pressure-a.pressure)/1e6, wall)
	}
	if wall < shortest || !a.consistent(b, wall) {
		return d
	}
	steal, stealKnown := a.stealUntil(b)
	if stealKnown {
		d.StealPercent = percent(steal, wall)
	}
	if other, ok := a.otherUntil(b, wall, steal); ok {
		d.OtherCPUPercent = percent(other, wall)
	}
	return d
}

// consistent tells whether the machine's counters can be believed: the same cores in both, nothing running backwards, and all
// columns together roughly what the cores have in that wall time. Sandboxes that answer with zeros or with another machine's
// counters fail this. Roughly, because the busy columns are samples: what happens to run when the kernel ticks.
func (a snapshot) consistent(b snapshot, wall time.Duration) bool {
	if !a.machineKnown || !b.machineKnown || a.machine.cores != b.machine.cores || b.machine.idle < a.machine.idle {
		return false
	}
	capacity := wall.Seconds() * float64(a.machine.cores)
	all := seconds(b.machine.all - a.machine.all)
	return all >= capacity/2 && all <= capacity*2
}

// stealUntil is the stolen time in seconds, 0 where it is not known.
func (a snapshot) stealUntil(b snapshot) (steal float64, known bool) {
	if a.machine.steal < 0 || b.machine.steal < a.machine.steal {
		return 0, false
	}
	return seconds(b.machine.steal - a.machine.steal), true
}

// otherUntil is the CPU time in seconds that other processes used, given the stolen one.
//
// The machine's busy time is taken as what the cores have, less idle and stolen time, and not as the sum of the busy columns:
// kernels that stop the tick of idle cores clock the idle columns, while the busy ones are samples, too coarse for short runs.
func (a snapshot) otherUntil(b snapshot, wall time.Duration, steal float64) (float64, bool) {
	if !a.ownKnown || !b.ownKnown {
		return 0, false
	}
	cores := a.machine.cores
	busy := wall.Seconds()*float64(cores) - seconds(b.machine.idle-a.machine.idle) - steal
	other := busy - (b.own - a.own).Seconds() - a.parentUntil(b)
	// Below zero by more than the counters' resolution they contradict each other. Stolen time may be missing twice: from the
	// busy time here, and from the idle core or running process that it was also counted to.
	if resolution := seconds(5+cores) + steal; other < -resolution {
		return 0, false
	}
	return max(other, 0), true
}

// parentUntil is the parent's CPU time in seconds. A parent that has ended, or cannot be seen from a container, counts as having
// used nothing: it only waits and listens, and a statement about the others is worth more than its share.
func (a snapshot) parentUntil(b snapshot) float64 {
	if !a.parentKnown || !b.parentKnown || a.parent != b.parent || b.parentTicks < a.parentTicks {
		return 0
	}
	return seconds(b.parentTicks - a.parentTicks)
}

func seconds(ticks int64) float64 { return float64(ticks) / ticksPerSecond }

func percent(seconds float64, wall time.Duration) *float64 {
	p := 100 * seconds / wall.Seconds()
	return &p
}
