package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns a context that the first SIGINT or SIGTERM ends, with an interruption as its cause, and a channel that the
// second one closes: then what is still running is to be killed. A closed standard output becomes an error of the write instead of
// a death by SIGPIPE, so that the output file is finished. stop gives the signals back.
func interruptible(parent context.Context) (ctx context.Context, kill <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals, pipes := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	signal.Notify(pipes, syscall.SIGPIPE)
	killed, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; n < 2; n++ {
			select {
			case s := <-signals:
				if n == 0 {
					cancel(interruption{s})
				} else {
					close(killed)
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, killed, func() {
		signal.Stop(signals)
		signal.Stop(pipes)
		close(done)
		<-ended
		cancel(nil)
	}
}
