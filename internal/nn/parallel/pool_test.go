package parallel

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryShardRunsOnce(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		p := NewPool(threads)
		for _, shards := range []int{0, 1, 2, 7, 8, 9, 100} {
			times := make([]atomic.Int32, shards)
			p.Run(shards, func(shard int) { times[shard].Add(1) })
			for i := range times {
				if n := times[i].Load(); n != 1 {
					t.Errorf("%d threads, %d shards: shard %d ran %d times", threads, shards, i, n)
				}
			}
		}
		p.Close()
	}
}

// Each of two shards waits for the other to have begun, which only two threads can satisfy.
func TestShardsRunAtTheSameTime(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	p.Run(2, func(shard int) {
		close(begun[shard])
		<-begun[1-shard]
	})
}

func TestRunAllocatesNothing(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	var sum atomic.Int64
	task := func(shard int) { sum.Add(int64(shard)) }
	if got := testing.AllocsPerRun(50, func() { p.Run(10, task) }); got != 0 {
		t.Errorf("Run allocates %g times", got)
	}
}

func TestAPanicOfAnyShardReachesRunsCaller(t *testing.T) {
	cause := errors.New("broken shard")
	for _, threads := range []int{1, 2, 5} {
		p := NewPool(threads)
		for bad := range 8 {
			failure := panicOf(func() {
				p.Run(8, func(shard int) {
					if shard == bad {
						panic(cause)
					}
				})
			})
			got, ok := failure.(*ShardPanic)
			if !ok || got.Value != cause || !strings.Contains(got.Error(), "broken shard") || !strings.Contains(string(got.Stack), "pool_test.go") {
				t.Fatalf("%d threads, shard %d: Run panicked with %v; want the shard's panic and its stack", threads, bad, failure)
			}
		}
		// The pool is whole again.
		var ran atomic.Int32
		p.Run(8, func(int) { ran.Add(1) })
		if ran.Load() != 8 {
			t.Errorf("%d threads: after a panic %d of 8 shards ran", threads, ran.Load())
		}
		p.Close()
	}
}

// Both shards are under way when the first panics on whichever thread it is: the helper's panic must not end the process, and Run
// must not return before the other shard has ended.
func TestAPanicOnAHelperWaitsForTheOtherShards(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	for bad := range 2 {
		begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
		var ended atomic.Bool
		failure := panicOf(func() {
			p.Run(2, func(shard int) {
				close(begun[shard])
				<-begun[1-shard]
				if shard == bad {
					panic("bad shard")
				}
				ended.Store(true)
			})
		})
		if failure == nil || !ended.Load() {
			t.Errorf("shard %d: panic %v, other shard ended: %v", bad, failure, ended.Load())
		}
	}
}

func TestAPoolOfNoThreadIsAProgrammersError(t *testing.T) {
	if panicOf(func() { NewPool(0) }) == nil {
		t.Error("a pool of 0 threads was made")
	}
}

func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
