package compiled

import (
	"math/bits"
	"slices"

	"golang.org/x/sys/cpu"

	"fitbench/internal/nn/kernel"
)

// The gradients of a batch's parts are added up along a binary tree over the parts: neighbours first, then neighbouring pairs, and so
// on. The tree follows from the number of parts alone, and so do the bits of the sum, whoever adds what.

// branch is the sum over the parts [first, first + 1<<level) of the tree, as far as there are so many.
type branch struct {
	first, level int
	thread       int       // whose arena the sum lies in
	sum          []float32 // arena of parameters
	published    []float32 // what others read of it, see lanes.publish
}

// branches are what one thread has summed so far: of each two branches that both lie here the sum does.
type branches struct {
	held   []branch
	arenas [][]float32
	free   [][]float32 // those of arenas that hold nothing
	_      cpu.CacheLinePad
}

// newBranches has an arena of that many parameters for each of the parts. Memory that is never used is not touched either.
func newBranches(parts, parameters int) branches {
	b := branches{held: make([]branch, 0, parts), arenas: make([][]float32, parts), free: make([][]float32, 0, parts)}
	for i := range b.arenas {
		b.arenas[i] = kernel.Aligned(parameters)
	}
	return b
}

// reset forgets all sums.
func (b *branches) reset() {
	b.held = b.held[:0]
	b.free = append(b.free[:0], b.arenas...)
}

// arena returns one that holds nothing: the one that was used last, which is likely to be in the cache.
func (b *branches) arena() []float32 {
	last := len(b.free) - 1
	a := b.free[last]
	b.free = b.free[:last]
	return a
}

// add takes in the branch a of a tree over that many parts, and adds up what is complete. accumulate gets the left or the right branch
// first, which makes no difference to the sum; the one that is first then stands for both.
func (b *branches) add(a branch, parts int, accumulate func(dst, src branch)) {
	for ; a.level < bits.Len(uint(parts-1)); a.level++ {
		sibling := a.first ^ 1<<a.level
		if sibling >= parts {
			continue // there is no right branch here
		}
		i := slices.IndexFunc(b.held, func(h branch) bool { return h.first == sibling && h.level == a.level })
		if i < 0 {
			break
		}
		accumulate(a, b.held[i])
		b.free = append(b.free, b.held[i].sum)
		b.held = slices.Delete(b.held, i, i+1)
		a.first = min(a.first, sibling)
	}
	b.held = append(b.held, a)
}
