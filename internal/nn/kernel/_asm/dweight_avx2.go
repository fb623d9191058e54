package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// denseWeightGradAVX2 holds four inputs' sums, ten registers, over all blocks; how they lie is told at the AVX-512 variant. The
// middle one of the five factors has no register left and is taken from memory.
func denseWeightGradAVX2(t *tables) {
	const pairs, middle = 2, 2
	t.function("denseWeightGradAVX2", "inputs, flat, blocks int, dw, old, a, dh *float32, stream int",
		"is dw [inputs][20] = the sum over all samples of a by dh, from a [blocks][flat][16], of which the first inputs are taken, and",
		"dh [blocks][16][2][20], in which every row stands twice; plus old [inputs][20] unless that is nil. Where stream is not 0, dw",
		"is written past the caches. inputs is a multiple of 4.")
	inputs, flat, blocks := t.param("inputs"), t.param("flat"), t.param("blocks")
	dw, old, firstA, firstDH, stream := t.param("dw"), t.param("old"), t.param("a"), t.param("dh"), t.param("stream")
	sum := func(pair, i int) reg.VecPhysical { return y(5*pair + i) }
	factor := map[int]reg.VecPhysical{0: y(10), 1: y(11), 3: y(12), 4: y(13)}
	stride := t.scaled(row, flat)
	t.SHRQ(operand.U8(2), inputs)
	t.times("inputs", inputs, func() {
		for i := range 5 * pairs {
			t.VXORPS(sum(0, i), sum(0, i), sum(0, i))
		}
		block, dh, n := t.copyOf(firstA), t.copyOf(firstDH), t.copyOf(blocks)
		t.times("block", n, func() {
			a, s := t.copyOf(block), t.GP64()
			t.MOVQ(operand.U32(lanes), s)
			t.times("sample", s, func() {
				for i := range 5 {
					if i != middle {
						t.VMOVUPS(at(dh, i*halfRow), factor[i])
					}
				}
				for pair := range pairs {
					i0, i1 := y(14), y(15)
					t.VBROADCASTSS(at(a, 2*pair*row), i0)
					t.VBROADCASTSS(at(a, (2*pair+1)*row), i1)
					t.VFMADD231PS(factor[0], i0, sum(pair, 0))
					t.VFMADD231PS(factor[1], i0, sum(pair, 1))
					t.VBLENDPS(operand.U8(0xf0), i1, i0, i0)
					t.VFMADD231PS(factor[3], i1, sum(pair, 3))
					t.VFMADD231PS(factor[4], i1, sum(pair, 4))
					t.VFMADD231PS(at(dh, middle*halfRow), i0, sum(pair, middle))
				}
				t.advance(a, word)
				t.advance(dh, rowWords*word)
			})
			t.ADDQ(stride, block)
		})
		storeWeightGrad(t.program, 5*pairs, sum, dw, old, stream)
		t.advance(dw, 5*pairs*halfRow)
		t.advance(firstA, 2*pairs*row)
	})
	t.end()
}
