package model

import "fitbench/internal/nn/kernel"

// Batch is what one step trains on, as plain slices. It takes every kind of batch that a feed may build, with no copy: sample s's
// window is the Window values from Starts[s] on, in X32 or in X64, whichever is not nil; so rows of an array and offsets into a
// series are the same thing. Its class is Classes[s], or the row s of OneHot, whichever is not nil.
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

// Split is the mean time of a step that was timed inside, by cause, in seconds.
type Split struct{ Dispatch, Allocation, Casts, Arithmetic float64 }

// Execution is one way of running training steps on one model. It is used by one goroutine at a time.
type Execution interface {
	// Step trains on one batch of at most Config.BatchSize samples: forward, loss, backward, Adam.
	// The error names a batch that does not fit; a loss that is not finite is returned as it is.
	Step(b *Batch) (Result, error)
	// Weights is the arena of parameters as it stands, a view.
	Weights() []float32
	// Gradients and Probabilities ([N][Classes]) are those of the last step, before its update; valid until the next step.
	Gradients() []float32
	Probabilities() []float32
	// Counts is of the last step.
	Counts() Counts
	// Split is the mean over the steps timed inside so far, ok false where there are none (a compiled step is never split).
	Split() (split Split, ok bool)
	// ResetSplit forgets the steps timed inside so far.
	ResetSplit()
	// Close ends the threads. The execution cannot step afterwards.
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
