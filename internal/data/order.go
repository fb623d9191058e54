package data

import "context"

// EpochOrder overwrites dst with the order in which an epoch's samples come: RandomState((seed+1+epoch) mod 2^32).permutation(len(dst)).
// Epochs count from 0. It allocates a generator, 2.5 KB, and nothing that grows with len(dst). It stops with ctx.Err() when ctx ends,
// and dst is then of no use.
func EpochOrder(ctx context.Context, dst []int32, seed uint32, epoch int) error {
	r := NewRandomState(seed + 1 + uint32(epoch)) // unsigned arithmetic is modulo 2^32 already
	return r.Permutation(ctx, dst)
}
