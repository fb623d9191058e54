package meter

import (
	"runtime"
	"testing"
)

func TestReadGoSeesAllocationsAndCollections(t *testing.T) {
	const size, pieces = 1 << 20, 8
	start := ReadGo()
	for range pieces {
		kept := make([]byte, size)
		runtime.KeepAlive(&kept)
	}
	runtime.GC()
	got := ReadGo().Since(start)
	if got.AllocatedBytes < size*pieces || got.AllocatedBytes > 2*size*pieces {
		t.Errorf("allocated %d, counted %d", size*pieces, got.AllocatedBytes)
	}
	if got.Collections < 1 {
		t.Errorf("a collection was forced, %d were counted", got.Collections)
	}
}

func TestGoSinceSubtracts(t *testing.T) {
	got := Go{AllocatedBytes: 50, Collections: 9}.Since(Go{AllocatedBytes: 20, Collections: 4})
	if want := (Go{AllocatedBytes: 30, Collections: 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
