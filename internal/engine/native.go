package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// WorkerCommand is the hidden command that makes this program the child's side.
const WorkerCommand = "worker"

// stopGrace is how long a child may take to end after it was told to stop or has given its result.
const stopGrace = 5 * time.Second

// Native is fitbench's own engine: it starts this program again as a worker. Environment and GOMAXPROCS are passed on as they are.
type Native struct {
	// Path is the program to start.
	Path string
	// Kill, once closed, kills the child under way at once. It may be nil.
	Kill <-chan struct{}

	grace time.Duration // stopGrace where 0
}

var _ Engine = (*Native)(nil)

// NewNative finds the running program: /proc/self/exe on Linux where that is mounted, which holds even when the file has been replaced since. kill may be
// nil. The error is the operating system's, where it does not tell the program's path.
func NewNative(kill <-chan struct{}) (*Native, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil && runtime.GOOS == "linux" {
		return &Native{Path: self, Kill: kill}, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the path of this program, which each training run starts again, is not known: %w", err)
	}
	return &Native{Path: path, Kill: kill}, nil
}

// Run does the job in a child process and returns when that has ended.
func (n *Native) Run(ctx context.Context, job Job, observe func(modes.Event)) record.Run {
	grace := cmp.Or(n.grace, stopGrace)
	child := n.prepare(job, observe)
	// Bounds the wait for output where the child left a process behind that holds its pipes open.
	child.cmd.WaitDelay = grace
	if ctx.Err() == nil {
		child.live(ctx, n.Kill, grace)
	}
	run := child.outcome()
	markInterrupted(ctx, &run)
	return run
}

// child is one process from its start to its end.
type child struct {
	cmd    *exec.Cmd
	order  order
	ear    *listener
	stderr *excerpt
	// trouble is why the parent had to kill it, or why it could not be started; empty where it ended by itself.
	trouble string
}

func (n *Native) prepare(job Job, observe func(modes.Event)) *child {
	c := &child{
		cmd: exec.Command(n.Path, WorkerCommand), order: orderOf(job),
		ear: newListener(job, limitsOf(job.Plan), observe), stderr: &excerpt{},
	}
	c.cmd.Stdout, c.cmd.Stderr = c.ear, c.stderr
	inOwnGroup(c.cmd)
	return c
}

// live starts the process, tells it the job, and returns when it has ended.
func (c *child) live(ctx context.Context, kill <-chan struct{}, grace time.Duration) {
	stdin, err := c.cmd.StdinPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		c.trouble = fmt.Sprintf("could not be started: %v", err)
		return
	}
	exited, guarded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(guarded)
		// A child that is gone before it read its job shows in how it ended, so an error here would tell nothing more.
		_ = json.NewEncoder(stdin).Encode(c.order)
		if !c.mayRun(ctx, kill, exited) {
			c.kill()
			return
		}
		_ = stdin.Close()
		if !c.stops(kill, exited, grace) {
			c.kill()
		}
	}()
	// What Wait returns is in ProcessState, or comes from the listener's own error.
	_ = c.cmd.Wait()
	close(exited)
	<-guarded
}

// mayRun waits until the child has to be told to stop, or is gone, and returns true then; or until it has to be killed: false.
func (c *child) mayRun(ctx context.Context, kill, exited <-chan struct{}) bool {
	select {
	case <-exited:
	case <-c.ear.told:
	case <-ctx.Done():
	case <-c.ear.broken:
		return false
	case <-kill:
		c.trouble = "was killed at once, as asked for"
		return false
	}
	return true
}

// stops waits for the end of a child that was told to stop. It returns false where the child has to be killed.
func (c *child) stops(kill, exited <-chan struct{}, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-exited:
		return true
	case <-c.ear.broken:
	case <-kill:
		c.trouble = "was killed at once, as asked for"
	case <-timer.C:
		c.trouble = fmt.Sprintf("did not end within %v of being told to and was killed", grace)
	}
	return false
}

// kill ends the process. Where that has ended by itself and only its output is still held open, by a process that it left behind, it
// is no trouble.
func (c *child) kill() {
	if errors.Is(c.cmd.Process.Kill(), os.ErrProcessDone) {
		c.trouble = ""
	}
}

// outcome is the record of the run: the child's result, or what it reported before it failed, with the reason in Error.
func (c *child) outcome() record.Run {
	run := c.ear.heard.partial()
	if c.ear.result != nil {
		run = *c.ear.result
	}
	run.Engine = modes.EngineName
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
	case c.cmd.ProcessState == nil && c.trouble != "":
		return errors.New("the worker " + c.trouble)
	case c.cmd.ProcessState == nil:
		return errors.New("the worker was not started")
	case ear.err != nil:
		text = "broke the protocol and was ended: " + ear.err.Error()
	case c.trouble != "":
		text = c.trouble
	case !c.cmd.ProcessState.Success():
		text = death(c.cmd.ProcessState)
	case ear.result == nil:
		text = "ended without a result"
	default:
		return nil
	}
	place := "after its result"
	if ear.result == nil {
		place = ear.heard.place()
	}
	if words := c.stderr.words(); words != "" {
		text += "; standard error: " + words
	}
	return fmt.Errorf("%s the worker %s", place, text)
}
