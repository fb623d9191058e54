package meter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// sortedMedian is the slow reference: sort, take the middle.
func sortedMedian(durations []time.Duration) float64 {
	s := slices.Sorted(slices.Values(durations))
	n := len(s)
	return (float64(s[(n-1)/2]) + float64(s[n/2])) / 2
}

func histogramOf(durations []time.Duration) *Histogram {
	h := NewHistogram()
	for _, d := range durations {
		h.Add(d)
	}
	return h
}

func TestMedianIsThatOfTheSortedDurationsWithin0_1Percent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func() float64{
		"normal around 160 us":      func() float64 { return 160e3 + 8e3*r.NormFloat64() },
		"log-normal around 750 us":  func() float64 { return 750e3 * math.Exp(0.5*r.NormFloat64()) },
		"two humps":                 func() float64 { return []float64{1e6, 5e6}[r.IntN(2)] + 1e4*r.NormFloat64() },
		"nanoseconds to hours":      func() float64 { return math.Exp(r.Float64() * math.Log(1e13)) },
		"all in one bucket":         func() float64 { return 5e8 + 1e5*r.Float64() },
		"long tail of rare outlier": func() float64 { return 1e5 + 1e9*float64(r.IntN(50)/49) },
	}
	for name, draw := range shapes {
		for _, n := range []int{1, 2, 3, 10, 101, 2000} {
			durations := make([]time.Duration, n)
			for i := range durations {
				durations[i] = time.Duration(max(draw(), 1))
			}
			h, want := histogramOf(durations), sortedMedian(durations)
			got, ok := h.Median()
			// Half a nanosecond is lost to the duration's own unit.
			if !ok || !(math.Abs(float64(got)-want) <= 0.001*want+0.5) {
				t.Errorf("%s, n = %d: got %v %v, want %v ns", name, n, got, ok, want)
			}
			if h.Count() != n {
				t.Errorf("%s: counted %d of %d", name, h.Count(), n)
			}
		}
	}
}

func TestMedianBelow2MicrosecondsIsExact(t *testing.T) {
	for _, c := range []struct {
		durations []time.Duration
		want      time.Duration
	}{
		{[]time.Duration{0}, 0},
		{[]time.Duration{7, 7, 7}, 7},
		{[]time.Duration{2047, 1, 2046}, 2046},
		{[]time.Duration{10, 20}, 15},
		{[]time.Duration{10, 11}, 11}, // 10.5, rounded
		{[]time.Duration{0, 0, 0, 1000}, 0},
	} {
		if got, ok := histogramOf(c.durations).Median(); !ok || got != c.want {
			t.Errorf("%v: got %v %v, want %v", c.durations, got, ok, c.want)
		}
	}
}

func TestMedianIsInterpolatedInsideABucket(t *testing.T) {
	// [2^29, 2^29 + 2^19) is one bucket; 900 durations lie evenly in it, 100 below it: the median is the 400th of the 900.
	const lowest, width = 1 << 29, 1 << 19
	h := NewHistogram()
	for range 100 {
		h.Add(1)
	}
	for i := range 900 {
		h.Add(time.Duration(lowest + (2*i+1)*width/1800))
	}
	want := float64(lowest) + 400./900*width
	if got, ok := h.Median(); !ok || !(math.Abs(float64(got)-want) <= width/900) {
		t.Errorf("got %v %v, want %v ns within %v", got, ok, want, width/900)
	}
}

func TestMedianOfNothingIsAbsent(t *testing.T) {
	if got, ok := NewHistogram().Median(); ok {
		t.Errorf("got %v", got)
	}
}

func TestNegativeDurationsCountAsZero(t *testing.T) {
	if got, ok := histogramOf([]time.Duration{-1, math.MinInt64, 5}).Median(); !ok || got != 0 {
		t.Errorf("got %v %v, want 0", got, ok)
	}
}

func TestDurationsBeyondTheRangeCountAsTheLongest(t *testing.T) {
	got, ok := histogramOf([]time.Duration{math.MaxInt64, 1 << rangeBits, 1<<rangeBits - 1}).Median()
	if want := float64(int64(1) << 46); !ok || !(math.Abs(float64(got)-want) <= 0.001*want) {
		t.Errorf("got %v %v, want about %v ns", got, ok, want)
	}
}

func TestEveryBucketFollowsTheOneBeforeAndIsNarrow(t *testing.T) {
	next := uint64(0)
	for b := range bucketCount {
		lowest, width := boundsOf(b)
		if lowest != next {
			t.Fatalf("bucket %d begins at %d, the one before ends at %d", b, lowest, next)
		}
		if bucketOf(lowest) != b || bucketOf(lowest+width-1) != b {
			t.Fatalf("bucket %d, [%d, %d], takes in %d and %d", b, lowest, lowest+width-1, bucketOf(lowest), bucketOf(lowest+width-1))
		}
		if width > 1 && width*1000 > lowest {
			t.Fatalf("bucket %d is %d wide at %d: more than 0.1 %%", b, width, lowest)
		}
		next = lowest + width
	}
	if next != longest+1 {
		t.Errorf("the buckets end at %d, want %d", next, longest+1)
	}
}

func TestHistogramIsSmallAndAddAllocatesNothing(t *testing.T) {
	if size := unsafe.Sizeof(Histogram{}); size > 200_000 {
		t.Errorf("takes %d bytes", size)
	}
	h := NewHistogram()
	if n := testing.AllocsPerRun(100, func() { h.Add(123456) }); n != 0 {
		t.Errorf("Add allocates %v times", n)
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	h := NewHistogram()
	d := time.Duration(150_000)
	for b.Loop() {
		h.Add(d)
		d = (d*5 + 1) & 0xfffff
	}
}
