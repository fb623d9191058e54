// Package eager runs training steps op by op over tensors, as an eager runtime does it; the model is TensorFlow 2.0.0's
// train_on_batch (keras/engine/training_eager.py, the gradient registry, keras/optimizer_v2/adam.py). Each operation is looked up
// by name, checks the shapes and dtypes of its inputs, gets its result from an allocator, is put on a tape where an input is being
// watched, and runs over the whole batch, on several threads where its work is large enough. The backward pass walks the tape from
// its end and dispatches each gradient as operations again. Adam goes variable by variable.
//
// It is no emulation of a certain runtime's speed: nothing is slowed, nothing fused, and apart from what makes tensors of the kinds
// of batch (gather, one-hot) no operation is dispatched that the eager step of TensorFlow 2.0.0 does not have. It has fewer: the
// shape arithmetic of the gradient functions (Shape, BroadcastGradientArgs), gradients of inputs that nobody watches, and the
// metric's running variables are left out.
//
// A steady step allocates nothing on Go's heap, so that Go's collector has no part in what a step costs.
package eager

import (
	"fitbench/internal/nn/model"
	"fitbench/internal/nn/parallel"
)

// Model is the eager execution of one network with its optimizer; it implements model.Execution.
type Model struct {
	config   model.Config
	pool     *parallel.Pool
	registry registry
	memory   allocator
	tape     tape
	clock    stopwatch
	split    model.Split // of the last step timed inside
	timed    int         // its number, 0 before the first

	weights   []float32
	variables []variable
	optimizer optimizer
	constants constants

	// call is the operation being dispatched: one at a time, so its memory is reused. The tasks are what pool runs on its shards.
	call                          call
	bodyTask, reduceTask, addTask parallel.Work
	// err is the first error of the step; operations dispatched after it do nothing.
	err error

	counts        model.Counts
	step          int
	probabilities *tensor
	gradients     []float32
	closed        bool
}

// variable is one trained tensor with its name, and its gradient in the last step.
type variable struct {
	place    model.Variable
	value    *tensor
	gradient *tensor
}

// New makes the execution with its own copy of the weights. The error is Config.Validate's.
func New(c model.Config) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	m := &Model{
		config:    c,
		pool:      parallel.NewPool(c.Threads),
		registry:  newRegistry(),
		clock:     newStopwatch(sinceNow()),
		weights:   append([]float32(nil), c.Weights...),
		optimizer: newOptimizer(c.Hyperparameters),
		constants: newConstants(),
		gradients: make([]float32, c.Layout().Size),
	}
	m.config.Weights = nil
	m.bodyTask, m.reduceTask, m.addTask = parallel.Work{Shard: m.runShard}, parallel.Work{Shard: m.reduceShard}, parallel.Work{Shard: m.addShard}
	for _, v := range c.Layout().Variables() {
		m.variables = append(m.variables, variable{place: v, value: resident(newShape(v.Shape...), v.Of(m.weights))})
	}
	return m, nil
}

// Weights is the arena of parameters as it stands, a view.
func (m *Model) Weights() []float32 { return m.weights }

// Gradients is the arena of the last step's gradients, before its update; nil before the first step.
// They are gathered from their tensors at this call, so that a step does not pay for it.
func (m *Model) Gradients() []float32 {
	for _, v := range m.variables {
		if v.gradient == nil {
			return nil
		}
		copy(v.place.Of(m.gradients), v.gradient.f32())
	}
	return m.gradients
}

// Probabilities is the last step's output [N][Classes], before its update, a view; nil before the first step.
func (m *Model) Probabilities() []float32 {
	if m.probabilities == nil {
		return nil
	}
	return m.probabilities.f32()
}

// Counts is of the last step: operations dispatched, bytes of the tensors that the allocator handed out, and bytes written by
// operations that only move or convert values (gather, cast, one-hot, tile). Views count as operations, but have no bytes.
func (m *Model) Counts() model.Counts { return m.counts }

// Rest parks threads that spin.
func (m *Model) Rest() { m.pool.EndStep() }

// Close ends the threads. A step afterwards is model.ErrClosed.
func (m *Model) Close() {
	if !m.closed {
		m.closed = true
		m.pool.Close()
	}
}
