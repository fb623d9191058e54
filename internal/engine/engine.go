// Package engine runs one training run in a process of its own and brings home what it measured. Program is the parent's side: it
// starts this program again, or another one that Parse was given the name of, follows its events and collects its record, whatever
// becomes of it. Worker is this program's own child's side. Conform holds another program against the protocol.
//
// The two speak JSON lines, docs/protocol.md tells which. The job is one line on the child's standard input, which then stays open:
// its closing tells the child to stop, and it closes by itself when the parent dies. The child's standard output carries
// {"event":"hello","protocol":1} first, then the events "phase", "progress" and "epoch", and {"event":"result","run":{...}} last.
//
// The package neither trains, which is what modes does, nor decides which run comes when.
package engine

import (
	"context"
	"fmt"
	"strings"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// ProtocolVersion is the version of the language between parent and child. Fields may be added without raising it.
const ProtocolVersion = 1

// Job is one training run to be done.
type Job struct {
	Plan record.Plan
	Cell record.Cell
	// Round counts from 1.
	Round int
	// CPUProfile is a folder in which the run leaves MODE-EXECUTION-round-N.pprof; empty for no profile.
	CPUProfile string
	// InitialWeights is a .npy file with the parameters before the first step, float32 in the order of model.Layout. Where it is
	// empty, a Program makes one of the plan's seed for an engine that needs it.
	InitialWeights string
	// Parity asks for each step's loss (record.Run's StepLosses): the run is not for its times, but to be held against the native
	// engine's, so its batches have to come in the plan's order.
	Parity bool
	// NativeData is of runs with Parity.
	NativeData
}

// NativeData are .npy files with the native engine's data, to which an engine that makes its own compares them; empty for no
// comparison.
type NativeData struct {
	// Series is float64 [samples], Anomalies int32 [anomalies] in the order drawn, Labels uint8 [samples].
	Series    string `json:"series,omitempty"`
	Anomalies string `json:"anomalies,omitempty"`
	Labels    string `json:"labels,omitempty"`
	// Orders is int32 [epochs][samples], of the first epochs.
	Orders string `json:"orders,omitempty"`
}

// Engine does training runs, one at a time.
type Engine interface {
	// Run does the job and returns its record. A run that failed has Error set, and whatever was reported before. Where ctx ended
	// before the run did, Error begins with "interrupted". observe is called for each event as it comes, by one goroutine at a
	// time and never after Run has returned; it may be nil.
	Run(ctx context.Context, job Job, observe func(modes.Event)) record.Run
}

// blank is the record of an engine's run of that job of which nothing is known yet.
func blank(job Job, engine string) record.Run {
	run := record.Run{
		Mode: job.Cell.Mode, Execution: job.Cell.Execution, StepsPerExecution: job.Cell.StepsPerExecution, Round: job.Round,
		Engine: engine, Threads: job.Plan.Threads, BatchSize: job.Plan.BatchSize,
	}
	if mode, err := modes.Lookup(job.Cell.Mode); err == nil {
		run.Feed = mode.Feed
	}
	return run
}

// markInterrupted makes the error of a run that ctx cut short say so, and why.
func markInterrupted(ctx context.Context, run *record.Run) {
	if ctx.Err() == nil || run.Error == "" || strings.HasPrefix(run.Error, "interrupted (") {
		return
	}
	run.Error = fmt.Sprintf("interrupted (%v): %s", context.Cause(ctx), run.Error)
}
