package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// logitsAVX512 is the second dense layer, any number of classes.
func logitsAVX512(p *program) {
	p.function("logitsAVX512", "classes int, z, h, w, b *float32",
		"is z [C][16] = w^T h + b from h [20][16], w [20][C] and b [C].")
	n, to, h, w, b := p.param("classes"), p.param("z"), p.param("h"), p.param("w"), p.param("b")
	stride := p.scaled(word, n)
	for j := range units {
		p.VMOVUPS(at(h, j*row), z(j))
	}
	p.times("class", n, func() {
		weight := p.copyOf(w)
		sum, other := z(20), z(21) // two sums, for half the wait
		p.VBROADCASTSS(at(b, 0), sum)
		p.VPXORD(other, other, other)
		for j := range units {
			p.VFMADD231PS_BCST(at(weight, 0), z(j), sum)
			p.ADDQ(stride, weight)
			sum, other = other, sum
		}
		p.VADDPS(other, sum, sum)
		p.VMOVUPS(sum, at(to, 0))
		p.advance(to, row)
		p.advance(w, word)
		p.advance(b, word)
	})
	p.end()
}

// headGradAVX512 takes the gradient back through the second dense layer and the first one's ReLU.
func headGradAVX512(p *program) {
	p.function("headGradAVX512", "classes int, dh, rows, sums, h, dz, w *float32",
		"is dh [20][16] = w dz where h > 0, else 0, from h [20][16], dz [C][16] and w [20][C]; rows [16][2][20] are dh's columns, each",
		"twice; sums [20 + 20 C + C][16] += each lane's dh, h by dz, and dz: the gradients of the first layer's bias, the second's weights",
		"and its bias.")
	classes := p.param("classes")
	dh, rows, sums, h, dz, w := p.param("dh"), p.param("rows"), p.param("sums"), p.param("h"), p.param("dz"), p.param("w")
	zero, value, grad, product := z(31), z(30), z(29), z(28)
	p.VPXORD(zero, zero, zero)
	kernel, to, unit := p.GP64(), p.copyOf(dh), p.GP64()
	p.LEAQ(at(sums, units*row), kernel)
	p.MOVQ(operand.U32(units), unit)
	p.times("unit", unit, func() {
		p.VMOVUPS(at(h, 0), value)
		p.VPXORD(grad, grad, grad)
		d, n := p.copyOf(dz), p.copyOf(classes)
		p.times("weight", n, func() {
			p.VMOVUPS(at(d, 0), product)
			p.VFMADD231PS_BCST(at(w, 0), product, grad)
			p.VFMADD213PS(at(kernel, 0), value, product)
			p.VMOVUPS(product, at(kernel, 0))
			p.advance(w, word)
			p.advance(d, row)
			p.advance(kernel, row)
		})
		p.VCMPPS(operand.U8(notLessOrEqual), zero, value, k(1)) // a NaN lets its gradient through
		p.VMOVAPS_Z(grad, k(1), grad)
		p.VMOVUPS(grad, at(to, 0))
		p.VADDPS(at(sums, 0), grad, grad)
		p.VMOVUPS(grad, at(sums, 0))
		p.advance(h, row)
		p.advance(to, row)
		p.advance(sums, row)
	})
	p.times("bias", classes, func() {
		p.VMOVUPS(at(dz, 0), product)
		p.VADDPS(at(kernel, 0), product, product)
		p.VMOVUPS(product, at(kernel, 0))
		p.advance(dz, row)
		p.advance(kernel, row)
	})
	p.columnsOf20(dh, rows)
	p.end()
}

// notLessOrEqual is the comparison that is true for a larger value or a NaN.
const notLessOrEqual = 6

// columnsOf20 writes the columns of 20 rows, each twice.
func (p *program) columnsOf20(src, dst reg.Register) {
	for i := range lanes {
		p.VMOVUPS(at(src, i*row), z(i))
	}
	p.KXNORW(k(1), k(1), k(1))
	for i, column := range p.transpose16(z(30), k(1)) {
		p.VMOVUPS(column, at(dst, i*rowWords*word))
		p.VMOVUPS(column, at(dst, (i*rowWords+units)*word))
	}
	for i := range 4 {
		p.VMOVUPS(at(src, (lanes+i)*row), z(i))
	}
	p.VUNPCKLPS(z(1), z(0), z(4))
	p.VUNPCKHPS(z(1), z(0), z(5))
	p.VUNPCKLPS(z(3), z(2), z(6))
	p.VUNPCKHPS(z(3), z(2), z(7))
	p.VUNPCKLPD(z(6), z(4), z(0))
	p.VUNPCKHPD(z(6), z(4), z(1))
	p.VUNPCKLPD(z(7), z(5), z(2))
	p.VUNPCKHPD(z(7), z(5), z(3))
	// Register c holds the columns c, 4+c, 8+c and 12+c.
	for i := range lanes {
		for copies := range 2 {
			p.VEXTRACTF32X4(operand.U8(i/4), z(i%4), at(dst, (i*rowWords+copies*units+lanes)*word))
		}
	}
}
