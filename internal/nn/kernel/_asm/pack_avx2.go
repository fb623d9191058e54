package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func pack32AVX2(t *tables) {
	packAVX2(t, "pack32AVX2", "float32", 4, func() {}, func(src operand.Mem, i int) {
		t.VMASKMOVPS(src, y(15), y(i))
	})
}

func pack64AVX2(t *tables) {
	masks := func() { // of four doubles each
		t.VPMOVSXDQ(x(15), y(10))
		t.VEXTRACTI128(operand.U8(1), y(15), x(11))
		t.VPMOVSXDQ(x(11), y(11))
	}
	packAVX2(t, "pack64AVX2", "float64", 8, masks, func(src operand.Mem, i int) {
		t.VMASKMOVPD(src, y(10), y(i))
		t.VMASKMOVPD(src.Offset(half/2*8), y(11), y(9))
		t.VCVTPD2PSY(y(i), x(i))
		t.VCVTPD2PSY(y(9), x(9))
		t.VINSERTF128(operand.U8(1), x(9), y(i), y(i))
	})
}

// packAVX2 turns windows into lanes, eight samples after the other eight, eight values of each at a time. Loads are masked at the
// windows' end, by register 15.
func packAVX2(t *tables, name, element string, size int, masks func(), load func(src operand.Mem, i int)) {
	t.function(name, "d int, x *float32, src *"+element+", n int, starts *int) (largest uint32",
		"is x [D][16] from the windows of src at the 16 starts, 0 in the lanes from n on. D is rounded up to a multiple of 16 in x, with",
		"rows of 0. largest is the largest magnitude of all values as twice its bits; a NaN is larger than any number.")
	d, to, from, n, starts := t.param("d"), t.param("x"), t.param("src"), t.param("n"), t.param("starts")
	largest, samples, doubled := y(13), y(14), y(12)
	t.VPXOR(largest, largest, largest)
	rest := t.GP64()
	t.MOVQ(operand.U32(halves), rest)
	t.times("half", rest, func() {
		t.firstLanes8(n, samples)
		left, values, out := t.copyOf(d), t.copyOf(from), t.copyOf(to)
		chunks := t.GP64() // an even number, so that x ends with a multiple of 16
		t.LEAQ(at(d, lanes-1), chunks)
		t.SHRQ(operand.U8(4), chunks)
		t.ADDQ(chunks, chunks)
		t.times("values", chunks, func() {
			t.firstLanes8(left, y(15))
			masks()
			var r [half]reg.VecPhysical
			for i := range half {
				r[i] = y(i)
				start := t.GP64()
				t.MOVQ(at(starts, i*8), start)
				load(operand.Mem{Base: values, Index: start, Scale: uint8(size)}, i)
				t.VPADDD(y(i), y(i), doubled)
				t.VPMAXUD(doubled, largest, largest)
			}
			for i, column := range t.transpose8(r, y(8)) {
				t.VPAND(samples, column, column)
				t.VMOVUPS(column, at(out, i*row))
			}
			t.advance(out, half*row)
			t.advance(values, half*size)
			t.SUBQ(operand.I32(half), left)
		})
		t.advance(to, halfRow)
		t.advance(starts, half*8)
		t.SUBQ(operand.I32(half), n)
	})
	t.VEXTRACTI128(operand.U8(1), largest, x(0))
	t.Store(t.largestOf4(x(0), largest.AsX()), t.ReturnIndex(0))
	t.end()
}
