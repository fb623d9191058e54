package meter

import "runtime/metrics"

// Go is what the Go runtime has done since the process began.
type Go struct {
	// AllocatedBytes is everything ever allocated on the heap. The runtime learns of small objects when the span that they lie
	// in is full, so that a difference may be off by some tens of kilobytes.
	AllocatedBytes int64
	// Collections is the number of completed garbage collections, those asked for by the program included.
	Collections int64
}

// ReadGo reads both without stopping the world, unlike runtime.ReadMemStats.
func ReadGo() Go {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	return Go{AllocatedBytes: int64(samples[0].Value.Uint64()), Collections: int64(samples[1].Value.Uint64())}
}

// Since is what was done between an earlier reading and this one.
func (g Go) Since(earlier Go) Go {
	return Go{AllocatedBytes: g.AllocatedBytes - earlier.AllocatedBytes, Collections: g.Collections - earlier.Collections}
}
