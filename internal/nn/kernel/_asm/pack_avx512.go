package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pack32AVX512 and pack64AVX512 turn windows into lanes, 16 values of each at a time. Loads are masked at the windows' end, stores
// where there is no sample.
func pack32AVX512(p *program) {
	packAVX512(p, "pack32AVX512", "float32", func(src operand.Mem, i int) {
		p.VMOVUPS_Z(src, k(2), z(i))
	})
}

func pack64AVX512(p *program) {
	packAVX512(p, "pack64AVX512", "float64", func(src operand.Mem, i int) {
		p.VCVTPD2PS_Z(src, k(2), y(i))
		p.VCVTPD2PS_Z(src.Offset(lanes/2*8), k(3), y(30))
		p.VINSERTF64X4(operand.U8(1), y(30), z(i), z(i))
	})
}

func packAVX512(p *program, name, element string, load func(src operand.Mem, i int)) {
	size := map[string]int{"float32": 4, "float64": 8}[element]
	p.function(name, "d int, x *float32, src *"+element+", n int, starts *int) (largest uint32",
		"is x [D][16] from the windows of src at the 16 starts, 0 in the lanes from n on. D is rounded up to a multiple of 16 in x, with",
		"rows of 0. largest is the largest magnitude of all values as twice its bits; a NaN is larger than any number.")
	d, x, src, starts := p.param("d"), p.param("x"), p.param("src"), p.param("starts")
	p.KMOVW(p.firstLanes(p.param("n")), k(1))
	largest := z(31)
	p.VPXORD(largest, largest, largest)
	p.Label("values")
	p.KMOVW(p.firstLanes(d), k(2))
	p.KSHIFTRW(operand.U8(lanes/2), k(2), k(3))
	for i := range lanes {
		start := p.GP64()
		p.MOVQ(at(starts, i*8), start)
		load(operand.Mem{Base: src, Index: start, Scale: uint8(size)}, i)
		p.VPADDD(z(i), z(i), z(30))
		p.VPMAXUD(z(30), largest, largest)
	}
	for i, column := range p.transpose16(z(30), k(1)) {
		p.VMOVUPS(column, at(x, i*row))
	}
	p.advance(x, lanes*row)
	p.advance(src, lanes*size)
	p.SUBQ(operand.I32(lanes), d)
	p.JG(operand.LabelRef("values"))
	p.Store(p.largestLane(largest), p.ReturnIndex(0))
	p.end()
}

// firstLanes is a mask of the first n lanes, of all where n is 16 or more.
func (p *program) firstLanes(n reg.Register) reg.GPVirtual {
	mask, all := p.GP32(), p.GP32()
	p.MOVL(operand.U32(1), mask)
	p.MOVL(n.(reg.GP).As32(), reg.ECX)
	p.SHLL(reg.CL, mask)
	p.DECL(mask)
	p.MOVL(operand.U32(1<<lanes-1), all)
	p.CMPQ(n, operand.I32(lanes))
	p.CMOVLGE(all, mask)
	return mask
}

// transpose16 turns rows 0 to 15 into columns, 0 where the mask is. It says which register holds which column.
func (p *program) transpose16(free, mask reg.Register) (columns [lanes]reg.Register) {
	r := make([]reg.Register, lanes)
	for i := range r {
		r[i] = z(i)
	}
	// pair replaces two registers by two results made from both.
	pair := func(i, j int, first, second func(b, a, to reg.Register)) {
		first(r[j], r[i], free)
		second(r[j], r[i], r[j])
		r[i], free = free, r[i]
	}
	op := func(f func(ops ...operand.Op)) func(b, a, to reg.Register) {
		return func(b, a, to reg.Register) { f(b, a, to) }
	}
	shuffle := func(order uint8) func(b, a, to reg.Register) {
		return func(b, a, to reg.Register) { p.VSHUFF32X4(operand.U8(order), b, a, to) }
	}
	last := func(order uint8) func(b, a, to reg.Register) {
		return func(b, a, to reg.Register) { p.VSHUFF32X4_Z(operand.U8(order), b, a, mask, to) }
	}
	for i := 0; i < lanes; i += 2 {
		pair(i, i+1, op(p.VUNPCKLPS), op(p.VUNPCKHPS))
	}
	for i := 0; i < lanes; i += 4 {
		pair(i, i+2, op(p.VUNPCKLPD), op(p.VUNPCKHPD))
		pair(i+1, i+3, op(p.VUNPCKLPD), op(p.VUNPCKHPD))
		r[i+1], r[i+2] = r[i+2], r[i+1]
	}
	// Now register 4g+c holds columns c, 4+c, 8+c and 12+c of rows 4g to 4g+3.
	for c := range 4 {
		pair(c, 4+c, shuffle(0x88), shuffle(0xdd))
		pair(8+c, 12+c, shuffle(0x88), shuffle(0xdd))
		pair(c, 8+c, last(0x88), last(0xdd))
		pair(4+c, 12+c, last(0x88), last(0xdd))
		columns[c], columns[8+c] = r[c], r[8+c]
		columns[4+c], columns[12+c] = r[4+c], r[12+c]
	}
	return columns
}

// largestLane is the largest of a register's lanes, unsigned.
func (p *program) largestLane(v reg.VecPhysical) reg.GPVirtual {
	half, quarter := v.AsY(), v.AsX()
	p.VEXTRACTI64X4(operand.U8(1), v, y(0))
	p.VPMAXUD(y(0), half, half)
	p.VEXTRACTI32X4(operand.U8(1), half, x(0))
	return p.largestOf4(x(0), quarter)
}

// largestOf4 is the largest of the lanes of two registers of 128 bits, unsigned.
func (p *program) largestOf4(a, b reg.Register) reg.GPVirtual {
	p.VPMAXUD(a, b, b)
	p.VPSHUFD(operand.U8(0x4e), b, a)
	p.VPMAXUD(a, b, b)
	p.VPSHUFD(operand.U8(0xb1), b, a)
	p.VPMAXUD(a, b, b)
	largest := p.GP32()
	p.VMOVD(b, largest)
	return largest
}
