package compiled

import (
	"sync/atomic"

	"fitbench/internal/nn/kernel"
)

const (
	// chunkBlocks is the number of blocks that go through forward and backward before their gradient of the hidden layer's weights
	// is summed: enough that the sums stay in registers for long, few enough that what they are summed from stays in the cache.
	chunkBlocks = 16
	// updateInputs is the number of inputs of the hidden layer whose weights one thread sums and updates at a time.
	updateInputs = 24
)

// lanes is the plan for kernels with lanes: a block of samples rides in the lanes of registers. Each chunk of blocks goes through
// two phases. In the first, threads take blocks: forward and backward, all but the gradient of the hidden layer's weights. In the
// second they take ranges of these weights, and each sums its range over all samples of the chunk, in their order. After the last
// chunk a range is updated by Adam as soon as it is complete.
type lanes struct {
	*core
	code  *kernel.Lanes
	conv  kernel.Conv
	flat  int
	taps  []float32 // [F][TapWords]
	a     []float32 // [chunk][Flat][L], pooled feature maps
	dhs   []float32 // [chunk][L][2][H], gradients of the hidden units as rows
	parts []part    // one for each block of a chunk
	// scratch has one for each thread.
	scratch chan *laneScratch

	// The chunk under way.
	first, blocks      int // its first block, and how many it has
	last               bool
	immoderate         atomic.Bool // a value was found that only the plan by rows takes
	runBlock, runRange func(int)
}

// part is what the blocks in one place of their chunks add up: a fixed part of the batch, whatever the threads.
type part struct {
	conv  []float32 // [K+1][F][L]
	head  []float32 // [H + H C + C][L]
	found tally
}

// laneScratch is what lies between the layers for one block, on one thread.
type laneScratch struct {
	x     []float32 // [padded window][L]
	picks []byte    // [Q][F][PickBytes]
	h, dh []float32 // [H][L]
	z     []float32 // [C][L], logits, then their gradients
	da    []float32 // [F][Q][L]
	head  head
}

// newLanes returns nil where the kernel has no lanes or the shapes do not fit them.
func newLanes(k *core) *lanes {
	code, conv := k.config.Impl.Lanes, k.config.Conv()
	if code == nil || !code.Fits(conv, k.config.Units) {
		return nil
	}
	const width = kernel.LaneWidth
	c := k.config
	blocks := min(chunkBlocks, blockCount(c.BatchSize))
	l := &lanes{
		core: k, code: code, conv: conv, flat: c.Flat(),
		taps:    kernel.Aligned(c.Filters * kernel.TapWords),
		a:       kernel.Aligned(blocks * c.Flat() * width),
		dhs:     kernel.Aligned(blocks * width * 2 * c.Units),
		parts:   make([]part, blocks),
		scratch: make(chan *laneScratch, c.Threads),
	}
	for i := range l.parts {
		l.parts[i].conv = kernel.Aligned((c.Kernel + 1) * c.Filters * width)
		l.parts[i].head = kernel.Aligned((c.Units + c.Units*c.Classes + c.Classes) * width)
	}
	for range c.Threads {
		l.scratch <- &laneScratch{
			x:     kernel.Aligned(kernel.PaddedWindow(c.Window) * width),
			picks: make([]byte, c.Flat()*code.PickBytes),
			h:     kernel.Aligned(c.Units * width), dh: kernel.Aligned(c.Units * width),
			z:    kernel.Aligned(c.Classes * width),
			da:   kernel.Aligned(c.Flat() * width),
			head: newHead(c.Classes),
		}
	}
	l.runBlock, l.runRange = l.trainBlock, l.trainRange
	return l
}

func blockCount(samples int) int { return (samples + kernel.LaneWidth - 1) / kernel.LaneWidth }

// train takes the whole batch through the network and back, and updates the parameters; or it returns false, with the parameters
// as they were, where there is a value that the lanes do not take.
func (l *lanes) train() (tally, bool) {
	if !kernel.Moderate(l.views.convKernel) || !kernel.Moderate(l.views.convBias) {
		return tally{}, false
	}
	l.code.ConvTaps(l.conv, l.taps, l.views.convKernel, l.views.convBias)
	l.immoderate.Store(false)
	total := blockCount(l.batch.Len())
	for l.first = 0; l.first < total; l.first += l.blocks {
		l.blocks = min(len(l.parts), total-l.first)
		l.last = l.first+l.blocks == total
		l.pool.Run(l.blocks, l.runBlock)
		if l.immoderate.Load() {
			return tally{}, false
		}
		l.pool.Run(l.ranges(), l.runRange)
	}
	var found tally
	for i := range l.parts[:min(len(l.parts), total)] {
		found.add(l.parts[i].found)
	}
	return found, true
}
