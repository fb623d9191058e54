package parallel

import (
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// forever makes a test hang where a thread spins that should not.
var forever = spinLimit{time: math.MaxInt64, rounds: math.MaxInt}

// kinds of pools: threads that spin, whatever the cores of this machine, and threads that never do.
var kinds = map[string]func(threads int) *Pool{
	"as many cores": func(threads int) *Pool { return newPool(threads, threads, defaultSpinLimit()) },
	"fewer cores":   func(threads int) *Pool { return newPool(threads, threads-1, defaultSpinLimit()) },
}

func TestEveryShardRunsOnce(t *testing.T) {
	for kind, build := range kinds {
		for threads := 1; threads <= 8; threads++ {
			for _, stepping := range []bool{false, true} {
				p := build(threads)
				if stepping {
					p.BeginStep()
				}
				for shards := 0; shards <= 100; shards++ {
					times := make([]atomic.Int32, shards)
					p.Run(shards, func(shard int) { times[shard].Add(1) })
					for i := range times {
						if n := times[i].Load(); n != 1 {
							t.Errorf("%s, %d threads, %d shards, in a step: %v: shard %d ran %d times", kind, threads, shards, stepping, i, n)
						}
					}
				}
				p.Close()
			}
		}
	}
}

// Every phase moves plain memory on from cell to cell, so that a shard reads what another thread may have written the phase before.
func TestAPhaseSeesTheOneBefore(t *testing.T) {
	const steps, phases, shards = 40, 10, 13
	for kind, build := range kinds {
		for _, threads := range []int{1, 2, 3, 8} {
			t.Run(fmt.Sprintf("%s/threads=%d", kind, threads), func(t *testing.T) {
				p := build(threads)
				defer p.Close()
				from, to := make([]int, shards), make([]int, shards)
				for range steps {
					p.BeginStep()
					for range phases {
						p.Run(shards, func(shard int) { to[shard] = from[(shard+1)%shards] + shard })
						from, to = to, from
					}
					p.EndStep()
				}
				for i, got := range from {
					want := 0
					for phase := range steps * phases {
						want += (i + phase) % shards
					}
					if got != want {
						t.Errorf("cell %d is %d, want %d", i, got, want)
					}
				}
			})
		}
	}
}

// Each of two shards waits for the other to have begun, which only two threads can satisfy.
func TestShardsRunAtTheSameTime(t *testing.T) {
	for kind, build := range kinds {
		t.Run(kind, func(t *testing.T) {
			p := build(2)
			defer p.Close()
			p.Run(2, newMeeting(2).attend)
			p.BeginStep()
			for range 100 {
				p.Run(2, newMeeting(2).attend)
			}
		})
	}
}

// Threads that are about to park when the next Run begins must be had for it as well as parked ones.
func TestAllThreadsRunAtTheSameTime(t *testing.T) {
	for kind, build := range kinds {
		t.Run(kind, func(t *testing.T) {
			for threads := 3; threads <= 5; threads++ {
				p := build(threads)
				for i := range 1000 {
					if i%4 == 0 {
						p.BeginStep()
					}
					p.Run(threads, newMeeting(threads).attend)
					if i%4 == 1 {
						p.EndStep()
					}
				}
				p.Close()
			}
		})
	}
}

// The only helper counts as awake but does not come.
func TestACallerDoesNotWaitForALateThread(t *testing.T) {
	p := newPool(2, 2, forever)
	defer p.Close()
	p.helpers[0].parked.Store(false)
	p.awake.Add(1)
	ran := 0
	p.BeginStep()
	p.Run(10, func(int) { ran++ })
	if ran != 10 {
		t.Errorf("%d of 10 shards ran", ran)
	}
	p.helpers[0].parked.Store(true)
	p.awake.Add(-1)
}

// A thread that looked at one phase and was held up must not mistake another for it.
func TestPhasesOfAsManyShardsDiffer(t *testing.T) {
	p := newPool(1, 1, forever)
	defer p.Close()
	p.shards = 7
	p.open()
	first := p.tickets.Load()
	p.open()
	if second := p.tickets.Load(); first == second {
		t.Errorf("the tickets of two phases of 7 shards are both %#x", first)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	for kind, build := range kinds {
		p := build(3)
		var sum atomic.Int64
		task := func(shard int) { sum.Add(int64(shard)) }
		step := func() {
			p.Run(10, task)
			p.BeginStep()
			p.Run(10, task)
			p.Run(1, task)
			p.EndStep()
		}
		if got := testing.AllocsPerRun(50, step); got != 0 {
			t.Errorf("%s: Run allocates %g times", kind, got)
		}
		p.Close()
	}
}

func TestAPoolOfNoThreadIsAProgrammersError(t *testing.T) {
	if panicOf(func() { NewPool(0) }) == nil {
		t.Error("a pool of 0 threads was made")
	}
}

func TestANewPoolSpinsOnlyWithACoreForEachThread(t *testing.T) {
	for _, threads := range []int{1, 1 << 10} {
		p := NewPool(threads)
		if want := threads == 1; p.spins != want {
			t.Errorf("%d threads may spin: %v, want %v", threads, p.spins, want)
		}
		p.Close()
	}
}

// meeting is a task whose shards each wait until all have begun.
type meeting struct {
	missing atomic.Int32
	all     chan struct{}
}

func newMeeting(shards int) *meeting {
	m := &meeting{all: make(chan struct{})}
	m.missing.Store(int32(shards))
	return m
}

func (m *meeting) attend(int) {
	if m.missing.Add(-1) == 0 {
		close(m.all)
	}
	<-m.all
}

func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
