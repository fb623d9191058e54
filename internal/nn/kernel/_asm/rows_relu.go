package main

import "github.com/mmcloughlin/avo/operand"

const (
	reluDoc     = "is y = max(x, 0), n values."
	reluGradDoc = "is dx = dy where y > 0, else 0, and a NaN where y is one, n values."
)

func reluAVX2(t *tables) {
	t.function("reluAVX2", "n int, y, x *float32", reluDoc)
	n, out, in := t.param("n"), t.param("y"), t.param("x")
	zero := y(14)
	t.VXORPS(zero, zero, zero)
	t.elementwise8(n, func(rest bool) {
		t.load8(at(in, 0), y(0), rest)
		t.VMAXPS(y(0), zero, y(0)) // of 0 and a NaN it takes the last, the NaN
		t.store8(y(0), at(out, 0), rest)
		t.advance(in, halfRow)
		t.advance(out, halfRow)
	})
}

func reluAVX512(p *program) {
	p.function("reluAVX512", "n int, y, x *float32", reluDoc)
	n, out, in := p.param("n"), p.param("y"), p.param("x")
	zero := z(31)
	p.VPXORD(zero, zero, zero)
	p.elementwise(n, func(rest bool) {
		p.load(at(in, 0), z(0), rest)
		p.VMAXPS(z(0), zero, z(0)) // of 0 and a NaN it takes the last, the NaN
		p.store(z(0), at(out, 0), rest)
		p.advance(in, row)
		p.advance(out, row)
	})
}

func reluGradAVX2(t *tables) {
	t.function("reluGradAVX2", "n int, dx, dy, y *float32", reluGradDoc)
	n, dx, dy, in := t.param("n"), t.param("dx"), t.param("dy"), t.param("y")
	zero := y(14)
	t.VXORPS(zero, zero, zero)
	t.elementwise8(n, func(rest bool) {
		t.load8(at(in, 0), y(0), rest)
		t.load8(at(dy, 0), y(1), rest)
		t.VCMPPS(operand.U8(notLessEqual), zero, y(0), y(2))
		t.VCMPPS(operand.U8(unordered), y(0), y(0), y(0))
		t.VANDPS(y(2), y(1), y(1))
		t.VORPS(y(0), y(1), y(1))
		t.store8(y(1), at(dx, 0), rest)
		t.advance(in, halfRow)
		t.advance(dy, halfRow)
		t.advance(dx, halfRow)
	})
}

func reluGradAVX512(p *program) {
	p.function("reluGradAVX512", "n int, dx, dy, y *float32", reluGradDoc)
	n, dx, dy, in := p.param("n"), p.param("dx"), p.param("dy"), p.param("y")
	zero := z(31)
	p.VPXORD(zero, zero, zero)
	p.elementwise(n, func(rest bool) {
		p.load(at(in, 0), z(0), rest)
		p.load(at(dy, 0), z(1), rest)
		p.VCMPPS(operand.U8(notLessEqual), zero, z(0), k(2))
		p.VCMPPS(operand.U8(unordered), z(0), z(0), k(3))
		p.VMOVAPS_Z(z(1), k(2), z(1))
		p.VMOVAPS(z(0), k(3), z(1))
		p.store(z(1), at(dx, 0), rest)
		p.advance(in, row)
		p.advance(dy, row)
		p.advance(dx, row)
	})
}
