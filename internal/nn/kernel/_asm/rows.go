package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowSet is the set of loops over the rows of row-major matrices, with the last axis in the lanes. They are the same in both
// variants but for the widest vectors and for how the lanes beyond the last column are masked.
type rowSet struct {
	*program
	suffix string
	// mask makes the mask of the first n lanes, which load and store obey where rest is set.
	mask  func(n reg.GPVirtual)
	load  func(from operand.Mem, to reg.Register, rest bool)
	store func(from reg.Register, to operand.Mem, rest bool)
}

// rowsCommon are the functions that have one form in all variants.
func rowsCommon(p *program) { transposeTiles(p) }

func rowsAVX2(p *program) {
	t := &tables{program: p}
	t.numbers = p.StaticGlobal("rowNumbers")
	p.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range half {
		p.AppendDatum(operand.U32(i))
	}
	r := &rowSet{
		program: p, suffix: "AVX2", load: t.load8, store: t.store8,
		mask: func(n reg.GPVirtual) { t.firstLanes8(n, y(15)) },
	}
	rowProduct(r, panelsAVX2(), []int{3, 2, 1})
	rowLoops(r)
	reluAVX2(t)
	reluGradAVX2(t)
}

func rowsAVX512(p *program) {
	r := &rowSet{
		program: p, suffix: "AVX512", load: p.load, store: p.store,
		mask: func(n reg.GPVirtual) { p.KMOVW(p.firstLanes(n), k(1)) },
	}
	rowProduct(r, panelsAVX512(), []int{9, 4, 3, 2, 1})
	rowLoops(r)
	reluAVX512(p)
	reluGradAVX512(p)
}

// rowLoops are the loops that memory bounds: 256-bit vectors in both variants, of which a row of 24 values has three, none of them
// across a cache line where the rows are aligned.
func rowLoops(r *rowSet) {
	biasAdd(r)
	columnSum(r)
	maxPool(r)
	maxPoolGrad(r)
}

// panel is a number of columns side by side, in vectors of 8 or 16 lanes. It is taken where more than above columns are there.
type panel struct {
	above   int
	vectors []int
	masked  bool // the last vector is
}

// panelsAVX2 has a full panel without masks, because masked stores are slow on some CPUs.
func panelsAVX2() []panel {
	return []panel{
		{above: 23, vectors: []int{8, 8, 8}},
		{above: 16, vectors: []int{8, 8, 8}, masked: true},
		{above: 8, vectors: []int{8, 8}, masked: true},
		{above: 0, vectors: []int{8}, masked: true},
	}
}

// panelsAVX512 has one in 512-bit vectors.
func panelsAVX512() []panel {
	return append([]panel{{above: 24, vectors: []int{16, 16}, masked: true}}, panelsAVX2()...)
}

// offset is where a vector begins in its panel, in bytes.
func (p panel) offset(vector int) int {
	columns := 0
	for _, lanes := range p.vectors[:vector] {
		columns += lanes
	}
	return columns * word
}

func (p panel) rest(vector int) bool { return p.masked && vector == len(p.vectors)-1 }

// ofPanels writes body for each panel, behind the choice by the parameter n, which is at least 1.
func (r *rowSet) ofPanels(panels []panel, body func(p panel, label func(name string) string)) {
	n := r.param("n")
	for i, p := range panels {
		next := fmt.Sprintf("panel%d", i+1)
		if p.above > 0 {
			r.CMPQ(n, operand.I32(p.above))
			r.JLE(operand.LabelRef(next))
		}
		if p.masked {
			lanes := r.copyOf(n)
			r.advance(lanes, -p.offset(len(p.vectors)-1)/word)
			r.mask(lanes)
		}
		body(p, func(name string) string { return fmt.Sprintf("%s%d", name, i) })
		r.end()
		if p.above > 0 {
			r.Label(next)
		}
	}
}

// stride loads a parameter that counts values, as bytes.
func (r *rowSet) stride(name string) reg.GPVirtual {
	s := r.param(name)
	r.SHLQ(operand.U8(2), s)
	return s
}

// loadRow and storeRow move the panel's part of a row; vector j is in 256-bit register first+j.
func (r *rowSet) loadRow(p panel, from reg.Register, first int) {
	for j := range p.vectors {
		r.load(at(from, p.offset(j)), y(first+j), p.rest(j))
	}
}

func (r *rowSet) storeRow(p panel, to reg.Register, first int) {
	for j := range p.vectors {
		r.store(y(first+j), at(to, p.offset(j)), p.rest(j))
	}
}

func biasAdd(r *rowSet) {
	r.function("biasAdd"+r.suffix, "rows, n int, y, x, b *float32, stride int",
		"is y = x + b for rows of n columns, at most 24, in matrices of that stride.")
	r.ofPanels(panelsAVX2(), func(p panel, label func(string) string) {
		rows, out, in, b, stride := r.param("rows"), r.param("y"), r.param("x"), r.param("b"), r.stride("stride")
		r.loadRow(p, b, 0)
		r.times(label("row"), rows, func() {
			r.loadRow(p, in, 3)
			for j := range p.vectors {
				r.VADDPS(y(j), y(3+j), y(3+j))
			}
			r.storeRow(p, out, 3)
			r.ADDQ(stride, in)
			r.ADDQ(stride, out)
		})
	})
}

func columnSum(r *rowSet) {
	r.function("columnSum"+r.suffix, "rows, n int, s, x *float32, stride int",
		"is s += each row of x, one after the other, for n columns, at most 24, in a matrix of that stride.")
	r.ofPanels(panelsAVX2(), func(p panel, label func(string) string) {
		rows, s, in, stride := r.param("rows"), r.param("s"), r.param("x"), r.stride("stride")
		r.loadRow(p, s, 0)
		r.times(label("row"), rows, func() {
			r.loadRow(p, in, 3)
			for j := range p.vectors {
				r.VADDPS(y(3+j), y(j), y(j))
			}
			r.ADDQ(stride, in)
		})
		r.storeRow(p, s, 0)
	})
}
