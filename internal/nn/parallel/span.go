package parallel

import (
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// span is the shards of one thread that nobody took yet, [first, end). Its thread takes the first, others the last: so neighbouring
// shards stay on one thread, and the same ones phase after phase, where what they touch is still in its core's cache.
type span struct {
	bounds atomic.Uint64 // first<<32 | end
	_      cpu.CacheLinePad
}

func (s *span) set(first, end int) { s.bounds.Store(uint64(first)<<32 | uint64(end)) }

// take takes the first or the last shard. A thread that was held up between the two accesses may find the same bounds again in a
// later phase; then the shard it takes is one of that.
func (s *span) take(last bool) (shard int, ok bool) {
	for {
		bounds := s.bounds.Load()
		first, end := int(bounds>>32), int(uint32(bounds))
		if first >= end {
			return 0, false
		}
		shard, rest := first, bounds+1<<32
		if last {
			shard, rest = end-1, bounds-1
		}
		if s.bounds.CompareAndSwap(bounds, rest) {
			return shard, true
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
