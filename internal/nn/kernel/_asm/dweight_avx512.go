package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The weight gradient's lanes are no samples but weights: two inputs by 20 units are 40 neighbouring weights, five registers of 256
// bits without a gap. The third of them belongs to both inputs. A sample's dh stands twice in its row, so that the five registers
// of factors are five neighbouring loads:
//
//	weights    i0: 0..7   i0: 8..15   i0: 16..19, i1: 0..3   i1: 4..11   i1: 12..19
//	dh         0..7       8..15       16..19, 0..3           4..11       12..19

// denseWeightGradAVX512 holds eight inputs' sums, 20 registers, over all blocks.
func denseWeightGradAVX512(p *program) {
	const pairs = 4
	p.function("denseWeightGradAVX512", "inputs, flat, blocks int, dw, old, a, dh *float32, stream int",
		"is dw [inputs][20] = the sum over all samples of a by dh, from a [blocks][flat][16], of which the first inputs are taken, and",
		"dh [blocks][16][2][20], in which every row stands twice; plus old [inputs][20] unless that is nil. Where stream is not 0, dw",
		"is written past the caches. inputs is a multiple of 8.")
	inputs, flat, blocks := p.param("inputs"), p.param("flat"), p.param("blocks")
	dw, old, firstA, firstDH, stream := p.param("dw"), p.param("old"), p.param("a"), p.param("dh"), p.param("stream")
	// The registers that are blended must be among the first sixteen.
	factor := func(i int) reg.Register { return y(6 + i) }
	sum := func(pair, i int) reg.VecPhysical { return y(11 + 5*pair + i) }
	stride := p.scaled(row, flat)
	p.SHRQ(operand.U8(3), inputs)
	p.times("inputs", inputs, func() {
		for i := range 5 * pairs {
			p.VXORPS(sum(0, i), sum(0, i), sum(0, i))
		}
		block, dh, n := p.copyOf(firstA), p.copyOf(firstDH), p.copyOf(blocks)
		p.times("block", n, func() {
			a, s := p.copyOf(block), p.GP64()
			p.MOVQ(operand.U32(lanes), s)
			p.times("sample", s, func() {
				for i := range 5 {
					p.VMOVUPS(at(dh, i*32), factor(i))
				}
				for pair := range pairs {
					i0, i1, both := y(pair%2*3), y(pair%2*3+1), y(pair%2*3+2)
					p.VBROADCASTSS(at(a, 2*pair*row), i0)
					p.VBROADCASTSS(at(a, (2*pair+1)*row), i1)
					p.VBLENDPS(operand.U8(0xf0), i1, i0, both)
					for i, by := range []reg.Register{i0, i0, both, i1, i1} {
						p.VFMADD231PS(factor(i), by, sum(pair, i))
					}
				}
				p.advance(a, word)
				p.advance(dh, rowWords*word)
			})
			p.ADDQ(stride, block)
		})
		storeWeightGrad(p, 5*pairs, sum, dw, old, stream)
		p.advance(dw, 5*pairs*32)
		p.advance(firstA, 2*pairs*row)
	})
	p.end()
}

// storeWeightGrad adds the old sums to the first n registers of 256 bits, where there are any, and writes them.
func storeWeightGrad(p *program, n int, sum func(pair, i int) reg.VecPhysical, dw, old, stream reg.Register) {
	const bytes = 32
	p.TESTQ(old, old)
	p.JEQ(operand.LabelRef("fresh"))
	for i := range n {
		p.VADDPS(at(old, i*bytes), sum(0, i), sum(0, i))
	}
	p.advance(old, n*bytes)
	p.Label("fresh")
	p.TESTQ(stream, stream)
	p.JNE(operand.LabelRef("stream"))
	for i := range n {
		p.VMOVUPS(sum(0, i), at(dw, i*bytes))
	}
	p.JMP(operand.LabelRef("stored"))
	p.Label("stream")
	for i := range n {
		p.VMOVNTPS(sum(0, i), at(dw, i*bytes))
	}
	p.Label("stored")
}
