package compiled

import (
	"sync/atomic"

	"fitbench/internal/nn/kernel"
)

const (
	// maxParts is the number of parts that a batch is cut into at the most: it bounds the arenas to add up, and the threads with work.
	maxParts = 16
	// groupBlocks is the number of blocks of a part that go through forward and backward before their gradient of the hidden layer's
	// weights is summed: the sums stay in registers over all of them, and what they are summed from in the second-level cache.
	groupBlocks = 4
)

// lanes is the plan for kernels with lanes: a block of samples rides in the lanes of registers. The batch is cut into parts of whole
// blocks, each of which sums its gradient in arenas of its own; so a thread that takes a part shares nothing that is written with
// another, whose core may be far away. Then threads take ranges of parameters: the parts are added up in their order, and Adam updates
// the range while it is in the cache.
type lanes struct {
	*core
	code  *kernel.Lanes
	conv  kernel.Conv
	flat  int
	taps  []float32 // [F][TapWords]
	parts []part
	// scratch has one for each thread.
	scratch chan *laneScratch

	// Of the step under way.
	active            []part
	immoderate        atomic.Bool // a value was found that only the plan by rows takes
	runPart, runRange func(int)
}

// part is what a fixed part of the batch adds up, whatever the threads.
type part struct {
	conv   []float32 // [K+1][F][L]
	dense1 []float32 // [Flat][H]
	head   []float32 // [H + H C + C][L]
	found  tally
}

// laneScratch is what lies between the layers for one group of blocks, on one thread.
type laneScratch struct {
	x     []float32 // [padded window][L], of one block as all but a and dhs
	picks []byte    // [Q][F][PickBytes]
	h, dh []float32 // [H][L]
	z     []float32 // [C][L], logits, then their gradients
	da    []float32 // [F][Q][L]
	a     []float32 // [group][Flat][L], pooled feature maps
	dhs   []float32 // [group][L][2][H], gradients of the hidden units as rows
	head  head
	found tally // of the part under way; kept here, since parts lie next to one another
}

// newLanes returns nil where the kernel has no lanes or the shapes do not fit them.
func newLanes(k *core) *lanes {
	code, conv := k.config.Impl.Lanes, k.config.Conv()
	if code == nil || !code.Fits(conv, k.config.Units) {
		return nil
	}
	const width = kernel.LaneWidth
	c := k.config
	l := &lanes{
		core: k, code: code, conv: conv, flat: c.Flat(),
		taps:    kernel.Aligned(c.Filters * kernel.TapWords),
		parts:   make([]part, partCount(c.BatchSize)),
		scratch: make(chan *laneScratch, c.Threads),
	}
	for i := range l.parts {
		l.parts[i] = part{
			conv:   kernel.Aligned((c.Kernel + 1) * c.Filters * width),
			dense1: kernel.Aligned(c.Flat() * c.Units),
			head:   kernel.Aligned((c.Units + c.Units*c.Classes + c.Classes) * width),
		}
	}
	for range c.Threads {
		l.scratch <- &laneScratch{
			x:     kernel.Aligned(kernel.PaddedWindow(c.Window) * width),
			picks: make([]byte, c.Flat()*code.PickBytes),
			h:     kernel.Aligned(c.Units * width), dh: kernel.Aligned(c.Units * width),
			z:    kernel.Aligned(c.Classes * width),
			da:   kernel.Aligned(c.Flat() * width),
			a:    kernel.Aligned(groupBlocks * c.Flat() * width),
			dhs:  kernel.Aligned(groupBlocks * width * 2 * c.Units),
			head: newHead(c.Classes),
		}
	}
	l.runPart, l.runRange = l.trainPart, l.updateRange
	return l
}

func blockCount(samples int) int { return (samples + kernel.LaneWidth - 1) / kernel.LaneWidth }

// partCount is the number of parts of a batch of that many samples. It must not depend on anything else.
func partCount(samples int) int { return min(blockCount(samples), maxParts) }

// train takes the whole batch through the network and back, and updates the parameters; or it returns false, with the parameters
// as they were, where there is a value that the lanes do not take.
func (l *lanes) train() (tally, bool) {
	if !kernel.Moderate(l.views.convKernel) || !kernel.Moderate(l.views.convBias) {
		return tally{}, false
	}
	l.code.ConvTaps(l.conv, l.taps, l.views.convKernel, l.views.convBias)
	l.immoderate.Store(false)
	l.active = l.parts[:partCount(l.batch.Len())]
	l.pool.Run(len(l.active), l.runPart)
	if l.immoderate.Load() {
		return tally{}, false
	}
	l.pool.Run(l.ranges(), l.runRange)
	var found tally
	for i := range l.active {
		found.add(l.active[i].found)
	}
	return found, true
}
