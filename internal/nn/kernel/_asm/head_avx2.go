package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// logitsAVX2 is the second dense layer, any number of classes.
func logitsAVX2(t *tables) {
	t.function("logitsAVX2", "classes int, z, h, w, b *float32",
		"is z [C][16] = w^T h + b from h [20][16], w [20][C] and b [C].")
	n, to, h, w, b := t.param("classes"), t.param("z"), t.param("h"), t.param("w"), t.param("b")
	stride := t.scaled(word, n)
	t.times("class", n, func() {
		weight := t.copyOf(w)
		t.VBROADCASTSS(at(b, 0), y(0)) // two sums of each half, for half the wait
		t.VMOVAPS(y(0), y(1))
		t.VXORPS(y(2), y(2), y(2))
		t.VXORPS(y(3), y(3), y(3))
		for j := range units {
			t.VBROADCASTSS(at(weight, 0), y(4))
			for side := range halves {
				t.VFMADD231PS(at(h, j*row+side*halfRow), y(4), y(2*(j%2)+side))
			}
			t.ADDQ(stride, weight)
		}
		for side := range halves {
			t.VADDPS(y(2+side), y(side), y(side))
			t.VMOVUPS(y(side), at(to, side*halfRow))
		}
		t.advance(to, row)
		t.advance(w, word)
		t.advance(b, word)
	})
	t.end()
}

// headGradAVX2 takes the gradient back through the second dense layer and the first one's ReLU.
func headGradAVX2(t *tables) {
	t.function("headGradAVX2", "classes int, dh, rows, sums, h, dz, w *float32",
		"is dh [20][16] = w dz where h > 0, else 0, from h [20][16], dz [C][16] and w [20][C]; rows [16][2][20] are dh's columns, each",
		"twice; sums [20 + 20 C + C][16] += each lane's dh, h by dz, and dz: the gradients of the first layer's bias, the second's weights",
		"and its bias.")
	classes := t.param("classes")
	dh, rows, sums, h, dz, w := t.param("dh"), t.param("rows"), t.param("sums"), t.param("h"), t.param("dz"), t.param("w")
	zero := y(15)
	t.VXORPS(zero, zero, zero)
	kernel, to, unit := t.GP64(), t.copyOf(dh), t.GP64()
	t.LEAQ(at(sums, units*row), kernel)
	t.MOVQ(operand.U32(units), unit)
	t.times("unit", unit, func() {
		for side := range halves {
			t.VMOVUPS(at(h, side*halfRow), y(side))
			t.VXORPS(y(2+side), y(2+side), y(2+side))
		}
		d, n := t.copyOf(dz), t.copyOf(classes)
		t.times("weight", n, func() {
			t.VBROADCASTSS(at(w, 0), y(4))
			for side := range halves {
				value, grad, product := y(side), y(2+side), y(5)
				t.VMOVUPS(at(d, side*halfRow), product)
				t.VFMADD231PS(product, y(4), grad)
				t.VFMADD213PS(at(kernel, side*halfRow), value, product)
				t.VMOVUPS(product, at(kernel, side*halfRow))
			}
			t.advance(w, word)
			t.advance(d, row)
			t.advance(kernel, row)
		})
		for side := range halves {
			value, grad := y(side), y(2+side)
			t.VCMPPS(operand.U8(notLessOrEqual), zero, value, value) // a NaN lets its gradient through
			t.VANDPS(value, grad, grad)
			t.VMOVUPS(grad, at(to, side*halfRow))
			t.VADDPS(at(sums, side*halfRow), grad, grad)
			t.VMOVUPS(grad, at(sums, side*halfRow))
		}
		t.advance(h, row)
		t.advance(to, row)
		t.advance(sums, row)
	})
	t.times("bias", classes, func() {
		for side := range halves {
			t.VMOVUPS(at(dz, side*halfRow), y(0))
			t.VADDPS(at(kernel, side*halfRow), y(0), y(0))
			t.VMOVUPS(y(0), at(kernel, side*halfRow))
		}
		t.advance(dz, row)
		t.advance(kernel, row)
	})
	for side := range halves {
		t.eightColumnsOf20(at(dh, side*halfRow), at(rows, side*half*rowWords*word))
	}
	t.end()
}

// eightColumnsOf20 writes the columns of one half of 20 rows, each twice.
func (p *program) eightColumnsOf20(src, dst operand.Mem) {
	store := func(column reg.Register, sample, unit int) {
		for copies := range 2 {
			p.VMOVUPS(column, dst.Offset((sample*rowWords+copies*units+unit)*word))
		}
	}
	for j := 0; j < 16; j += half {
		var r [half]reg.VecPhysical
		for i := range half {
			r[i] = y(i)
			p.VMOVUPS(src.Offset((j+i)*row), y(i))
		}
		for sample, column := range p.transpose8(r, y(8)) {
			store(column, sample, j)
		}
	}
	for i := range 4 {
		p.VMOVUPS(src.Offset((16+i)*row), y(i))
	}
	p.VUNPCKLPS(y(1), y(0), y(4))
	p.VUNPCKHPS(y(1), y(0), y(5))
	p.VUNPCKLPS(y(3), y(2), y(6))
	p.VUNPCKHPS(y(3), y(2), y(7))
	p.VUNPCKLPD(y(6), y(4), y(0))
	p.VUNPCKHPD(y(6), y(4), y(1))
	p.VUNPCKLPD(y(7), y(5), y(2))
	p.VUNPCKHPD(y(7), y(5), y(3))
	for c := range 4 { // register c holds the columns c and 4+c
		store(x(c), c, 16)
		p.VEXTRACTF128(operand.U8(1), y(c), x(4))
		store(x(4), 4+c, 16)
	}
}
