package engine

import (
	"cmp"
	"context"
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

// stopGrace is how long a program may take to end after it was told to stop or has given its result.
const stopGrace = 5 * time.Second

// Program is an engine that starts a program anew for each run: this one, another fitbench, or any that speaks the protocol.
// Environment and GOMAXPROCS are passed on as they are.
type Program struct {
	name   string // in records
	called string // in errors
	path   string
	args   []string
	kill   <-chan struct{}
	// framework is the name in the table of frameworks, empty for a program that is none of them.
	framework string

	silence time.Duration // DefaultSilence where 0
	grace   time.Duration // stopGrace where 0
}

var _ Engine = (*Program)(nil)

// thisProgram finds the running program: /proc/self/exe on Linux where that is mounted, which holds even when the file has been
// replaced since.
func thisProgram() (*Program, error) {
	native := &Program{name: modes.EngineName, called: "the worker", path: "/proc/self/exe", args: []string{WorkerCommand}}
	if _, err := os.Stat(native.path); err == nil && runtime.GOOS == "linux" {
		return native, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the path of this program, which each training run starts again, is not known: %w", err)
	}
	native.path = path
	return native, nil
}

// Name is the engine's in records: "fitbench" for this program, else what Parse was given.
func (p *Program) Name() string { return p.name }

// Run does the job in a process of its own and returns when that has ended, and on Unix with it every process of its group.
func (p *Program) Run(ctx context.Context, job Job, observe func(modes.Event)) record.Run {
	job, remove, err := p.handOver(job)
	if err != nil {
		run := blank(job, p.name)
		run.Error = err.Error()
		return run
	}
	defer remove()
	c := p.prepare(job, observe)
	if ctx.Err() == nil {
		c.live(ctx)
	}
	run := c.outcome()
	markInterrupted(ctx, &run)
	return run
}

// prepare makes the child that does the job.
func (p *Program) prepare(job Job, observe func(modes.Event)) *child {
	c := &child{
		called: p.called, cmd: exec.Command(p.path, p.args...), order: orderOf(job), stderr: &excerpt{},
		ear:  newListener(job, p.name, limitsOf(job.Plan), observe),
		kill: p.kill, grace: cmp.Or(p.grace, stopGrace), silence: cmp.Or(p.silence, DefaultSilence) + allowance(job.Plan),
	}
	c.output = c.ear
	if p.framework != "" {
		c.output = &preface{ear: c.ear}
	}
	inOwnGroup(c.cmd)
	return c
}
