package parallel

import (
	"runtime"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

// In a bubble of package synctest the clock stands still while any goroutine runs, and synctest.Wait returns only when all others are
// blocked: it hangs on a thread that spins without end.

// expectParked waits until no helper runs, and wants all parked.
func expectParked(t *testing.T, p *Pool) {
	t.Helper()
	synctest.Wait()
	if n := p.awake.Load(); n != 0 {
		t.Errorf("%d helpers are not parked", n)
	}
}

func TestHelpersSpinFromRunToRunOfAStepAndParkAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(2, 2, forever)
		defer p.Close()
		for range 10 {
			p.BeginStep()
			for range 5 {
				p.Run(2, each(newMeeting(2).attend))
				// A helper that is not to spin gets ample time to park.
				for range 10000 {
					if p.awake.Load() != 1 {
						t.Fatal("the helper is parked between the phases of a step")
					}
				}
			}
			p.EndStep()
			expectParked(t, p)
		}
	})
}

func TestNoThreadSpinsOutsideAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(3, 3, forever)
		defer p.Close()
		p.Run(3, each(newMeeting(3).attend))
		expectParked(t, p)
		runUntilTheCallerIsParked(t, p)
		p.BeginStep()
		p.EndStep()
		p.Run(3, each(newMeeting(3).attend))
		expectParked(t, p)
	})
}

func TestNoThreadSpinsWhereThereAreFewerCores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(3, 2, forever)
		defer p.Close()
		p.BeginStep()
		p.Run(3, each(newMeeting(3).attend))
		expectParked(t, p)
		runUntilTheCallerIsParked(t, p)
		expectParked(t, p)
	})
}

func TestASpinEndsByTimeOrByRounds(t *testing.T) {
	for name, limit := range map[string]spinLimit{
		"time":    {time: 0, rounds: forever.rounds},
		"rounds":  {time: forever.time, rounds: 3},
		"default": defaultSpinLimit(),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(2, 2, limit)
				defer p.Close()
				p.BeginStep()
				for range 10 {
					p.Run(2, each(newMeeting(2).attend))
					expectParked(t, p)
					runUntilTheCallerIsParked(t, p)
				}
			})
		})
	}
}

// runUntilTheCallerIsParked runs two shards on two threads; that of the helper ends only when the caller has nothing left but to wait,
// and waits parked.
func runUntilTheCallerIsParked(t *testing.T, p *Pool) {
	t.Helper()
	release := make(chan struct{})
	go func() {
		synctest.Wait()
		if !p.parked.Load() {
			t.Error("the caller is not parked")
		}
		close(release)
	}()
	m := newMeeting(2)
	caller := goroutineID()
	p.Run(2, each(func(shard int) {
		m.attend(shard)
		if goroutineID() != caller {
			<-release
		}
	}))
}

// goroutineID is the head of the goroutine's stack trace, which names it.
func goroutineID() string {
	head := make([]byte, len("goroutine 1234567890"))
	return string(head[:runtime.Stack(head, false)])
}

func TestWhatNeedsNoHelperWakesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(3, 3, forever)
		defer p.Close()
		expectParked(t, p)
		p.BeginStep()
		p.Run(1, each(func(int) {}))
		p.Run(0, each(func(int) {}))
		if n := p.awake.Load(); n != 0 {
			t.Errorf("%d helpers were woken for a single shard", n)
		}
		p.Run(2, each(newMeeting(2).attend))
		if n := p.awake.Load(); n != 1 {
			t.Errorf("%d helpers were woken for two shards, want 1", n)
		}
	})
}

func TestASingleShardIsTheCallers(t *testing.T) {
	p := newPool(2, 2, forever)
	defer p.Close()
	p.BeginStep()
	p.Run(2, each(newMeeting(2).attend)) // the helper spins from here on
	caller := goroutineID()
	for range 1000 {
		p.Run(1, each(func(int) {
			if id := goroutineID(); id != caller {
				t.Errorf("the shard ran on %s, the caller is %s", id, caller)
			}
		}))
	}
}

func TestCloseEndsTheThreadsInAnyState(t *testing.T) {
	run := func(p *Pool) { p.Run(3, each(newMeeting(3).attend)) }
	for name, use := range map[string]func(*Pool){
		"never used":       func(*Pool) {},
		"after a run":      run,
		"in a step":        func(p *Pool) { p.BeginStep() },
		"spinning":         func(p *Pool) { p.BeginStep(); run(p) },
		"after a step":     func(p *Pool) { p.BeginStep(); run(p); p.EndStep() },
		"after a panic":    func(p *Pool) { panicOf(func() { p.Run(9, each(func(int) { panic("bad shard") })) }) },
		"panic in a step":  func(p *Pool) { p.BeginStep(); panicOf(func() { p.Run(9, each(func(int) { panic("bad shard") })) }) },
		"closed before":    func(p *Pool) { run(p); p.Close() },
		"two runs, a step": func(p *Pool) { run(p); p.BeginStep(); run(p); p.EndStep(); run(p) },
	} {
		t.Run(name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			for _, cores := range []int{2, 3} {
				p := newPool(3, cores, forever)
				use(p)
				p.Close()
			}
			goleak.VerifyNone(t, before)
		})
	}
}
