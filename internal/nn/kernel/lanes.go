package kernel

import (
	"math"
	"unsafe"
)

// LaneWidth is the number of samples of a block: one rides in each lane of a 512-bit register, or of two of 256 bits.
const LaneWidth = 16

// Lanes is the compiled step's loops over blocks of LaneWidth samples. A value of a block is a row of LaneWidth floats, one of each
// sample; an array of such values is written [n][L]. Weights are laid out as Keras has them. A block with fewer samples has zeros in
// the lanes without one; they add nothing to a gradient as long as their hidden units and their gradient of the logits are 0.
//
// Some loops can write past the caches: for memory that other cores hold in theirs, and will read next. Such stores may be seen late,
// but not after the next locked instruction, of which every way to tell another thread has one (Intel SDM, volume 3, "Buffering of
// Write Combining Memory Locations"; AMD APM, volume 2, "Write-Combining Buffers").
//
// The loops are unrolled for certain shapes, see Fits. The convolution must be given moderate values only: see Pack32. Slices may be
// longer than needed; loops panic where one is too short. Memory from Aligned is the fastest.
type Lanes struct {
	// PickBytes is the size of the pick of one value of a block.
	PickBytes int
	// Fits tells whether the loops take this geometry and number of units of the hidden layer, for any number of classes.
	Fits func(c Conv, units int) bool

	// Pack32 and Pack64 are x [PaddedWindow(d)][L] from the windows src[start:start+d], of which there are 1 to L; the rows behind
	// the windows become 0. They tell whether all values are moderate: no NaN, and at most 2^10 in magnitude.
	Pack32 func(d int, x, src []float32, starts []int) bool
	Pack64 func(d int, x []float32, src []float64, starts []int) bool
	// Prefetch32 and Prefetch64 ask for those windows ahead of time; they change nothing but what is in the cache.
	Prefetch32 func(d int, src []float32, starts []int)
	Prefetch64 func(d int, src []float64, starts []int)

	// ConvTaps prepares the taps w [K][F] and biases b [F] for ConvReLUPool: t [F][TapWords]. They must be moderate, too.
	ConvTaps func(c Conv, t, w, b []float32)
	// ConvReLUPool is a [Q][F][L] = max over the P positions of relu(conv+b), and for each of them which position was chosen, the
	// first of equals, in picks [Q][F][PickBytes]; that of an a of 0 means nothing.
	ConvReLUPool func(c Conv, a []float32, picks []byte, x, t []float32)
	// Dense is h [H][L] = relu(w^T a + b) from a [flat][L], w [flat][H] and b [H].
	Dense func(flat int, h, a, w, b []float32)
	// Logits is z [C][L] = w^T h + b from h [H][L], w [H][C] and b [C].
	Logits func(classes int, z, h, w, b []float32)

	// HeadGrad is dh [H][L] = w dz where h > 0, else 0, from dz [C][L], h and w [H][C]. rows [L][2][H] are dh's columns, each
	// twice, as DenseWeightGrad takes them. sums [H + H C + C][L] += what each lane adds to the gradients of the first layer's
	// bias, the second's weights, and its bias: the order of the arena of parameters.
	HeadGrad func(classes int, dh, rows, sums, h, dz, w []float32)
	// DenseInputGrad is da [F][Q][L] = w dh where a > 0, else 0, from a [Q][F][L], dh [H][L] and w [Q][F][H].
	DenseInputGrad func(c Conv, da, a, dh, w []float32)
	// DenseWeightGrad is dw [flat][H] = the sum over all samples of a by dh, for the inputs [from, to), multiples of 8, from
	// a [blocks][flat][L] and rows [blocks][L][2][H]; plus old [flat][H] where that is not nil. It may be dw. Where stream is true, dw
	// is written past the caches, and must begin at a cache line.
	DenseWeightGrad func(flat, blocks, from, to int, dw, old, a, rows []float32, stream bool)
	// ConvGrad is sums [K+1][F][L] += what each lane adds to the gradients of the taps and, last, the bias, from x, da and picks.
	ConvGrad func(c Conv, sums, x, da []float32, picks []byte)
	// SumLanes is dst, each the sum of a row of sums [len(dst)][L], added in the same order by every variant.
	SumLanes func(dst, sums []float32)
	// Stream is dst = src, len(dst) of them, and AdamStream is Adam, the same bits. They write dst and w past the caches, all
	// but what fills no vector at the end. dst and w must begin at a cache line.
	Stream     func(dst, src []float32)
	AdamStream func(s AdamStep, w, m, v, g []float32)
}

// TapWords is the length of a filter's taps as ConvTaps prepares them.
const TapWords = 20

// PaddedWindow is the number of rows that Pack32 and Pack64 write.
func PaddedWindow(d int) int { return (d + LaneWidth - 1) / LaneWidth * LaneWidth }

// moderate is the largest magnitude that the lanes' convolution takes. It adds and subtracts neighbouring values before it multiplies
// them, so that its error is relative to the largest of a dozen neighbours: near a value of that size it is still about 1e-5 of an
// ordinary one, beyond it would show. No sum of products overflows either.
const moderate = 0x1p10

// Moderate tells whether all values are: no NaN, and at most 2^10 in magnitude.
func Moderate(x []float32) bool {
	for _, v := range x {
		if !(v <= moderate && v >= -moderate) {
			return false
		}
	}
	return true
}

// moderateBits tells the same of the largest magnitude as twice its bits.
func moderateBits(largest uint32) bool { return largest <= 2*math.Float32bits(moderate) }

// cacheLine is the size that the fastest loads must not straddle.
const cacheLine = 64

// Aligned makes a slice of n zeros that begins at a cache line.
func Aligned(n int) []float32 {
	const words = cacheLine / 4
	x := make([]float32, n+words-1)
	skip := 0
	for uintptr(unsafe.Pointer(unsafe.SliceData(x[skip:])))%cacheLine != 0 {
		skip++
	}
	return x[skip : skip+n : skip+n]
}

// need panics where a slice is shorter than a loop without bounds checks would go.
func need(have, want int) {
	if have < want {
		panic("kernel: a slice is too short")
	}
}
