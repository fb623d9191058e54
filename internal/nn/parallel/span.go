package parallel

import (
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// span is the turns of one thread that nobody took yet, [first, end) of as many as it has shards. Its thread takes the first,
// others the last: so neighbouring shards stay on one thread, and the same ones phase after phase, where what they touch is still
// in its core's cache.
type span struct {
	bounds atomic.Uint64 // first<<32 | end
	// Of the phase under way: who took a turn of it reads these, and they change only when all who did are done.
	begin, shards int
	longFirst     bool
	_             cpu.CacheLinePad
}

// set makes all the shards [begin, end) turns.
func (s *span) set(begin, end int, longFirst bool) {
	s.begin, s.shards, s.longFirst = begin, end-begin, longFirst
	s.bounds.Store(uint64(end - begin))
}

// shard is the one of a turn: in their order, or first those with even numbers, the long ones, and then the odd.
func (s *span) shard(turn int) int {
	if !s.longFirst {
		return s.begin + turn
	}
	even, odd := (s.begin+1)/2, s.begin/2 // how many there are of both before the span
	if long := (s.begin+s.shards+1)/2 - even; turn >= long {
		return 2*(odd+turn-long) + 1
	}
	return 2 * (even + turn)
}

// take takes the shard of the first or the last turn. A thread that was held up between the two accesses may find the same bounds again in a
// later phase; then the shard it takes is one of that.
func (s *span) take(last bool) (shard int, ok bool) {
	for {
		bounds := s.bounds.Load()
		first, end := int(bounds>>32), int(uint32(bounds))
		if first >= end {
			return 0, false
		}
		turn, rest := first, bounds+1<<32
		if last {
			turn, rest = end-1, bounds-1
		}
		if s.bounds.CompareAndSwap(bounds, rest) {
			return s.shard(turn), true
		}
	}
}

// empty takes all shards, and returns how many those were.
func (s *span) empty() int {
	bounds := s.bounds.Swap(0)
	return int(uint32(bounds)) - int(bounds>>32)
}

func (s *span) left() bool {
	bounds := s.bounds.Load()
	return uint32(bounds>>32) < uint32(bounds)
}
