//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// assembly lists the variants in assembly, the best first. A variant's gate names every feature that its code uses.
func assembly() []variant {
	x := &cpu.X86
	return []variant{
		{runs: x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX && x.HasAVX2 && x.HasFMA, make: avx512},
		{runs: x.HasAVX && x.HasAVX2 && x.HasFMA, make: avx2},
	}
}

// vectorShardWork is ShardWork of the variants in assembly, which do some 30 to 60 elementary operations in a nanosecond.
const vectorShardWork = 1 << 20
