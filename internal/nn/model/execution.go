package model

import (
	"errors"

	"fitbench/internal/nn/kernel"
)

// Batch is what one step trains on, as plain slices. It takes every kind of batch that a feed may build, with no copy: sample s's
// window is the Window values from Starts[s] on, in X32 or in X64, whichever is not nil; so rows of an array and offsets into a
// series are the same thing. Its class is Classes[s], or the row s of OneHot, whichever is not nil; a row may also spread its
// weight over several classes, and then weighs as much as its sum.
// A step only reads it, and keeps nothing of it after it returns.
type Batch struct {
	X32    []float32
	X64    []float64
	Starts []int // [N], Starts[s]+Window <= len(X)

	Classes []uint8   // [N], each below the network's Classes
	OneHot  []float64 // [N][Classes] row-major
}

// Len is the number of samples in the batch, N.
func (b *Batch) Len() int { return len(b.Starts) }

// Result is what a step reports of its batch, before the update.
type Result struct {
	Loss    float64 // mean categorical cross-entropy over the batch, in nats
	Correct int     // samples whose largest probability is their class
}

// Counts is what was counted in the last step, the same on every machine.
type Counts struct {
	Ops         int64 // operations dispatched; 1 for a compiled step
	TensorBytes int64 // bytes of tensors allocated; 0 for a compiled step, whose memory is planned
	CopiedBytes int64 // bytes written by operations that only move or convert values
}

// Split is where the time of one step went, by cause, in seconds.
type Split struct {
	// Dispatch is looking operations up, checking shapes and dtypes, the tape, and what the host does between operations.
	Dispatch float64
	// Allocation is getting tensors, views and their headers, and giving them back.
	Allocation float64
	// Casts is the work of operations that only move or convert values: casts, and gather, one-hot and tile as well.
	Casts float64
	// Arithmetic is the work of all other operations, with handing their shards to the threads and waiting for these.
	Arithmetic float64
}

// ErrClosed is what Step says after Close.
var ErrClosed = errors.New("the model is closed; it cannot step any more")

// Execution is one way of running training steps on one model. It is used by one goroutine at a time.
type Execution interface {
	// Step trains on one batch of at most Config.BatchSize samples: forward, loss, backward, Adam.
	// The error names a batch that does not fit, or is ErrClosed; then nothing has changed. A loss that is not finite is
	// returned as it is.
	Step(b *Batch) (Result, error)
	// Weights is the arena of parameters as it stands, a view.
	Weights() []float32
	// Moments are Adam's first and second moments as they stand, laid out as the weights, views.
	Moments() (first, second []float32)
	// Gradients and Probabilities ([N][Classes], N of that step's batch) are those of the last step, before its update; valid
	// until the next step, nil before the first.
	Gradients() []float32
	Probabilities() []float32
	// Counts is of the last step.
	Counts() Counts
	// Split is of the last step that was timed inside, with that step's number, counted from 1; 0 where none was (a compiled
	// step is never split).
	Split() (split Split, step int)
	// Rest tells that the next step will not follow at once, as where a batch has to be built first: threads that wait for it, which
	// they do briefly (package parallel), park.
	Rest()
	// Close ends the threads. The execution cannot step afterwards; what can be read stays. It may be called more than once.
	Close()
}

// Config is what an execution is made from.
type Config struct {
	Hyperparameters
	// BatchSize is the largest batch that a step will take.
	BatchSize int
	// Threads is the number of threads of a step, at least 1. The result does not depend on it.
	Threads int
	Impl    *kernel.Impl
	// Weights is the initial arena, copied.
	Weights []float32
}
