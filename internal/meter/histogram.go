package meter

import (
	"math/bits"
	"time"
)

const (
	// subBuckets is how many buckets of equal width each power of two is cut into, so that a bucket is never wider than
	// 1/1024 of a value in it. Below 2*subBuckets nanoseconds a bucket is one nanosecond.
	subBits    = 10
	subBuckets = 1 << subBits
	// rangeBits bounds the values: the longest duration told apart is 2^46 ns, about 19.5 hours.
	rangeBits   = 46
	longest     = 1<<rangeBits - 1
	bucketCount = (rangeBits - subBits + 1) * subBuckets
)

// Histogram counts durations in buckets of a relative width of at most 1/1024, as Tene's HdrHistogram lays them out:
// powers of two, each cut into equal parts. It takes 152 KB whatever the number of durations. One goroutine at a time.
type Histogram struct {
	count int
	// 32 bits keep the table in the processor's caches. A bucket would be full after 2^32 durations: 50 days of steps of 1 ms.
	buckets [bucketCount]uint32
}

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram { return &Histogram{} }

// Add counts one duration. A negative one counts as 0, one beyond 19.5 hours as 19.5 hours. It allocates nothing.
func (h *Histogram) Add(d time.Duration) {
	h.count++
	h.buckets[bucketOf(uint64(min(max(d, 0), longest)))]++
}

// Count is the number of durations added.
func (h *Histogram) Count() int { return h.count }

// Median is the middle duration, or the mean of the two middle ones, within 0.1 % of that of the sorted durations; inside a
// bucket the durations are taken to lie evenly. It is false where nothing was added.
func (h *Histogram) Median() (time.Duration, bool) {
	if h.count == 0 {
		return 0, false
	}
	middle := (h.valueAt((h.count-1)/2) + h.valueAt(h.count/2)) / 2
	return time.Duration(middle + 0.5), true
}

// valueAt estimates the duration, in nanoseconds, that would stand at that place, from 0, if all were sorted.
func (h *Histogram) valueAt(rank int) float64 {
	for b, n := range h.buckets {
		if rank < int(n) {
			lowest, width := boundsOf(b)
			return float64(lowest) + float64(width-1)*(float64(rank)+0.5)/float64(n)
		}
		rank -= int(n)
	}
	panic("meter: a rank beyond the histogram's count")
}

// bucketOf is the number of the bucket that holds v nanoseconds; v is at most longest.
func bucketOf(v uint64) int {
	if v < 2*subBuckets {
		return int(v)
	}
	shift := bits.Len64(v) - subBits - 1
	return shift*subBuckets + int(v>>shift)
}

// boundsOf inverts bucketOf: the lowest value in a bucket and the number of values in it.
func boundsOf(bucket int) (lowest, width uint64) {
	if bucket < 2*subBuckets {
		return uint64(bucket), 1
	}
	shift := bucket/subBuckets - 1
	return uint64(bucket-shift*subBuckets) << shift, 1 << shift
}
