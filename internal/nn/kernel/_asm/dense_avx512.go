package main

import "github.com/mmcloughlin/avo/operand"

// denseAVX512 keeps the sums of all units in registers and takes the weights from memory into the products. Another core may have
// written them past the caches, and a processor's own prefetching starts anew on each page of 4 KB: so it asks for them ahead, all but the
// first lines, which would be too late, and for some behind the last, which does no harm.
func denseAVX512(p *program) {
	const unroll = 4
	p.function("denseAVX512", "flat int, h, a, w, b *float32",
		"is h [20][16] = relu(w^T a + b) from a [flat][16], w [flat][20] and b [20]. flat is a multiple of 4.")
	n, h, a, w, b := p.param("flat"), p.param("h"), p.param("a"), p.param("w"), p.param("b")
	for j := range units {
		p.VBROADCASTSS(at(b, j*word), z(j))
	}
	p.SHRQ(operand.U8(2), n)
	p.times("input", n, func() {
		for i := range unroll {
			p.VMOVUPS(at(a, i*row), z(units+i))
			for j := range units {
				p.VFMADD231PS_BCST(at(w, (i*units+j)*word), z(units+i), z(j))
			}
		}
		for line := 0; line < unroll*units*word; line += cacheLine {
			p.PREFETCHT0(at(w, ahead+line))
		}
		p.advance(a, unroll*row)
		p.advance(w, unroll*units*word)
	})
	zero := z(31)
	p.VPXORD(zero, zero, zero)
	for j := range units {
		p.VMAXPS(z(j), zero, z(j)) // of 0 and a NaN it takes the last, the NaN
		p.VMOVUPS(z(j), at(h, j*row))
	}
	p.end()
}

// denseInputGradAVX512 keeps the gradient of all units in registers. Where a is open it tells by the sign of 0 - a as an integer:
// that needs no port of the multiplications, as a comparison into a mask register would.
func denseInputGradAVX512(p *program) {
	const tile = 4
	p.function("denseInputGradAVX512", "pooled, filters int, da, a, dh, w *float32",
		"is da [F][Q][16] = w dh where a > 0, else 0, from a [Q][F][16], w [Q][F][20] and dh [20][16]. F is a multiple of 4.")
	q, filters := p.param("pooled"), p.param("filters")
	da, a, dh, w := p.param("da"), p.param("a"), p.param("dh"), p.param("w")
	zero := z(31)
	p.VPXORD(zero, zero, zero)
	for j := range units {
		p.VMOVUPS(at(dh, j*row), z(j))
	}
	stride := p.scaled(row, q) // from a filter to the next in da
	p.SHRQ(operand.U8(2), filters)
	p.times("position", q, func() {
		to, n := p.copyOf(da), p.copyOf(filters)
		p.times("filter", n, func() {
			for j := range units {
				for u := range tile {
					weight, sum := at(w, (u*units+j)*word), z(units+u)
					if j == 0 {
						p.VMULPS_BCST(weight, z(j), sum)
						continue
					}
					p.VFMADD231PS_BCST(weight, z(j), sum)
				}
			}
			for u := range tile {
				sum, open := z(units+u), z(units+tile+u)
				p.VPSUBD(at(a, u*row), zero, open)
				p.VPSRAD(operand.U8(31), open, open)
				p.VPANDD(open, sum, sum)
				p.VMOVUPS(sum, at(to, 0))
				p.ADDQ(stride, to)
			}
			p.advance(a, tile*row)
			p.advance(w, tile*units*word)
		})
		p.advance(da, row)
	})
	p.end()
}
