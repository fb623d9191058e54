package parallel

import (
	"runtime"
	"sync/atomic"
)

// helper is a thread of a pool other than the caller of Run.
type helper struct {
	parked atomic.Bool // nobody woke it yet; whoever makes it false, the caller or the helper itself, counts it as awake
	wake   chan struct{}
}

func newHelper() *helper {
	h := &helper{wake: make(chan struct{}, 1)}
	h.parked.Store(true)
	return h
}

// help is the life of a helper.
func (p *Pool) help(h *helper, thread int) {
	defer p.ended.Done()
	<-h.wake
	for !p.closed.Load() {
		phase := p.opened.Load()
		p.takeShards(thread)
		if !p.awaitPhase(phase) {
			p.park(h, phase)
		}
	}
}

// awaitPhase spins until there is another phase than that one; false means that it is time to park.
func (p *Pool) awaitPhase(last uint32) bool {
	if !p.maySpin() {
		return false
	}
	if p.yielding.Load() {
		// No other core was there for the caller. Spinning would keep it from this one.
		runtime.Gosched()
	}
	p.limit.spin(func() bool { return p.opened.Load() != last || !p.stepping.Load() })
	return p.opened.Load() != last
}

// park returns when there may be work again, or the pool is closed. The caller opens a phase before it looks for parked helpers, and
// a helper looks for a new phase after it parked, so one of the two sees the other. A helper is never counted as awake while it can
// be woken: the caller would take it for two, and leave another parked.
func (p *Pool) park(h *helper, last uint32) {
	p.awake.Add(-1)
	h.parked.Store(true)
	if (p.opened.Load() != last || p.closed.Load()) && h.parked.CompareAndSwap(true, false) {
		p.awake.Add(1)
		return
	}
	<-h.wake
}

// unpark tells whether h was parked.
func (p *Pool) unpark(h *helper) bool {
	if !h.parked.CompareAndSwap(true, false) {
		return false
	}
	p.awake.Add(1)
	h.wake <- struct{}{}
	return true
}

// wake sees to it that n helpers are awake.
func (p *Pool) wake(n int) {
	woken := false
	for i := 0; i < len(p.helpers) && int(p.awake.Load()) < n; i++ {
		woken = p.unpark(p.helpers[i]) || woken
	}
	if !woken {
		return
	}
	// The runtime holds a goroutine that was made ready back for the core it was made ready on: another core steals it only after a
	// sleep of some 60 us. But it gives one that yields to the next free core at once. So a woken helper begins here, and the caller
	// goes on where a core woke up for the helper.
	p.yielding.Store(true)
	runtime.Gosched()
	p.yielding.Store(false)
}
