package main

import "github.com/mmcloughlin/avo/operand"

// common are the functions that have one form in all variants.
func common(p *program) {
	convTaps(p)
	sumRows(p)
	prefetch(p)
	stream(p)
}

// sumRows adds in pairs: halves, quarters, and so on.
func sumRows(p *program) {
	p.function("sumRows", "n int, dst, src *float32", "is dst [n], each the sum of a row of src [n][16].")
	n, dst, src := p.param("n"), p.param("dst"), p.param("src")
	p.times("row", n, func() {
		p.VMOVUPS(at(src, 0), y(0))
		p.VADDPS(at(src, 32), y(0), y(0))
		p.VEXTRACTF128(operand.U8(1), y(0), x(1))
		p.VADDPS(x(1), x(0), x(0))
		p.VMOVHLPS(x(0), x(0), x(1))
		p.VADDPS(x(1), x(0), x(0))
		p.VMOVSHDUP(x(0), x(1))
		p.VADDSS(x(1), x(0), x(0))
		p.VMOVSS(x(0), at(dst, 0))
		p.advance(src, row)
		p.advance(dst, word)
	})
	p.end()
}

// prefetch asks for the cache lines of windows.
func prefetch(p *program) {
	p.function("prefetch", "n, bytes, size int, src *byte, starts *int",
		"brings the first bytes at n starts, counted in elements of that size from src, into the second-level cache. Any address will do.")
	n, bytes, size, src, starts := p.param("n"), p.param("bytes"), p.param("size"), p.param("src"), p.param("starts")
	p.times("window", n, func() {
		line, end := p.GP64(), p.GP64()
		p.MOVQ(at(starts, 0), line)
		p.IMULQ(size, line)
		p.ADDQ(src, line)
		p.LEAQ(operand.Mem{Base: line, Index: bytes, Scale: 1}, end)
		p.ANDQ(operand.I32(-64), line)
		p.Label("line")
		p.PREFETCHT1(at(line, 0))
		p.advance(line, 64)
		p.CMPQ(line, end)
		p.JLT(operand.LabelRef("line"))
		p.advance(starts, 8)
	})
	p.end()
}

// stream uses 256-bit stores: two of them fill a line before it leaves.
func stream(p *program) {
	p.function("stream", "lines int, dst, src *float32", "copies cache lines past the caches. dst begins at one. There is at least one.")
	lines, dst, src := p.param("lines"), p.param("dst"), p.param("src")
	p.times("line", lines, func() {
		p.VMOVUPS(at(src, 0), y(0))
		p.VMOVUPS(at(src, 32), y(1))
		p.VMOVNTPS(y(0), at(dst, 0))
		p.VMOVNTPS(y(1), at(dst, 32))
		p.advance(src, row)
		p.advance(dst, row)
	})
	p.end()
}
