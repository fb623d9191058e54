// Package compiled runs a training step as a compiler of graphs would have it run: the step is planned once, all memory is
// allocated then, layers are fused, and the batch is cut into fixed shards that threads take. A step allocates nothing.
//
// The result does not depend on the number of threads: the shards follow from the batch's length alone, each sums its gradient in
// an arena of its own, and the arenas are added in a fixed order.
//
// It is no compiler: the network is the one of package model, and its plan is written by hand.
package compiled

import (
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/nn/parallel"
)

// Model is one network with its optimizer, ready to step. It implements model.Execution.
type Model struct {
	config model.Config
	conv   kernel.Conv
	pool   *parallel.Pool
	closed bool

	weights, m, v []float32 // arenas: parameters and Adam's moments
	gradients     []float32 // arena: mean over the batch
	views         views     // of weights
	shards        []shard
	scratch       chan *scratch // one for each thread
	probabilities []float32     // [BatchSize][Classes]

	// Of the step under way; kept here because a closure made in each step would be an allocation.
	batch               *model.Batch
	active              []shard
	adam                kernel.AdamStep
	runShard, runUpdate func(int)
	step                int
	samples             int // of the last step's batch; 0 before the first
	counts              model.Counts
}

// New plans the step and allocates all that it needs. The error is Config.Validate's.
func New(c model.Config) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	layout := c.Layout()
	m := &Model{
		config:        c,
		conv:          c.Conv(),
		pool:          parallel.NewPool(c.Threads),
		weights:       append([]float32(nil), c.Weights...),
		m:             make([]float32, layout.Size),
		v:             make([]float32, layout.Size),
		gradients:     make([]float32, layout.Size),
		shards:        newShards(c.BatchSize, layout),
		scratch:       make(chan *scratch, c.Threads),
		probabilities: make([]float32, c.BatchSize*c.Classes),
	}
	m.config.Weights = nil
	m.views = viewsOf(layout, m.weights)
	for range c.Threads {
		m.scratch <- newScratch(c.Hyperparameters)
	}
	m.runShard, m.runUpdate = m.trainShard, m.updateRange
	return m, nil
}

// Step implements model.Execution.
func (m *Model) Step(b *model.Batch) (model.Result, error) {
	if m.closed {
		return model.Result{}, model.ErrClosed
	}
	if err := m.config.CheckBatch(b); err != nil {
		return model.Result{}, err
	}
	m.batch, m.active, m.samples = b, m.shards[:shardCount(b.Len())], b.Len()
	m.pool.Run(len(m.active), m.runShard)
	m.step++
	m.adam = m.config.AdamStep(m.step)
	m.pool.Run(updateRanges(len(m.weights)), m.runUpdate)
	m.counts = model.Counts{Ops: 1}
	if b.X64 != nil {
		m.counts.CopiedBytes = int64(b.Len()) * int64(m.config.Window) * 4
	}
	result := m.result(b.Len())
	m.batch = nil
	return result, nil
}

// result adds up what the shards found, in their order.
func (m *Model) result(n int) model.Result {
	var r model.Result
	for i := range m.active {
		r.Loss += m.active[i].loss
		r.Correct += m.active[i].correct
	}
	r.Loss /= float64(n)
	return r
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

// Close implements model.Execution.
func (m *Model) Close() {
	if !m.closed {
		m.closed = true
		m.pool.Close()
	}
}
