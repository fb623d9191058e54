package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise runs body on 16 elements at a time and once more on the rest. Whether it is the rest, where loads and stores are
// masked, is for load and store to know.
func (p *program) elementwise(n reg.GPVirtual, body func(rest bool)) {
	p.SUBQ(operand.I32(lanes), n)
	p.JL(operand.LabelRef("rest"))
	p.Label("full")
	body(false)
	p.SUBQ(operand.I32(lanes), n)
	p.JGE(operand.LabelRef("full"))
	p.Label("rest")
	p.ADDQ(operand.I32(lanes), n)
	p.JEQ(operand.LabelRef("done"))
	p.KMOVW(p.firstLanes(n), k(1))
	body(true)
	p.Label("done")
	p.end()
}

// load and store move 16 floats, or what the mask leaves of them.
func (p *program) load(from operand.Mem, to reg.Register, rest bool) {
	if rest {
		p.VMOVUPS_Z(from, k(1), to)
		return
	}
	p.VMOVUPS(from, to)
}

func (p *program) store(from reg.Register, to operand.Mem, rest bool) {
	if rest {
		p.VMOVUPS(from, k(1), to)
		return
	}
	p.VMOVUPS(from, to)
}

// constant fills a register with a float.
func (p *program) constant(value float32, to reg.VecPhysical) {
	bits := p.GP32()
	p.MOVL(operand.U32(math.Float32bits(value)), bits)
	p.VPBROADCASTD(bits, to)
}

// argument fills a register with a float32 parameter.
func (p *program) argument(name string, to reg.VecPhysical) {
	p.Load(p.Param(name), x(0))
	p.VBROADCASTSS(x(0), to)
}

const adamParameters = "n int, w, m, v, d *float32, alpha, rate1, rate2, epsilon float32"

func adamAVX512(p *program) {
	p.function("adamAVX512", adamParameters, "updates n weights w and their moments m and v from the gradient d, see AdamStep.")
	adamWide(p, p.store)
}

func adamStreamAVX512(p *program) {
	p.function("adamStreamAVX512", adamParameters, "is adamAVX512 with weights that are written past the caches, but for the last ones where n is no multiple of 16.",
		"w begins at a cache line.")
	adamWide(p, func(from reg.Register, to operand.Mem, rest bool) {
		if rest {
			p.store(from, to, rest)
			return
		}
		p.VMOVNTPS(from, to)
	})
}

// adamWide is the loop; store writes the weights.
func adamWide(p *program, store func(from reg.Register, to operand.Mem, rest bool)) {
	n, weights, first, second, gradient := p.param("n"), p.param("w"), p.param("m"), p.param("v"), p.param("d")
	alpha, rate1, rate2, epsilon, tiny, magnitude := z(31), z(30), z(29), z(28), z(27), z(26)
	p.argument("alpha", alpha)
	p.argument("rate1", rate1)
	p.argument("rate2", rate2)
	p.argument("epsilon", epsilon)
	p.constant(0x1p-100, tiny)
	p.constant(math.Float32frombits(math.MaxInt32), magnitude) // all bits but the sign
	p.elementwise(n, func(rest bool) {
		g, m, v, w, t := z(0), z(1), z(2), z(3), z(4)
		p.load(at(gradient, 0), g, rest)
		p.load(at(first, 0), m, rest)
		p.load(at(second, 0), v, rest)
		p.load(at(weights, 0), w, rest)
		p.VSUBPS(m, g, t)
		p.VFMADD231PS(rate1, t, m)
		p.VFMSUB213PS(v, g, g) // g*g - v
		p.VFMADD231PS(rate2, g, v)
		p.VANDPS(magnitude, m, t)
		p.VCMPPS(operand.U8(notLess), tiny, t, k(2))
		p.VMOVAPS_Z(m, k(2), m)
		p.VCMPPS(operand.U8(notLess), tiny, v, k(2))
		p.VMOVAPS_Z(v, k(2), v)
		p.store(m, at(first, 0), rest)
		p.store(v, at(second, 0), rest)
		p.VSQRTPS(v, v)
		p.VADDPS(epsilon, v, v)
		p.VMULPS(alpha, m, m)
		p.VDIVPS(v, m, m)
		p.VSUBPS(m, w, w)
		store(w, at(weights, 0), rest)
		for _, pointer := range []reg.Register{weights, first, second, gradient} {
			p.advance(pointer, row)
		}
	})
}

// notLess is the comparison that is true for a value that is larger, equal or a NaN.
const notLess = 5

func accumulateAVX512(p *program) {
	p.function("accumulateAVX512", "n int, dst, src *float32", "is dst += src, n values.")
	n, dst, src := p.param("n"), p.param("dst"), p.param("src")
	p.elementwise(n, func(rest bool) {
		p.load(at(src, 0), z(0), rest)
		p.load(at(dst, 0), z(1), rest)
		p.VADDPS(z(0), z(1), z(1))
		p.store(z(1), at(dst, 0), rest)
		p.advance(dst, row)
		p.advance(src, row)
	})
}

func narrowAVX512(p *program) {
	p.function("narrowAVX512", "n int, dst *float32, src *float64", "converts n values.")
	n, dst, src := p.param("n"), p.param("dst"), p.param("src")
	p.elementwise(n, func(rest bool) {
		if rest {
			p.KSHIFTRW(operand.U8(lanes/2), k(1), k(2))
			p.VCVTPD2PS_Z(at(src, 0), k(1), y(0))
			p.VCVTPD2PS_Z(at(src, lanes/2*8), k(2), y(1))
		} else {
			p.VCVTPD2PS(at(src, 0), y(0))
			p.VCVTPD2PS(at(src, lanes/2*8), y(1))
		}
		p.VINSERTF64X4(operand.U8(1), y(1), z(0), z(0))
		p.store(z(0), at(dst, 0), rest)
		p.advance(dst, row)
		p.advance(src, lanes*8)
	})
}
