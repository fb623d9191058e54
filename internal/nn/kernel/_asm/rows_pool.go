package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
)

// Comparisons of VCMPPS.
const (
	equal        = 0
	unordered    = 3
	notLessEqual = 6 // larger or a NaN
)

// maxPool keeps apart where a NaN was seen: the larger of two loses one of them.
func maxPool(r *rowSet) {
	r.function("maxPool"+r.suffix, "groups, pool, n int, y, x *float32, stride int",
		"is y [groups] = the largest of each pool rows of x, a NaN where one of them is, for n columns, at most 24, in matrices of that stride.")
	lowest := y(14)
	bits := r.GP32()
	r.MOVL(operand.U32(math.Float32bits(float32(math.Inf(-1)))), bits)
	r.VMOVD(bits, lowest.AsX())
	r.VPBROADCASTD(lowest.AsX(), lowest)
	r.ofPanels(panelsAVX2(), func(p panel, label func(string) string) {
		groups, out, in, stride := r.param("groups"), r.param("y"), r.param("x"), r.stride("stride")
		const top, isNaN, value, sees = 0, 3, 6, 9
		r.times(label("group"), groups, func() {
			for j := range p.vectors {
				r.VMOVAPS(lowest, y(top+j))
				r.VXORPS(y(isNaN+j), y(isNaN+j), y(isNaN+j))
			}
			r.times(label("position"), r.param("pool"), func() {
				r.loadRow(p, in, value)
				for j := range p.vectors {
					r.VMAXPS(y(top+j), y(value+j), y(top+j)) // of a NaN and the largest, or of equals, it takes the last, the largest
					r.VCMPPS(operand.U8(unordered), y(value+j), y(value+j), y(sees+j))
					r.VORPS(y(sees+j), y(isNaN+j), y(isNaN+j))
				}
				r.ADDQ(stride, in)
			})
			for j := range p.vectors {
				r.VORPS(y(isNaN+j), y(top+j), y(top+j))
			}
			r.storeRow(p, out, top)
			r.ADDQ(stride, out)
		})
	})
}

// maxPoolGrad holds what is left of the gradient: nothing, once a position has got it.
func maxPoolGrad(r *rowSet) {
	r.function("maxPoolGrad"+r.suffix, "groups, pool, n int, dx, x, y, dy *float32, stride int",
		"is dx = dy at the first of each pool rows whose x equals y [groups] or is a NaN, 0 elsewhere, for n columns, at most 24, in",
		"matrices of that stride.")
	r.ofPanels(panelsAVX2(), func(p panel, label func(string) string) {
		groups, dx, in := r.param("groups"), r.param("dx"), r.param("x")
		tops, dy, stride := r.param("y"), r.param("dy"), r.stride("stride")
		const top, left, value, sees = 0, 3, 6, 9
		r.times(label("group"), groups, func() {
			r.loadRow(p, tops, top)
			r.loadRow(p, dy, left)
			r.times(label("position"), r.param("pool"), func() {
				r.loadRow(p, in, value)
				for j := range p.vectors {
					r.VCMPPS(operand.U8(equal), y(top+j), y(value+j), y(sees+j))
					r.VCMPPS(operand.U8(unordered), y(value+j), y(value+j), y(value+j))
					r.VORPS(y(value+j), y(sees+j), y(sees+j))
					r.VANDPS(y(left+j), y(sees+j), y(value+j))
					r.VANDNPS(y(left+j), y(sees+j), y(left+j))
				}
				r.storeRow(p, dx, value)
				r.ADDQ(stride, in)
				r.ADDQ(stride, dx)
			})
			r.ADDQ(stride, tops)
			r.ADDQ(stride, dy)
		})
	})
}
