package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// stopping are the signals that ask the program to end: Ctrl-C, a plain kill, and a terminal that was closed.
func stopping() []os.Signal {
	// What the parent process had ignored stays ignored: a shell does so with the programs that it starts in the background.
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

// interruptible returns a context that the first of these signals ends, with an interruption as its cause, and a channel that the
// second one closes: then what is still running is to be killed. After the second, and after stop, signals have their usual effect
// again, so that nothing can make the program deaf to them. stop may be called more than once.
func interruptible(parent context.Context) (ctx context.Context, kill <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	if s := stopping(); len(s) > 0 { // none would mean all
		signal.Notify(signals, s...)
	}
	killed, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(interruption{s})
		case <-done:
			return
		}
		select {
		case <-signals:
			close(killed)
		case <-done:
		}
	}()
	return ctx, killed, sync.OnceFunc(func() {
		close(done)
		<-ended
		cancel(nil)
	})
}

// catchBrokenPipes makes writing to a closed standard output an error of the write instead of a death by SIGPIPE, so that everything
// else is finished properly, until stop.
func catchBrokenPipes() (stop func()) {
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	return func() { signal.Stop(pipes) }
}
