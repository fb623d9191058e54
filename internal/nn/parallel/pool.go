// Package parallel spreads the shards of one piece of work over the threads of a model. It knows nothing of what the work is.
// How many shards there are is the caller's matter and must not depend on the number of threads: then neither does the result.
//
// A thread is a goroutine: the runtime chooses its core. Waking one costs tens of microseconds where the core it is to run on sleeps,
// as long as a whole small step takes. So between the phases of a step, each a Run, a thread without work spins for a while before it
// parks. It never does so outside a step, nor where a spinning thread might hold a core that a working one could use.
//
// The dearest thing that two threads can do is to write what the other has read: on a Zen 4 a store to a line that another core holds
// takes 10 to 30 ns, one after the other, while reading what the other wrote costs 2 to 4 ns a line. So each thread has shards of its
// own, the same in phase after phase, and takes another's only when it has none left.
//
// Cores are not equally fast all the time, and the slower one's last shard is what the others wait for. So work may come in pairs of a
// long shard and a short one, of which a thread takes the long ones first: then short ones are left for whoever is early.
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
	helpers []*helper // thread i+1 is helper i, thread 0 the caller of Run
	ended   sync.WaitGroup
	spins   bool // threads may spin within a step: there is a core for each
	limit   spinLimit

	// Of the phase under way: written by Run's caller before it opens the phase, read by whoever took a shard of it.
	work    Work
	shards  int
	failure atomic.Pointer[ShardPanic]

	// What threads poll or fight for has a cache line of its own.
	_       cpu.CacheLinePad
	opened  atomic.Uint32 // counts phases
	_       cpu.CacheLinePad
	running atomic.Int64 // shards of the phase that have not ended
	_       cpu.CacheLinePad
	spans   []span // of each thread
	_       cpu.CacheLinePad
	// stepping is polled together with opened.
	stepping atomic.Bool
	_        cpu.CacheLinePad

	closed   atomic.Bool
	yielding atomic.Bool  // the caller left its core to a helper that it woke
	awake    atomic.Int32 // helpers that are not parked
	parked   atomic.Bool  // the caller waits for a token
	token    chan struct{}
}

// Work is what the threads do in a phase. A thread is known by its number, below that of the pool's threads.
type Work struct {
	Shard func(thread, shard int)
	// Done, which may be nil, follows on each thread that took shards when there are none left, unless a shard panicked. Others' shards
	// may still be running.
	Done func(thread int)
	// LongFirst has each thread take those of its shards that have even numbers first, and then the odd ones.
	LongFirst bool
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
		spans:   make([]span, threads),
		token:   make(chan struct{}, 1),
	}
	for i := range p.helpers {
		p.helpers[i] = newHelper()
		p.ended.Add(1)
		go p.help(p.helpers[i], i+1)
	}
	return p
}

// BeginStep tells that Runs will follow one another closely until EndStep. It wakes nobody: the first Run that has shards for several
// threads does. Where steps follow one another at once, only the last needs an end.
func (p *Pool) BeginStep() { p.stepping.Store(true) }

// EndStep parks the threads that spin. It does not wait for that. It is harmless where no step began.
func (p *Pool) EndStep() { p.stepping.Store(false) }

// Run does the work of each shard in [0, shards) once, each on its home thread unless another has none left, and returns when all are
// done. The caller does not wait for threads that are late, only for shards that they took. A single shard is always the caller's.
// Run allocates nothing itself. One Run at a time. When a shard panics, no further one is begun (but for those that are being handed out
// at that moment), and Run panics with a *ShardPanic on the caller's goroutine once the running ones have ended; the pool can still be
// used and closed.
func (p *Pool) Run(shards int, work Work) {
	if p.work.Shard != nil {
		panic("parallel: Run within a shard of another")
	}
	p.work, p.shards = work, shards
	if shards < 2 || len(p.helpers) == 0 {
		p.runAlone()
	} else {
		p.open()
		p.wake(min(shards-1, len(p.helpers)))
		p.takeShards(0)
		p.awaitOthers()
	}
	p.work = Work{}
	if p.failure.Load() != nil {
		panic(p.failure.Swap(nil))
	}
}

// Threads is the number of threads.
func (p *Pool) Threads() int { return len(p.spans) }

// HasOwn tells a shard's work whether its thread has further shards of its own; where not, the thread may still take others'. It is
// for phases that several threads share: with one thread, and in a phase of a single shard, it is always false.
func (p *Pool) HasOwn(thread int) bool { return p.spans[thread].left() }

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
		p.work.Shard(0, s)
	}
	if p.work.Done != nil && p.shards > 0 {
		p.work.Done(0)
	}
}

// open lets the threads take the phase's shards.
func (p *Pool) open() {
	if uint64(p.shards) > math.MaxUint32 {
		panic("parallel: more shards than 32 bits can count")
	}
	p.running.Store(int64(p.shards))
	n := min(p.shards, len(p.spans))
	for i := range n {
		p.spans[i].set(p.shards*i/n, p.shards*(i+1)/n, p.work.LongFirst)
	}
	p.opened.Add(1)
}

// Home is the thread that runs that one of so many shards, at least one, unless another is faster. Where there are fewer shards than
// threads, each of the first has one.
func (p *Pool) Home(shard, shards int) int {
	return ((shard+1)*min(shards, len(p.spans)) - 1) / shards
}

// take returns a shard that nobody took: of the thread's own, else of the next thread that has any.
func (p *Pool) take(thread int) (shard int, ok bool) {
	for i := range p.spans {
		if shard, ok = p.spans[(thread+i)%len(p.spans)].take(i > 0); ok {
			return shard, true
		}
	}
	return 0, false
}

// takeShards runs shards until none is left.
func (p *Pool) takeShards(thread int) {
	taken := 0
	defer func() {
		if p.keep(recover()) {
			for i := range p.spans {
				taken += p.spans[i].empty()
			}
		}
		p.finish(taken)
	}()
	for shard, ok := p.take(thread); ok; shard, ok = p.take(thread) {
		taken++
		p.work.Shard(thread, shard)
	}
	// The phase cannot end before this thread's shards have; without one it may be another's work already.
	if taken > 0 && p.work.Done != nil && p.failure.Load() == nil {
		p.work.Done(thread)
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
