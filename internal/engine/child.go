package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"fitbench/internal/record"
)

// child is one process from its start to its end.
type child struct {
	called  string // in errors
	cmd     *exec.Cmd
	order   any // what it reads, as a line of JSON; nil for nothing
	ear     *listener
	output  io.Writer // what its standard output goes to: ear, or on the way there
	stderr  *excerpt
	kill    <-chan struct{}
	silence time.Duration
	grace   time.Duration

	// trouble is why the parent had to kill it, or why it could not be started; empty where it ended by itself.
	trouble string
	state   *os.ProcessState // how it ended, nil where it was not started
}

// pipes are the parent's ends of a child's standard streams.
type pipes struct {
	stdin          io.WriteCloser
	stdout, stderr io.ReadCloser
}

// live starts the process, tells it the job, and returns when it has ended and everything that it wrote was heard.
func (c *child) live(ctx context.Context) {
	p, err := c.start()
	if err != nil {
		c.trouble = fmt.Sprintf("could not be started: %v", err)
		return
	}
	group := groupOf(c.cmd)
	exited, guarded, heard := make(chan struct{}), make(chan struct{}), c.hear(p)
	go func() {
		defer close(guarded)
		c.guard(ctx, group, p.stdin, exited)
	}()
	// An error would be of a process that has been waited for already, or is not this one's child.
	c.state, _ = c.cmd.Process.Wait()
	close(exited)
	group.kill() // what it left behind
	<-guarded
	c.finish(p, heard)
}

func (c *child) start() (p pipes, err error) {
	if p.stdin, err = c.cmd.StdinPipe(); err != nil {
		return p, err
	}
	if p.stdout, err = c.cmd.StdoutPipe(); err != nil {
		return p, err
	}
	if p.stderr, err = c.cmd.StderrPipe(); err != nil {
		return p, err
	}
	return p, c.cmd.Start()
}

// hear begins to listen to both outputs. The channel is closed when both have ended.
func (c *child) hear(p pipes) <-chan struct{} {
	var both sync.WaitGroup
	both.Go(func() { listenTo(p.stdout, c.output) })
	both.Go(func() { listenTo(p.stderr, c.stderr) })
	ended := make(chan struct{})
	go func() {
		both.Wait()
		close(ended)
	}()
	return ended
}

// listenTo closes the stream at its end or where it is listened to no more, so that the child cannot wait for a reader.
func listenTo(stream io.ReadCloser, ear io.Writer) {
	// A breach of the protocol is the listener's own to tell, and a stream that cannot be read has ended.
	_, _ = io.Copy(ear, stream)
	_ = stream.Close()
}

// finish waits for the rest of the output, but not for a process beyond this one's reach that holds it open.
func (c *child) finish(p pipes, heard <-chan struct{}) {
	timer := time.NewTimer(c.grace)
	defer timer.Stop()
	select {
	case <-heard:
		return
	case <-timer.C:
	}
	_, _ = p.stdout.Close(), p.stderr.Close()
	<-heard
}

// guard sees to it that the process ends: by itself, or told to, or killed.
func (c *child) guard(ctx context.Context, group group, stdin io.WriteCloser, exited <-chan struct{}) {
	if c.order != nil {
		// A child that is gone before it read its job shows in how it ended, so an error here would tell nothing more.
		_ = json.NewEncoder(stdin).Encode(c.order)
	}
	stopped := c.mayRun(ctx, exited)
	if stopped {
		_ = stdin.Close()
		stopped = c.stops(exited)
	}
	if !stopped {
		c.end(group)
		_ = stdin.Close()
	}
}

// mayRun waits until the child has to be told to stop, or is gone, and returns true then; or until it has to be killed: false.
func (c *child) mayRun(ctx context.Context, exited <-chan struct{}) bool {
	ticker := time.NewTicker(max(1, c.silence/silenceTicks))
	defer ticker.Stop()
	for v := (vigil{}); ; {
		select {
		case <-exited:
			return true
		case <-c.ear.told:
			return true
		case <-ctx.Done():
			return true
		case <-c.ear.broken:
			return false
		case <-c.kill:
			c.trouble = "was killed at once, as asked for"
			return false
		case <-ticker.C:
			if v.look(c.ear.moves.Load()) {
				c.trouble = silent(c.silence)
				return false
			}
		}
	}
}

// stops waits for the end of a child that was told to stop. It returns false where the child has to be killed.
func (c *child) stops(exited <-chan struct{}) bool {
	timer := time.NewTimer(c.grace)
	defer timer.Stop()
	select {
	case <-exited:
		return true
	case <-c.ear.broken:
	case <-c.kill:
		c.trouble = "was killed at once, as asked for"
	case <-timer.C:
		c.trouble = fmt.Sprintf("did not end within %v of being told to and was killed", c.grace)
	}
	return false
}

// end kills the process and its group. Where it has ended by itself in the last moment, there is no trouble.
func (c *child) end(group group) {
	if errors.Is(c.cmd.Process.Kill(), os.ErrProcessDone) {
		c.trouble = ""
	}
	group.kill()
}

// outcome is the record of the run: the child's result, or what it reported before it failed, with the reason in Error.
func (c *child) outcome() record.Run {
	run := c.ear.heard.partial()
	if c.ear.result != nil {
		run = *c.ear.result
	}
	if problem := c.problem(); problem != nil && run.Error == "" {
		run.Error = problem.Error()
	}
	return run
}

// problem says what was wrong with the child, apart from what its result says.
func (c *child) problem() error {
	ear := c.ear
	var text string
	switch {
	case c.state == nil && c.trouble != "":
		return errors.New(c.called + " " + c.trouble)
	case c.state == nil:
		return errors.New(c.called + " was not started")
	case ear.err != nil:
		text = "broke the protocol and was ended: " + ear.err.Error()
	case c.trouble != "":
		text = c.trouble
	case !c.state.Success():
		text = death(c.state)
	case ear.result == nil:
		text = "ended without a result"
	default:
		return nil
	}
	place := "after its result"
	if ear.result == nil {
		place = ear.heard.place()
	}
	if ear.printed != "" && !ear.greet {
		text += "; standard output: " + ear.printed
	}
	if words := c.stderr.words(); words != "" {
		text += "; standard error: " + words
	}
	return fmt.Errorf("%s %s %s", place, c.called, text)
}
