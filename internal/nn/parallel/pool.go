// Package parallel spreads the shards of one piece of work over the threads of a model. It knows nothing of what the work is.
// How many shards there are is the caller's matter and must not depend on the number of threads: then neither does the result.
package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Pool runs shards on a fixed number of threads, of which the caller of Run is one. It lives as long as its model.
type Pool struct {
	wake    []chan struct{}
	done    sync.WaitGroup
	ended   sync.WaitGroup
	next    atomic.Int64
	shards  int64
	task    func(shard int)
	failure atomic.Pointer[ShardPanic]
}

// ShardPanic is what Run panics with when a task panicked on any thread: its value, and the stack of the thread it happened on.
type ShardPanic struct {
	Value any
	Stack []byte
}

// Error tells the value and where it came from.
func (p *ShardPanic) Error() string {
	return fmt.Sprintf("a shard panicked: %v\n\n%s", p.Value, p.Stack)
}

// NewPool starts threads-1 goroutines, which wait. threads is at least 1.
func NewPool(threads int) *Pool {
	if threads < 1 {
		panic("parallel: a pool needs at least one thread")
	}
	p := &Pool{wake: make([]chan struct{}, threads-1)}
	for i := range p.wake {
		p.wake[i] = make(chan struct{}, 1)
		p.ended.Add(1)
		go p.work(p.wake[i])
	}
	return p
}

// Run calls task once for each shard in [0, shards), on whichever thread is free, and returns when all are done.
// It allocates nothing itself. One Run at a time. When a task panics, no further shard is begun, and Run panics with a *ShardPanic
// on the caller's goroutine once the running ones have ended; the pool can still be used and closed.
func (p *Pool) Run(shards int, task func(shard int)) {
	p.task, p.shards = task, int64(shards)
	p.next.Store(0)
	helpers := max(min(len(p.wake), shards-1), 0)
	p.done.Add(helpers)
	for _, w := range p.wake[:helpers] {
		w <- struct{}{}
	}
	p.take()
	p.done.Wait()
	p.task = nil
	if failure := p.failure.Swap(nil); failure != nil {
		panic(failure)
	}
}

// Close ends the goroutines and waits for them. Run must not be called afterwards.
func (p *Pool) Close() {
	for _, w := range p.wake {
		close(w)
	}
	p.wake = nil
	p.ended.Wait()
}

func (p *Pool) work(wake chan struct{}) {
	defer p.ended.Done()
	for range wake {
		p.take()
		p.done.Done()
	}
}

// take runs shards until none is left. A panic is kept for Run's caller: on a goroutine of the pool it would end the whole process.
func (p *Pool) take() {
	defer func() {
		if v := recover(); v != nil {
			p.next.Store(p.shards)
			p.failure.CompareAndSwap(nil, &ShardPanic{Value: v, Stack: debug.Stack()})
		}
	}()
	for s := p.next.Add(1) - 1; s < p.shards; s = p.next.Add(1) - 1 {
		p.task(int(s))
	}
}
