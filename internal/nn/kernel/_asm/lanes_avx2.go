package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanesAVX2 is the set of loops over blocks of 16 samples, one in each lane of two 256-bit registers.
func lanesAVX2(p *program) {
	t := &tables{program: p}
	t.numbers = p.StaticGlobal("laneNumbers")
	p.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range half {
		p.AppendDatum(operand.U32(i))
	}
	t.pickShifts = p.StaticGlobal("lanePickShifts")
	p.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, shift := range pickShifts() {
		p.AppendDatum(operand.U32(shift))
	}
	convReLUPoolAVX2(t)
	denseAVX2(t)
	denseInputGradAVX2(t)
	denseWeightGradAVX2(t)
	convGradAVX2(t)
	pack32AVX2(t)
	pack64AVX2(t)
	logitsAVX2(t)
	headGradAVX2(t)
	adamAVX2(t)
	adamStreamAVX2(t)
	accumulateAVX2(t)
	narrowAVX2(t)
}

const (
	half    = 8  // samples in a 256-bit register
	halfRow = 32 // their bytes
	halves  = 2
)

// tables is a program with constants in memory.
type tables struct {
	*program
	numbers    operand.Mem // 0 to 7
	pickShifts operand.Mem // see pickShifts
}

// firstLanes8 is a mask in a vector register of the first n lanes, n of any sign or size.
func (t *tables) firstLanes8(n reg.GPVirtual, mask reg.VecPhysical) {
	t.VMOVD(n.As32(), mask.AsX())
	t.VPBROADCASTD(mask.AsX(), mask)
	t.VPCMPGTD(t.numbers, mask, mask)
}

// transpose8 turns eight registers of eight floats into their columns. It says which register holds which column.
func (p *program) transpose8(r [half]reg.VecPhysical, free reg.VecPhysical) [half]reg.VecPhysical {
	pair := func(i, j int, first, second func(b, a, to reg.Register)) {
		first(r[j], r[i], free)
		second(r[j], r[i], r[j])
		r[i], free = free, r[i]
	}
	op := func(f func(ops ...operand.Op)) func(b, a, to reg.Register) {
		return func(b, a, to reg.Register) { f(b, a, to) }
	}
	exchange := func(order uint8) func(b, a, to reg.Register) {
		return func(b, a, to reg.Register) { p.VPERM2F128(operand.U8(order), b, a, to) }
	}
	for i := 0; i < half; i += 2 {
		pair(i, i+1, op(p.VUNPCKLPS), op(p.VUNPCKHPS))
	}
	for i := 0; i < half; i += 4 {
		pair(i, i+2, op(p.VUNPCKLPD), op(p.VUNPCKHPD))
		pair(i+1, i+3, op(p.VUNPCKLPD), op(p.VUNPCKHPD))
		r[i+1], r[i+2] = r[i+2], r[i+1]
	}
	// Now register 4g+c holds columns c and 4+c of rows 4g to 4g+3.
	for c := range 4 {
		pair(c, 4+c, exchange(0x20), exchange(0x31))
	}
	return r
}
