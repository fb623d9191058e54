//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// assembly lists the variants in assembly, the best first. A variant's gate names every feature that its code uses.
func assembly() []variant {
	return []variant{
		{runs: cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX2 && cpu.X86.HasFMA, make: avx512},
		{runs: cpu.X86.HasAVX2 && cpu.X86.HasFMA, make: avx2},
	}
}

// vectorShardWork is ShardWork of the variants in assembly, which do some 30 to 60 elementary operations in a nanosecond.
const vectorShardWork = 1 << 20
