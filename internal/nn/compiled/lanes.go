package compiled

import (
	"sync/atomic"

	"golang.org/x/sys/cpu"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/parallel"
)

const (
	// maxParts is the number of parts that a batch is cut into at the most: it bounds the sums to add up, and the threads with work.
	maxParts = 16
	// groupBlocks is the number of blocks of a part that go through forward and backward before their gradient of the hidden layer's
	// weights is summed: the sums stay in registers over all of them, and what they are summed from in the second-level cache.
	groupBlocks = 4
	// rangeInputs is the number of inputs of the hidden layer whose weights one thread updates at a time.
	rangeInputs = 72
)

// lanes is the plan for kernels with lanes: a block of samples rides in the lanes of registers. The batch is cut into parts of whole
// blocks; the thread that takes a part sums its gradient in an arena of its own, and adds it to those of its other parts as far as
// the tree of branches allows. Then threads take ranges of parameters: what is left to add is added, and Adam updates the range.
//
// To write what another core has read costs several times as much as to read what another has written (see package parallel). So
// what threads have to exchange, their sums and the weights, goes past the caches where there are several threads.
type lanes struct {
	*core
	code    *kernel.Lanes
	conv    kernel.Conv
	flat    int
	found   []partTally
	threads []laneThread
	// Where threads share a batch: an arena for each branch that they exchange, by its first part; what they have left to add; and
	// the whole sum.
	published [][]float32
	rest      branches
	sum       []float32

	training, updating parallel.Work
	accumulate, later  func(dst, src branch)

	// Of the step under way.
	parts      int
	shares     bool        // several threads may have parts
	immoderate atomic.Bool // a value was found that only the plan by rows takes
	additions  []addition
	root       branch
}

// partTally is what a part adds to the step's result, on a cache line of its own.
type partTally struct {
	tally
	_ cpu.CacheLinePad
}

// addition is dst += src, which is left to do.
type addition struct{ dst, src branch }

// laneThread is the memory of one thread: what lies between the layers for one group of blocks, and its sums.
type laneThread struct {
	step  int       // the last in which it had a part
	taps  []float32 // [F][TapWords], of that step's weights
	x     []float32 // [padded window][L], of one block as all but a and dhs
	picks []byte    // [Q][F][PickBytes]
	h, dh []float32 // [H][L]
	z     []float32 // [C][L], logits, then their gradients
	da    []float32 // [F][Q][L]
	a     []float32 // [group][Flat][L], pooled feature maps
	dhs   []float32 // [group][L][2][H], gradients of the hidden units as rows
	head  head

	found    tally     // of the part under way
	convSums []float32 // [K+1][F][L], of the part
	headSums []float32 // [H + H C + C][L]
	small    []float32 // [(K+1) F] or [H + H C + C], sums over the lanes
	home     [2]int    // inputs of the hidden layer, see homeInputs
	branches branches
}

// newLanes returns nil where the kernel has no lanes or the shapes do not fit them.
func newLanes(k *core) *lanes {
	code, conv := k.config.Impl.Lanes, k.config.Conv()
	if code == nil || !code.Fits(conv, k.config.Units) {
		return nil
	}
	const width = kernel.LaneWidth
	c := k.config
	parts := partCount(c.BatchSize)
	l := &lanes{
		core: k, code: code, conv: conv, flat: c.Flat(),
		found:     make([]partTally, parts),
		threads:   make([]laneThread, k.pool.Threads()),
		published: newBranches(parts, k.layout.Size).arenas,
		rest:      branches{held: make([]branch, 0, parts), free: make([][]float32, 0, parts)},
		sum:       kernel.Aligned(k.layout.Size),
		additions: make([]addition, 0, parts),
	}
	for i := range l.threads {
		l.threads[i] = laneThread{
			taps:  kernel.Aligned(c.Filters * kernel.TapWords),
			x:     kernel.Aligned(kernel.PaddedWindow(c.Window) * width),
			picks: make([]byte, lineBytes(c.Flat()*code.PickBytes)),
			h:     kernel.Aligned(c.Units * width), dh: kernel.Aligned(c.Units * width),
			z:        kernel.Aligned(c.Classes * width),
			da:       kernel.Aligned(c.Flat() * width),
			a:        kernel.Aligned(groupBlocks * c.Flat() * width),
			dhs:      kernel.Aligned(groupBlocks * width * 2 * c.Units),
			head:     newHead(c.Classes),
			convSums: kernel.Aligned((c.Kernel + 1) * c.Filters * width),
			headSums: kernel.Aligned((c.Units + c.Units*c.Classes + c.Classes) * width),
			small:    kernel.Aligned(max((c.Kernel+1)*c.Filters, c.Units+c.Units*c.Classes+c.Classes)),
			home:     l.homeInputs(i),
			branches: newBranches(parts, k.layout.Size),
		}
	}
	l.training = parallel.Work{Shard: l.trainPart, Done: l.publish, LongFirst: true}
	l.updating = parallel.Work{Shard: l.updateRange}
	l.accumulate = func(dst, src branch) { c.Impl.Accumulate(dst.sum, src.sum) }
	l.later = func(dst, src branch) { l.additions = append(l.additions, addition{dst, src}) }
	return l
}

// lineBytes is n rounded up to whole cache lines. An allocation of so many bytes, as of any multiple of 64, begins at one: the sizes of
// Go's small objects that are multiples of 64 are laid out from a page's beginning on.
func lineBytes(n int) int { return (n + 63) / 64 * 64 }

func blockCount(samples int) int { return (samples + kernel.LaneWidth - 1) / kernel.LaneWidth }

// partCount is the number of parts of a batch of that many samples. It must not depend on anything else.
func partCount(samples int) int { return min(blockCount(samples), maxParts) }

// partRange is the blocks [from, to) of one of the parts of a batch of so many blocks, at least one for each. They come in pairs of a
// long part and a short one, as the pool takes the long ones first.
func partRange(blocks, parts, part int) (from, to int) {
	if parts%2 != 0 {
		return shardRange(blocks, parts, part)
	}
	from, to = shardRange(blocks, parts/2, part/2)
	middle := to - max(1, (to-from)/4)
	if part%2 == 0 {
		return from, middle
	}
	return middle, to
}

// train takes the whole batch through the network and back, and updates the parameters; or it returns false, with the parameters
// as they were, where there is a value that the lanes do not take.
func (l *lanes) train() (tally, bool) {
	l.immoderate.Store(false)
	l.parts = partCount(l.batch.Len())
	l.shares = l.parts > 1 && len(l.threads) > 1
	l.pool.Run(l.parts, l.training)
	if l.immoderate.Load() {
		return tally{}, false
	}
	l.collect()
	l.pool.Run(l.ranges(), l.updating)
	var found tally
	for i := range l.found[:l.parts] {
		found.add(l.found[i].tally)
	}
	return found, true
}
