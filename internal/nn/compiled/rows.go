package compiled

import (
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/nn/parallel"
)

const (
	// blockSize is the number of samples that ride through all layers together: few enough that what lies between the layers stays
	// in the first-level cache, enough that each load of a weight serves several samples.
	blockSize = 16
	// maxShards bounds the memory of the gradient arenas and the work of adding them up.
	maxShards = 32
	// updateSize is the number of parameters that one thread sums and updates at a time: 4 KB of each arena, whole cache lines.
	updateSize = 1024
)

// rows is the plan for every shape and value: samples lie in rows, one after the other. The batch is cut into shards, each of which
// sums its gradient in an arena of its own.
type rows struct {
	*core
	conv    kernel.Conv
	shards  []shard
	scratch []*rowScratch // of each thread
	sum     []float32     // arena: the shards' gradients

	training, updating parallel.Work
	active             []shard // of the step under way
}

func newRows(k *core) *rows {
	r := &rows{core: k, conv: k.config.Conv(), shards: newShards(k.config.BatchSize, k.layout), scratch: make([]*rowScratch, k.pool.Threads()),
		sum: kernel.Aligned(k.layout.Size)}
	for i := range r.scratch {
		r.scratch[i] = newRowScratch(k.config.Hyperparameters)
	}
	r.training, r.updating = parallel.Work{Shard: r.trainShard}, parallel.Work{Shard: r.updateRange}
	return r
}

// train takes the whole batch through the network and back, and updates the parameters.
func (r *rows) train() tally {
	r.active = r.shards[:shardCount(r.batch.Len())]
	r.pool.Run(len(r.active), r.training)
	r.gradients = r.sum
	r.pool.Run((len(r.weights)+updateSize-1)/updateSize, r.updating)
	var found tally
	for i := range r.active {
		found.add(r.active[i].found)
	}
	return found
}

// shardCount is the number of shards of a batch of n samples. It must not depend on anything else.
func shardCount(n int) int { return min((n+blockSize-1)/blockSize, maxShards) }

// shardRange is the samples [from, to) of one of the shards of a batch of n.
func shardRange(n, shards, shard int) (from, to int) {
	return n * shard / shards, n * (shard + 1) / shards
}

// shard is what one part of the batch adds up.
type shard struct {
	gradients []float32 // arena
	views     views     // of gradients
	found     tally
}

func newShards(batchSize int, layout model.Layout) []shard {
	shards := make([]shard, shardCount(batchSize))
	for i := range shards {
		gradients := make([]float32, layout.Size)
		shards[i] = shard{gradients: gradients, views: viewsOf(layout, gradients)}
	}
	return shards
}

// trainShard runs forward and backward over the samples of one shard and leaves their summed gradient in its arena.
func (r *rows) trainShard(thread, i int) {
	scratch, s := r.scratch[thread], &r.active[i]
	scratch.found = tally{}
	clear(s.gradients)
	from, to := shardRange(r.batch.Len(), len(r.active), i)
	for ; from < to; from += blockSize {
		r.trainBlock(s, scratch, from, min(from+blockSize, to))
	}
	s.found = scratch.found
}

// trainBlock takes the samples [from, to) through all layers and back.
func (r *rows) trainBlock(s *shard, t *rowScratch, from, to int) {
	var (
		k, w, g = r.config.Impl, &r.views, &s.views
		n       = to - from
		flat    = r.config.Flat()
		h       = r.config.Units
		c       = r.config.Classes
	)
	x, starts := r.windows(t, from, to)

	k.ConvReLUPool(r.conv, starts, t.a, t.pick, x, w.convKernel, w.convBias)
	k.MatMul(n, flat, h, t.h, t.a, w.dense1Kernel)
	k.BiasAdd(n, h, t.h, t.h, w.dense1Bias)
	k.ReLU(t.h[:n*h], t.h)
	k.MatMul(n, h, c, t.z, t.h, w.dense2Kernel)
	k.BiasAdd(n, c, t.z, t.z, w.dense2Bias)

	r.heads(t, from, to)

	k.MatMulTA(n, h, c, g.dense2Kernel, t.h, t.z)
	k.ColumnSum(n, c, g.dense2Bias, t.z)
	k.MatMulTB(n, h, c, t.dh, t.z, w.dense2Kernel)
	k.ReLUGrad(t.dh[:n*h], t.dh, t.h)
	k.MatMulTA(n, flat, h, g.dense1Kernel, t.a, t.dh)
	k.ColumnSum(n, h, g.dense1Bias, t.dh)
	k.MatMulTB(n, flat, h, t.da, t.dh, w.dense1Kernel)
	k.ConvReLUPoolGrad(r.conv, starts, g.convKernel, g.convBias, x, t.da, t.pick)
}

// windows are the samples [from, to) in float32: the batch's own memory where it holds float32, else a narrowed copy.
func (r *rows) windows(t *rowScratch, from, to int) (x []float32, starts []int) {
	if r.batch.X32 != nil {
		return r.batch.X32, r.batch.Starts[from:to]
	}
	d := r.config.Window
	for i, start := range r.batch.Starts[from:to] {
		r.config.Impl.Narrow(t.x[i*d:(i+1)*d], r.batch.X64[start:start+d])
	}
	return t.x, t.starts[:to-from]
}

// heads turns the logits of the samples [from, to) into their gradients, in place.
func (r *rows) heads(t *rowScratch, from, to int) {
	c := r.config.Classes
	for i := from; i < to; i++ {
		z := t.z[(i-from)*c : (i-from+1)*c]
		for j, v := range z {
			t.head.z[j] = float64(v)
		}
		t.head.run(r.core, i, &t.found)
		for j, v := range t.head.z {
			z[j] = float32(v)
		}
	}
}

// updateRange adds up the shards' gradients of one range of parameters, in the shards' order, and takes Adam's step on it while
// they are still in the cache.
func (r *rows) updateRange(_, i int) {
	from, to := i*updateSize, min((i+1)*updateSize, len(r.weights))
	g := r.gradients[from:to]
	copy(g, r.active[0].gradients[from:to])
	for j := range r.active[1:] {
		r.config.Impl.Accumulate(g, r.active[1+j].gradients[from:to])
	}
	r.update(from, to)
}

// rowScratch is what lies between the layers for one block of samples, on one thread.
type rowScratch struct {
	x      []float32 // [block][Window], narrowed windows of a float64 batch
	starts []int     // [block], where they begin
	a      []float32 // [block][Flat], pooled feature maps
	pick   []uint8   // [block][Flat]
	da     []float32 // [block][Flat]
	h      []float32 // [block][H], hidden units
	dh     []float32 // [block][H]
	z      []float32 // [block][C], logits, then their gradients
	head   head
	found  tally // of the shard under way; kept here, since shards lie next to one another
}

func newRowScratch(h model.Hyperparameters) *rowScratch {
	s := &rowScratch{
		x:      make([]float32, blockSize*h.Window),
		starts: make([]int, blockSize),
		a:      make([]float32, blockSize*h.Flat()),
		pick:   make([]uint8, blockSize*h.Flat()),
		da:     make([]float32, blockSize*h.Flat()),
		h:      make([]float32, blockSize*h.Units),
		dh:     make([]float32, blockSize*h.Units),
		z:      make([]float32, blockSize*h.Classes),
		head:   newHead(h.Classes),
	}
	for i := range s.starts {
		s.starts[i] = i * h.Window
	}
	return s
}
