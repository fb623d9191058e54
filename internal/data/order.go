package data

import "context"

// EpochOrder overwrites dst with the order in which an epoch's samples come: RandomState((seed+1+epoch) mod 2^32).permutation(len(dst)).
// Epochs count from 0. It allocates a generator, 2.5 KB, and nothing that grows with len(dst).
func EpochOrder(dst []int32, seed uint32, epoch int) {
	epochState(seed, epoch).Permutation(dst)
}

// EpochOrderContext is EpochOrder for long series: it stops with ctx.Err() when ctx ends, and dst is then of no use.
func EpochOrderContext(ctx context.Context, dst []int32, seed uint32, epoch int) error {
	return epochState(seed, epoch).PermutationContext(ctx, dst)
}

func epochState(seed uint32, epoch int) *RandomState {
	return NewRandomState(seed + 1 + uint32(epoch)) // unsigned arithmetic is modulo 2^32 already
}
