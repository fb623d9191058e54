package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise8 runs body on eight elements at a time and once more on the rest, where loads and stores are masked by register 15.
func (t *tables) elementwise8(n reg.GPVirtual, body func(rest bool)) {
	t.SUBQ(operand.I32(half), n)
	t.JL(operand.LabelRef("rest"))
	t.Label("full")
	body(false)
	t.SUBQ(operand.I32(half), n)
	t.JGE(operand.LabelRef("full"))
	t.Label("rest")
	t.ADDQ(operand.I32(half), n)
	t.JEQ(operand.LabelRef("done"))
	t.firstLanes8(n, y(15))
	body(true)
	t.Label("done")
	t.end()
}

// load8 and store8 move eight floats, or what the mask leaves of them.
func (t *tables) load8(from operand.Mem, to reg.Register, rest bool) {
	if rest {
		t.VMASKMOVPS(from, y(15), to)
		return
	}
	t.VMOVUPS(from, to)
}

func (t *tables) store8(from reg.Register, to operand.Mem, rest bool) {
	if rest {
		t.VMASKMOVPS(from, y(15), to)
		return
	}
	t.VMOVUPS(from, to)
}

func adamAVX2(t *tables) {
	t.function("adamAVX2", adamParameters, "updates n weights w and their moments m and v from the gradient d, see AdamStep.")
	adamHalf(t, t.store8)
}

func adamStreamAVX2(t *tables) {
	t.function("adamStreamAVX2", adamParameters, "is adamAVX2 with weights that are written past the caches, but for the last ones where n is no multiple of 8.",
		"w begins at a cache line.")
	adamHalf(t, func(from reg.Register, to operand.Mem, rest bool) {
		if rest {
			t.store8(from, to, rest)
			return
		}
		t.VMOVNTPS(from, to)
	})
}

// adamHalf is the loop; store writes the weights.
func adamHalf(t *tables, store func(from reg.Register, to operand.Mem, rest bool)) {
	n, weights, first, second, gradient := t.param("n"), t.param("w"), t.param("m"), t.param("v"), t.param("d")
	alpha, rate1, rate2, epsilon, tiny, magnitude := y(14), y(13), y(12), y(11), y(10), y(9)
	t.argument("alpha", alpha)
	t.argument("rate1", rate1)
	t.argument("rate2", rate2)
	t.argument("epsilon", epsilon)
	t.constant8(0x1p-100, tiny)
	t.constant8(math.Float32frombits(math.MaxInt32), magnitude) // all bits but the sign
	t.elementwise8(n, func(rest bool) {
		g, m, v, w, s := y(0), y(1), y(2), y(3), y(4)
		t.load8(at(gradient, 0), g, rest)
		t.load8(at(first, 0), m, rest)
		t.load8(at(second, 0), v, rest)
		t.load8(at(weights, 0), w, rest)
		t.VSUBPS(m, g, s)
		t.VFMADD231PS(rate1, s, m)
		t.VFMSUB213PS(v, g, g) // g*g - v
		t.VFMADD231PS(rate2, g, v)
		t.VANDPS(magnitude, m, s)
		t.VCMPPS(operand.U8(notLess), tiny, s, s)
		t.VANDPS(s, m, m)
		t.VCMPPS(operand.U8(notLess), tiny, v, s)
		t.VANDPS(s, v, v)
		t.store8(m, at(first, 0), rest)
		t.store8(v, at(second, 0), rest)
		t.VSQRTPS(v, v)
		t.VADDPS(epsilon, v, v)
		t.VMULPS(alpha, m, m)
		t.VDIVPS(v, m, m)
		t.VSUBPS(m, w, w)
		store(w, at(weights, 0), rest)
		for _, pointer := range []reg.Register{weights, first, second, gradient} {
			t.advance(pointer, halfRow)
		}
	})
}

// constant8 fills a register with a float.
func (t *tables) constant8(value float32, to reg.VecPhysical) {
	bits := t.GP32()
	t.MOVL(operand.U32(math.Float32bits(value)), bits)
	t.VMOVD(bits, to.AsX())
	t.VPBROADCASTD(to.AsX(), to)
}

func accumulateAVX2(t *tables) {
	t.function("accumulateAVX2", "n int, dst, src *float32", "is dst += src, n values.")
	n, dst, src := t.param("n"), t.param("dst"), t.param("src")
	t.elementwise8(n, func(rest bool) {
		t.load8(at(src, 0), y(0), rest)
		t.load8(at(dst, 0), y(1), rest)
		t.VADDPS(y(0), y(1), y(1))
		t.store8(y(1), at(dst, 0), rest)
		t.advance(dst, halfRow)
		t.advance(src, halfRow)
	})
}

func narrowAVX2(t *tables) {
	t.function("narrowAVX2", "n int, dst *float32, src *float64", "converts n values.")
	n, dst, src := t.param("n"), t.param("dst"), t.param("src")
	t.elementwise8(n, func(rest bool) {
		if rest {
			t.VPMOVSXDQ(x(15), y(2))
			t.VEXTRACTI128(operand.U8(1), y(15), x(3))
			t.VPMOVSXDQ(x(3), y(3))
			t.VMASKMOVPD(at(src, 0), y(2), y(0))
			t.VMASKMOVPD(at(src, half/2*8), y(3), y(1))
			t.VCVTPD2PSY(y(0), x(0))
			t.VCVTPD2PSY(y(1), x(1))
		} else {
			t.VCVTPD2PSY(at(src, 0), x(0))
			t.VCVTPD2PSY(at(src, half/2*8), x(1))
		}
		t.VINSERTF128(operand.U8(1), x(1), y(0), y(0))
		t.store8(y(0), at(dst, 0), rest)
		t.advance(dst, halfRow)
		t.advance(src, half*8)
	})
}
