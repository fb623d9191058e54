package parallel

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAPanicOfAnyShardReachesRunsCaller(t *testing.T) {
	cause := errors.New("broken shard")
	for kind, build := range kinds {
		for _, threads := range []int{1, 2, 5} {
			p := build(threads)
			for bad := range 8 {
				if bad == 4 {
					p.BeginStep()
				}
				failure := panicOf(func() {
					p.Run(8, each(func(shard int) {
						if shard == bad {
							panic(cause)
						}
					}))
				})
				got, ok := failure.(*ShardPanic)
				if !ok || got.Value != cause || !strings.Contains(got.Error(), "broken shard") || !strings.Contains(string(got.Stack), "shardpanic_test.go") {
					t.Fatalf("%s, %d threads, shard %d: Run panicked with %v; want the shard's panic and its stack", kind, threads, bad, failure)
				}
			}
			// The pool is whole again.
			var ran atomic.Int32
			p.Run(8, each(func(int) { ran.Add(1) }))
			if ran.Load() != 8 {
				t.Errorf("%s, %d threads: after a panic %d of 8 shards ran", kind, threads, ran.Load())
			}
			p.Close()
		}
	}
}

// Both shards are under way when the first panics on whichever thread it is: the helper's panic must not end the process, and Run
// must not return before the other shard has ended.
func TestAPanicOnAHelperWaitsForTheOtherShards(t *testing.T) {
	for _, stepping := range []bool{false, true} {
		p := newPool(2, 2, defaultSpinLimit())
		if stepping {
			p.BeginStep()
		}
		for bad := range 2 {
			m := newMeeting(2)
			var ended atomic.Bool
			failure := panicOf(func() {
				p.Run(2, each(func(shard int) {
					m.attend(shard)
					if shard == bad {
						panic("bad shard")
					}
					ended.Store(true)
				}))
			})
			if failure == nil || !ended.Load() {
				t.Errorf("shard %d: panic %v, other shard ended: %v", bad, failure, ended.Load())
			}
		}
		p.Close()
	}
}

func TestNoShardBeginsAfterAPanic(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		p := newPool(threads, threads, defaultSpinLimit())
		m := newMeeting(threads)
		var begun atomic.Int32
		failure := panicOf(func() {
			p.Run(8, each(func(shard int) {
				begun.Add(1)
				m.attend(shard)
				if shard == 0 {
					panic("bad shard")
				}
				for p.spans[0].left() || p.spans[1%threads].left() { // until the other thread has panicked
					runtime.Gosched()
				}
			}))
		})
		if failure == nil || int(begun.Load()) != threads {
			t.Errorf("%d threads: panic %v, %d shards begun; want a panic and %d", threads, failure, begun.Load(), threads)
		}
		p.Close()
	}
}

func TestNothingIsDoneAfterAPanic(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		p := newPool(threads, threads, defaultSpinLimit())
		m := newMeeting(threads)
		var done atomic.Int32
		failure := panicOf(func() {
			p.Run(2, Work{
				Shard: func(_, shard int) {
					m.attend(shard)
					if shard == 0 {
						panic("bad shard")
					}
					for p.failure.Load() == nil {
						runtime.Gosched()
					}
				},
				Done: func(int) { done.Add(1) },
			})
		})
		if failure == nil || done.Load() != 0 {
			t.Errorf("%d threads: panic %v, done %d times", threads, failure, done.Load())
		}
		p.Close()
	}
}
