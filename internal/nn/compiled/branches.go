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
	published    []float32 // an arena, too, with what others read of the sum, see lanes.publish
	sealed       bool      // what others read lies there only; nothing is added until all threads are done
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

// sibling returns a as a branch of the level at which it has a sibling, and that one's index here: -1 where it is not held.
func (b *branches) sibling(a branch, parts int) (branch, int) {
	for ; a.level < bits.Len(uint(parts-1)); a.level++ {
		// Where there are no more parts a is its parent as well.
		if first := a.first ^ 1<<a.level; first < parts {
			return a, slices.IndexFunc(b.held, func(h branch) bool { return h.first == first && h.level == a.level && !h.sealed })
		}
	}
	return a, -1
}

// take removes a branch.
func (b *branches) take(i int) branch {
	taken := b.held[i]
	b.held = slices.Delete(b.held, i, i+1)
	return taken
}

// parent is what a becomes when its sibling is added to it.
func (a branch) parent(sibling branch) branch {
	a.first = min(a.first, sibling.first)
	a.level++
	return a
}

// add takes in the branch a of a tree over that many parts, and adds up what is complete. accumulate gets the left or the right branch
// first, which makes no difference to the sum; the one that is first then stands for both.
func (b *branches) add(a branch, parts int, accumulate func(dst, src branch)) {
	i := 0
	for a, i = b.sibling(a, parts); i >= 0; a, i = b.sibling(a, parts) {
		other := b.take(i)
		accumulate(a, other)
		b.free = append(b.free, other.sum)
		a = a.parent(other)
	}
	b.held = append(b.held, a)
}
