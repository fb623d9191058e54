package parallel

import (
	"fmt"
	"math"
	"slices"
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
					p.Run(shards, each(func(shard int) { times[shard].Add(1) }))
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
						p.Run(shards, each(func(shard int) { to[shard] = from[(shard+1)%shards] + shard }))
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
			p.Run(2, each(newMeeting(2).attend))
			p.BeginStep()
			for range 100 {
				p.Run(2, each(newMeeting(2).attend))
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
					p.Run(threads, each(newMeeting(threads).attend))
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
	p.Run(10, each(func(int) { ran++ }))
	if ran != 10 {
		t.Errorf("%d of 10 shards ran", ran)
	}
	p.helpers[0].parked.Store(true)
	p.awake.Add(-1)
}

// Two threads in step: the first shards of both begin together, and the second, and the third.
func TestShardsStayWithTheirThreadPhaseAfterPhase(t *testing.T) {
	const threads, each = 2, 3
	p := newPool(threads, threads, forever)
	defer p.Close()
	p.BeginStep()
	for range 100 {
		var ran [threads * each]int
		var meetings [each]*meeting
		for i := range meetings {
			meetings[i] = newMeeting(threads)
		}
		p.Run(threads*each, Work{Shard: func(thread, shard int) {
			ran[shard] = thread
			meetings[shard%each].attend(shard)
			if last := shard%each == each-1; p.HasOwn(thread) == last {
				t.Errorf("shard %d: the thread has others of its own: %v", shard, !last)
			}
		}})
		if ran != [...]int{0, 0, 0, 1, 1, 1} {
			t.Fatalf("the shards ran on threads %v", ran)
		}
	}
}

// The caller has one long shard; the helper does its own and then the caller's from the last one on.
func TestAFreeThreadTakesAnothersShardsFromTheLastTurnOn(t *testing.T) {
	p := newPool(2, 2, forever)
	defer p.Close()
	p.BeginStep()
	var order []int
	others := make(chan struct{})
	both := newMeeting(2)
	p.Run(8, Work{Shard: func(thread, shard int) {
		switch {
		case shard == 0:
			both.attend(0)
			<-others
		case shard == 4:
			both.attend(0)
		case thread == 1 && shard < 4:
			order = append(order, shard)
			if len(order) == 3 {
				close(others)
			}
		}
	}})
	if !slices.Equal(order, []int{3, 2, 1}) {
		t.Errorf("the other thread took %v, want 3, 2, 1", order)
	}
}

// Of the long shards 4 and 6 and the short ones 3, 5 and 7, or of all five alike.
func TestAThreadTakesItsFirstShardAndOthersItsLast(t *testing.T) {
	for _, c := range []struct {
		longFirst bool
		want      []int
	}{{false, []int{3, 7, 6, 4, 5}}, {true, []int{4, 7, 5, 6, 3}}} {
		var s span
		s.set(3, 8, c.longFirst)
		for i, last := range []bool{false, true, true, false, false} {
			if shard, ok := s.take(last); !ok || shard != c.want[i] {
				t.Errorf("long first %v: took %d (%v), want %d", c.longFirst, shard, ok, c.want[i])
			}
		}
		for _, last := range []bool{false, true} {
			if shard, ok := s.take(last); ok || s.left() || s.empty() != 0 {
				t.Errorf("long first %v: took %d of a span with nothing left", c.longFirst, shard)
			}
		}
	}
}

func TestLongShardsComeFirstWhereverASpanBegins(t *testing.T) {
	for begin := range 8 {
		for end := begin; end < 16; end++ {
			var s span
			s.set(begin, end, true)
			var got, want []int
			for shard, ok := s.take(false); ok; shard, ok = s.take(false) {
				got = append(got, shard)
			}
			for _, odd := range []int{0, 1} {
				for shard := begin; shard < end; shard++ {
					if shard%2 == odd {
						want = append(want, shard)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("[%d, %d): %v, want %v", begin, end, got, want)
			}
		}
	}
}

// Both threads wait for one another in each of their shards.
func TestAPhaseHandsOutLongShardsFirstWhereItSaysSo(t *testing.T) {
	const threads, each = 2, 4
	for _, longFirst := range []bool{false, true} {
		p := newPool(threads, threads, forever)
		defer p.Close()
		p.BeginStep()
		var order [threads][]int
		var meetings [each]*meeting
		for i := range meetings {
			meetings[i] = newMeeting(threads)
		}
		p.Run(threads*each, Work{LongFirst: longFirst, Shard: func(thread, shard int) {
			order[thread] = append(order[thread], shard)
			meetings[shard%each].attend(shard)
		}})
		want := [threads][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}
		if longFirst {
			want = [threads][]int{{0, 2, 1, 3}, {4, 6, 5, 7}}
		}
		if !slices.Equal(order[0], want[0]) || !slices.Equal(order[1], want[1]) {
			t.Errorf("long first %v: %v, want %v", longFirst, order, want)
		}
	}
}

func TestHomeIsTheThreadWithTheShardInItsSpan(t *testing.T) {
	for threads := 2; threads <= 9; threads++ {
		p := newPool(threads, threads, forever)
		for shards := 2; shards <= 30; shards++ {
			p.shards = shards
			p.open()
			for thread := range p.spans {
				for shard, ok := p.spans[thread].take(false); ok; shard, ok = p.spans[thread].take(false) {
					if home := p.Home(shard, shards); home != thread {
						t.Errorf("shard %d of %d is at home on thread %d of %d, it is in the span of %d", shard, shards, home, threads, thread)
					}
				}
			}
		}
		p.Close()
	}
}

func TestDoneFollowsTheLastShardOfEachThreadThatTookAny(t *testing.T) {
	for kind, build := range kinds {
		for threads := 1; threads <= 4; threads++ {
			p := build(threads)
			for shards := range 9 {
				took, done := make([]int, threads), make([]int, threads)
				p.Run(shards, Work{
					Shard: func(thread, _ int) { took[thread]++; done[thread] = 0 },
					Done:  func(thread int) { done[thread]++ },
				})
				sum := 0
				for thread, n := range took {
					sum += n
					if want := min(n, 1); done[thread] != want {
						t.Errorf("%s, %d threads: thread %d took %d of %d shards and was done %d times", kind, threads, thread, n, shards, done[thread])
					}
				}
				if sum != shards {
					t.Errorf("%s, %d threads: %d of %d shards ran", kind, threads, sum, shards)
				}
			}
			p.Close()
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	for kind, build := range kinds {
		p := build(3)
		var sum atomic.Int64
		work := each(func(shard int) { sum.Add(int64(shard)) })
		step := func() {
			p.Run(10, work)
			p.BeginStep()
			p.Run(10, work)
			p.Run(1, work)
			p.EndStep()
		}
		if got := testing.AllocsPerRun(50, step); got != 0 {
			t.Errorf("%s: Run allocates %g times", kind, got)
		}
		p.Close()
	}
}

func TestARunWithinAShardIsAProgrammersError(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		p := newPool(threads, threads, defaultSpinLimit())
		failure, ok := panicOf(func() { p.Run(4, each(func(int) { p.Run(1, each(func(int) {})) })) }).(*ShardPanic)
		if !ok || failure.Value != "parallel: Run within a shard of another" {
			t.Errorf("%d threads: %v", threads, failure)
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

// each is the work of a task that does not ask for its thread.
func each(task func(shard int)) Work {
	return Work{Shard: func(_, shard int) { task(shard) }}
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
