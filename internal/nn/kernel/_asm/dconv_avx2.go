package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// convGradAVX2 takes one half of the block after the other, so that a filter's sums stay in registers. The rest is as in the
// AVX-512 variant; a blend chooses by the sign of its mask.
func convGradAVX2(t *tables) {
	t.function("convGradAVX2", "pooled, filters int, sums, x, da *float32, picks *byte",
		"is sums [10][F][16] += each lane's gradient of the 9 taps and the bias, from x [D][16], da [F][Q][16] (0 where a is 0) and picks [Q][F].")
	for side := range halves {
		q, filters, n := t.param("pooled"), t.param("filters"), t.param("filters")
		sums, x, da, picks := t.param("sums"), t.param("x"), t.param("da"), t.param("picks")
		for _, pointer := range []reg.Register{sums, x, da} {
			t.advance(pointer, side*halfRow)
		}
		t.times(fmt.Sprintf("filter%d", side), n, func() {
			t.eachSum(sums, filters, func(m operand.Mem, i int) { t.VMOVUPS(m, y(i)) })
			t.gradOfFilter(side, q, filters, x, da, picks)
			t.eachSum(sums, filters, func(m operand.Mem, i int) { t.VMOVUPS(y(i), m) })
			t.advance(sums, row)
			t.advance(picks, 4)
		})
	}
	t.end()
}

// eachSum is for the ten sums of a filter, which lie the filters apart.
func (p *program) eachSum(first, filters reg.Register, do func(m operand.Mem, i int)) {
	s, stride := p.copyOf(first), p.scaled(row, filters)
	for i := range taps + 1 {
		do(at(s, 0), i)
		p.ADDQ(stride, s)
	}
}

// gradOfFilter adds to the sums in registers 0 to 9. It moves da on to the next filter.
func (t *tables) gradOfFilter(side int, q, filters, x, da, picks reg.Register) {
	g, bit1, bit0 := y(13), y(14), y(15)
	chosen := func(i int) reg.VecPhysical { return y(10 + i%3) }
	n, values, pick := t.copyOf(q), t.copyOf(x), t.copyOf(picks)
	stride := t.scaled(4, filters)
	shifts := t.pickShifts.Offset(side * 2 * halfRow)
	t.times(fmt.Sprintf("position%d", side), n, func() {
		t.VPBROADCASTD(at(pick, 0), bit0)
		t.VPSLLVD(shifts.Offset(halfRow), bit0, bit1)
		t.VPSLLVD(shifts, bit0, bit0)
		t.VMOVUPS(at(da, 0), g)
		for i := range taps + 1 {
			t.VMOVUPS(at(values, i*row), chosen(i))
			t.VBLENDVPS(bit1, at(values, (i+2)*row), chosen(i), chosen(i))
			if i == 0 {
				continue
			}
			t.VBLENDVPS(bit0, chosen(i), chosen(i-1), chosen(i-1))
			t.VFMADD231PS(chosen(i-1), g, y(i-1))
		}
		t.VADDPS(g, y(taps), y(taps))
		t.advance(da, row)
		t.advance(values, pool*row)
		t.ADDQ(stride, pick)
	})
}
