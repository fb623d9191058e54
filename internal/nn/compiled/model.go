// Package compiled runs a training step as a compiler of graphs would have it run: the step is planned once, all memory is
// allocated then, layers are fused, and the work is cut into fixed pieces that threads take. A step allocates nothing.
//
// There are two plans. The one by lanes is for kernels that have them and the shapes that these fit: sixteen samples ride in the
// lanes of registers. The one by rows takes every shape and value. In both the result does not depend on the number of threads: how
// the batch is cut follows from its length alone, and partial sums are added in a fixed order.
//
// It is no compiler: the network is the one of package model, and its plans are written by hand.
package compiled

import (
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/nn/parallel"
)

// Model is one network with its optimizer, ready to step. It implements model.Execution.
type Model struct {
	core
	rows  *rows
	lanes *lanes // nil where the kernel has none or the shapes do not fit

	closed  bool
	samples int // of the last step's batch; 0 before the first
	counts  model.Counts
}

// New plans the step and allocates all that it needs. The error is Config.Validate's.
func New(c model.Config) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	m := &Model{core: newCore(c)}
	m.rows = newRows(&m.core)
	m.lanes = newLanes(&m.core)
	return m, nil
}

// Step implements model.Execution. A model whose step has panicked is not to be stepped again: its step counts, its update may not have
// been made.
func (m *Model) Step(b *model.Batch) (model.Result, error) {
	if m.closed {
		return model.Result{}, model.ErrClosed
	}
	if err := m.config.CheckBatch(b); err != nil {
		return model.Result{}, err
	}
	m.batch, m.samples = b, b.Len()
	m.step++
	m.adam = m.config.AdamStep(m.step)
	defer func() { m.batch = nil }()
	m.pool.BeginStep()
	found, done := tally{}, false
	if m.lanes != nil {
		found, done = m.lanes.train()
	}
	if !done {
		found = m.rows.train()
	}
	m.counts = model.Counts{Ops: 1}
	if b.X64 != nil {
		m.counts.CopiedBytes = int64(b.Len()) * int64(m.config.Window) * 4
	}
	return model.Result{Loss: found.loss / float64(b.Len()), Correct: found.correct}, nil
}

// Weights implements model.Execution.
func (m *Model) Weights() []float32 { return m.weights }

// Moments implements model.Execution.
func (m *Model) Moments() (first, second []float32) { return m.m, m.v }

// Gradients implements model.Execution.
func (m *Model) Gradients() []float32 {
	if m.samples == 0 {
		return nil
	}
	return m.gradients
}

// Probabilities implements model.Execution.
func (m *Model) Probabilities() []float32 {
	if m.samples == 0 {
		return nil
	}
	return m.probabilities[:m.samples*m.config.Classes]
}

// Counts implements model.Execution.
func (m *Model) Counts() model.Counts { return m.counts }

// Split implements model.Execution: a compiled step has no parts to tell apart.
func (m *Model) Split() (model.Split, int) { return model.Split{}, 0 }

// Rest implements model.Execution.
func (m *Model) Rest() { m.pool.EndStep() }

// Close implements model.Execution.
func (m *Model) Close() {
	if !m.closed {
		m.closed = true
		m.pool.Close()
	}
}

// core is what both plans work on.
type core struct {
	config model.Config
	pool   *parallel.Pool
	layout model.Layout

	weights, m, v []float32 // arenas: parameters and Adam's moments
	gradients     []float32 // arena of the plan that took the step: mean over the batch
	views         views     // of weights
	probabilities []float32 // [BatchSize][Classes]

	// Of the step under way; kept here because a closure made in each step would be an allocation.
	batch *model.Batch
	adam  kernel.AdamStep
	step  int
}

func newCore(c model.Config) core {
	layout := c.Layout()
	k := core{
		config:        c,
		pool:          parallel.NewPool(c.Threads),
		layout:        layout,
		weights:       kernel.Aligned(layout.Size),
		m:             kernel.Aligned(layout.Size),
		v:             kernel.Aligned(layout.Size),
		probabilities: kernel.Aligned(c.BatchSize * c.Classes),
	}
	copy(k.weights, c.Weights)
	k.config.Weights = nil
	k.views = viewsOf(layout, k.weights)
	return k
}

// update takes Adam's step on the parameters [from, to), whose gradient is complete.
func (k *core) update(from, to int) {
	k.config.Impl.Adam(k.adam, k.weights[from:to], k.m[from:to], k.v[from:to], k.gradients[from:to])
}

// tally is what some samples add to a step's result.
type tally struct {
	loss    float64 // sum over the samples
	correct int
}

func (t *tally) add(other tally) {
	t.loss += other.loss
	t.correct += other.correct
}

// views are the variables of one arena.
type views struct {
	convKernel, convBias     []float32 // [K][F], [F]
	dense1Kernel, dense1Bias []float32 // [Flat][H], [H]
	dense2Kernel, dense2Bias []float32 // [H][C], [C]
}

func viewsOf(l model.Layout, arena []float32) views {
	return views{
		convKernel: l.ConvKernel.Of(arena), convBias: l.ConvBias.Of(arena),
		dense1Kernel: l.Dense1Kernel.Of(arena), dense1Bias: l.Dense1Bias.Of(arena),
		dense2Kernel: l.Dense2Kernel.Of(arena), dense2Bias: l.Dense2Bias.Of(arena),
	}
}
