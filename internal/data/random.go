package data

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// RandomState is NumPy's legacy generator (numpy.random.RandomState and the functions of numpy.random) on the Mersenne Twister
// MT19937: the same seed gives the same numbers in the same order. It is used by one goroutine at a time.
type RandomState struct {
	src prng.MT19937
	// The polar method makes normal values in pairs; the second waits for the next call, as in NumPy.
	spare    float64
	hasSpare bool
}

// NewRandomState is numpy.random.RandomState(seed).
func NewRandomState(seed uint32) *RandomState {
	r := new(RandomState)
	r.src.Seed(uint64(seed))
	return r
}

// Normal is RandomState.normal(loc, scale) for one value.
func (r *RandomState) Normal(loc, scale float64) float64 {
	// The conversion keeps a compiler from fusing the product into the sum, which would round once where NumPy rounds twice.
	return loc + float64(scale*r.gauss())
}

// gauss is a standard normal value by Marsaglia's polar method.
func (r *RandomState) gauss() float64 {
	if r.hasSpare {
		r.hasSpare = false
		return r.spare
	}
	for {
		x1 := 2*r.uniform() - 1
		x2 := 2*r.uniform() - 1
		// Unfused for the same reason as in Normal: a last bit here could even change which pairs are rejected.
		r2 := float64(x1*x1) + float64(x2*x2)
		if r2 >= 1 || r2 == 0 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(r2) / r2)
		r.spare, r.hasSpare = f*x1, true
		return f * x2
	}
}

// uniform is a value from [0, 1) with 53 random bits.
func (r *RandomState) uniform() float64 {
	high, low := uint64(r.src.Uint32()>>5), uint64(r.src.Uint32()>>6)
	return float64(high<<26|low) / (1 << 53)
}

// Choice is RandomState.choice(n, m, replace=False), m of the numbers below n: the first m of permutation(n), in a slice of its own.
// It needs 4n bytes meanwhile. It panics unless 0 <= m <= n, and stops with ctx.Err() when ctx ends.
func (r *RandomState) Choice(ctx context.Context, n, m int) ([]int32, error) {
	if m < 0 || m > n {
		panic("data: a choice without replacement needs 0 <= m <= n")
	}
	all := make([]int32, n)
	if err := r.Permutation(ctx, all); err != nil {
		return nil, err
	}
	chosen := make([]int32, m)
	copy(chosen, all)
	return chosen, nil
}

// Permutation overwrites dst with RandomState.permutation(len(dst)). It stops with ctx.Err() when ctx ends, and dst is then of no use.
func (r *RandomState) Permutation(ctx context.Context, dst []int32) error {
	err := inPieces(ctx, len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i] = int32(i)
		}
	})
	if err != nil {
		return err
	}
	// Fisher and Yates from the end down to element 1. Places are drawn a block ahead of the swaps, because a rejected draw is a
	// mispredicted branch, and without one in between the CPU overlaps the cache misses of many swaps.
	return inPieces(ctx, len(dst)-1, func(lo, hi int) {
		var places [256]uint32
		for lo < hi {
			block := places[:min(hi-lo, len(places))]
			top := len(dst) - 1 - lo
			for k := range block {
				block[k] = r.below(uint32(top - k))
			}
			for k, j := range block {
				i := top - k
				dst[i], dst[j] = dst[j], dst[i]
			}
			lo += len(block)
		}
	})
}

// below is a whole number from [0, limit], limit >= 1, by masking and rejection: one 32-bit draw a try.
func (r *RandomState) below(limit uint32) uint32 {
	mask := uint32(1)<<bits.Len32(limit) - 1
	for {
		if v := r.src.Uint32() & mask; v <= limit {
			return v
		}
	}
}
