package parallel

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkHandOver is the time until both of two threads are in a phase and the caller is out of it again: handed over to a thread
// that spins, and to one that has to be woken.
func BenchmarkHandOver(b *testing.B) {
	for _, stepping := range []bool{true, false} {
		b.Run(fmt.Sprintf("spinning=%v", stepping), func(b *testing.B) {
			p := NewPool(2)
			defer p.Close()
			if stepping {
				p.BeginStep()
			}
			var arrived, want atomic.Int64
			task := func(int) {
				for arrived.Add(1); arrived.Load() < want.Load(); {
				}
			}
			for b.Loop() {
				want.Add(2)
				p.Run(2, each(task))
			}
		})
	}
}

// BenchmarkEmptyRun is what a phase costs the caller where no thread waits for another.
func BenchmarkEmptyRun(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			p := NewPool(threads)
			defer p.Close()
			p.BeginStep()
			for b.Loop() {
				p.Run(2, each(func(int) {}))
			}
		})
	}
}

// BenchmarkStep is a step of two phases, about 80 us of arithmetic in 4 long and 12 short shards, and 5 us of the caller's own work
// before it. Where steps end, each has to wake the threads anew; else these spin from one to the next.
func BenchmarkStep(b *testing.B) {
	for _, threads := range []int{1, 2, 7} {
		for _, ends := range []bool{true, false} {
			b.Run(fmt.Sprintf("threads=%d/ends=%v", threads, ends), func(b *testing.B) {
				p := NewPool(threads)
				defer p.Close()
				var sums [12 * 8]float64 // a cache line for each shard
				long := func(shard int) { sums[8*shard] = arithmetic(9000) }
				short := func(shard int) { sums[8*shard] = arithmetic(900) }
				for b.Loop() {
					sums[0] = arithmetic(3000)
					p.BeginStep()
					p.Run(4, each(long))
					p.Run(12, each(short))
					if ends {
						p.EndStep()
					}
				}
			})
		}
	}
}

func arithmetic(n int) float64 {
	x := 1.0
	for range n {
		x = x*1.0000001 + 0.1
	}
	return x
}
