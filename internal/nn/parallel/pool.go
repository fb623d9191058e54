// Package parallel spreads the shards of one piece of work over the threads of a model. It knows nothing of what the work is.
// How many shards there are is the caller's matter and must not depend on the number of threads: then neither does the result.
//
// A thread is a goroutine: the runtime chooses its core. Waking one costs tens of microseconds where the core it is to run on sleeps,
// as long as a whole small step takes. So between the phases of a step, each a Run, a thread without work spins for a while before it
// parks. It never does so outside a step, nor where a spinning thread might hold a core that a working one could use.
package parallel

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// Pool runs shards on a fixed number of threads, of which the caller of Run is one; the others are its helpers. It lives as long as
// its model. One goroutine at a time may use it.
type Pool struct {
	helpers []*helper
	ended   sync.WaitGroup
	spins   bool // threads may spin within a step: there is a core for each
	limit   spinLimit

	// Of the phase under way: written by Run's caller before it opens the phase, read by whoever took a shard of it.
	task    func(shard int)
	shards  int
	phase   uint32
	failure atomic.Pointer[ShardPanic]

	// What threads poll or fight for has a cache line of its own.
	_       cpu.CacheLinePad
	tickets atomic.Uint64 // phase<<32 | shards that nobody took yet
	_       cpu.CacheLinePad
	running atomic.Int64 // shards of the phase that have not ended
	_       cpu.CacheLinePad

	stepping atomic.Bool
	closed   atomic.Bool
	yielding atomic.Bool  // the caller left its core to a helper that it woke
	awake    atomic.Int32 // helpers that are not parked
	parked   atomic.Bool  // the caller waits for a token
	token    chan struct{}
}

// NewPool starts threads-1 goroutines, which wait. threads is at least 1. Where there are more threads than cores none ever spins.
func NewPool(threads int) *Pool {
	return newPool(threads, min(runtime.GOMAXPROCS(0), runtime.NumCPU()), defaultSpinLimit())
}

func newPool(threads, cores int, limit spinLimit) *Pool {
	if threads < 1 {
		panic("parallel: a pool needs at least one thread")
	}
	p := &Pool{
		helpers: make([]*helper, threads-1),
		spins:   threads <= cores,
		limit:   limit,
		token:   make(chan struct{}, 1),
	}
	for i := range p.helpers {
		p.helpers[i] = newHelper()
		p.ended.Add(1)
		go p.help(p.helpers[i])
	}
	return p
}

// BeginStep tells that Runs will follow one another closely until EndStep. It wakes nobody: the first Run that has shards for several
// threads does. A step may begin without an end of the one before; what lies between them then counts as part of a step.
func (p *Pool) BeginStep() { p.stepping.Store(true) }

// EndStep parks the threads that spin. It does not wait for that. It is harmless where no step began.
func (p *Pool) EndStep() { p.stepping.Store(false) }

// Run calls task once for each shard in [0, shards), on whichever thread is free, and returns when all are done. The caller does not
// wait for threads that are late, only for shards that they took. A single shard is always the caller's.
// Run allocates nothing itself. One Run at a time. When a task panics, no further shard is begun, and Run panics with a *ShardPanic
// on the caller's goroutine once the running ones have ended; the pool can still be used and closed.
func (p *Pool) Run(shards int, task func(shard int)) {
	p.task, p.shards = task, shards
	if shards < 2 || len(p.helpers) == 0 {
		p.runAlone()
	} else {
		p.open()
		p.wake(min(shards-1, len(p.helpers)))
		p.takeShards()
		p.awaitOthers()
	}
	p.task = nil
	if p.failure.Load() != nil {
		panic(p.failure.Swap(nil))
	}
}

// Close ends the goroutines and waits for them. Run must not be called afterwards. Closing twice is harmless.
func (p *Pool) Close() {
	p.closed.Store(true)
	p.EndStep()
	for _, h := range p.helpers {
		p.unpark(h)
	}
	p.ended.Wait()
}

func (p *Pool) runAlone() {
	defer func() { p.keep(recover()) }()
	for s := range p.shards {
		p.task(s)
	}
}

// open lets the threads take the phase's shards.
func (p *Pool) open() {
	if uint64(p.shards) > math.MaxUint32 {
		panic("parallel: more shards than 32 bits can count")
	}
	p.phase++
	p.running.Store(int64(p.shards))
	p.tickets.Store(uint64(p.phase)<<32 | uint64(p.shards))
}

// shardsLeft tells whether there is a shard that nobody took.
func (p *Pool) shardsLeft() bool { return uint32(p.tickets.Load()) != 0 }

// takeShards runs shards until none is left.
func (p *Pool) takeShards() {
	taken := 0
	defer func() {
		if p.keep(recover()) {
			taken += int(uint32(p.tickets.Swap(0)))
		}
		p.finish(taken)
	}()
	for {
		// The phase in the upper half keeps a thread that was held up here from taking a shard of another phase than it looked at.
		t := p.tickets.Load()
		left := int(uint32(t))
		if left == 0 {
			return
		}
		if p.tickets.CompareAndSwap(t, t-1) {
			taken++
			p.task(p.shards - left)
		}
	}
}

// finish counts shards as ended. After the phase's last one the caller may go on and open the next at any moment.
func (p *Pool) finish(shards int) {
	if shards == 0 || p.running.Add(-int64(shards)) != 0 {
		return
	}
	if p.parked.CompareAndSwap(true, false) {
		p.token <- struct{}{}
		// The caller is now next on this core; were this thread to spin here, another core would have to wake up for it.
		runtime.Gosched()
	}
}

// awaitOthers returns when no shard is running.
func (p *Pool) awaitOthers() {
	ended := func() bool { return p.running.Load() == 0 }
	for !ended() {
		if p.maySpin() && p.limit.spin(ended) {
			return
		}
		p.parked.Store(true)
		if ended() && p.parked.CompareAndSwap(true, false) {
			return
		}
		// A token can be late and belong to the phase before, hence the loop.
		<-p.token
	}
}

func (p *Pool) maySpin() bool { return p.spins && p.stepping.Load() }
