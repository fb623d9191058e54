package reference

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"testing"
)

// The sums are those of a program in C that does the same work, compiled without optimisation and without fused operations. They
// change with any of the constants: a loop that fails here is not the one that kept times were measured in.
func TestTheLoopDoesExactlyTheWorkThatItAlwaysDid(t *testing.T) {
	l := New()
	for range 2 { // the second time as the first
		l.multiplyAdd()
		var bits []byte
		for _, x := range l.array {
			bits = binary.LittleEndian.AppendUint32(bits, math.Float32bits(x))
		}
		if got := crc32.ChecksumIEEE(bits); got != 0xfd2dca57 {
			t.Errorf("the array's sum is %#x", got)
		}
	}
	l.copy()
	if from, to := crc32.ChecksumIEEE(l.from), crc32.ChecksumIEEE(l.to); from != 0x623a42b7 || to != 0x623a42b7 {
		t.Errorf("the buffers' sums are %#x and %#x", from, to)
	}
}

func TestTheTimeIsPositiveAndNothingIsClaimedMeanwhile(t *testing.T) {
	l := New()
	if s := l.Seconds(); !(s > 0) || math.IsInf(s, 0) {
		t.Errorf("%v s", s)
	}
	if n := testing.AllocsPerRun(1, func() { l.Seconds() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSeconds(b *testing.B) {
	l := New()
	for b.Loop() {
		l.Seconds()
	}
}
