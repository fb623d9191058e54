package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// denseAVX2 goes over the inputs once for every five units, whose sums fill ten registers.
func denseAVX2(t *tables) {
	const tile = 5
	t.function("denseAVX2", "flat int, h, a, w, b *float32",
		"is h [20][16] = relu(w^T a + b) from a [flat][16], w [flat][20] and b [20].")
	flat, h, firstA, firstW, b := t.param("flat"), t.param("h"), t.param("a"), t.param("w"), t.param("b")
	sum := func(j, side int) reg.VecPhysical { return y(2*j + side) }
	tiles := t.GP64()
	t.MOVQ(operand.U32(units/tile), tiles)
	t.times("units", tiles, func() {
		for j := range tile {
			t.VBROADCASTSS(at(b, j*word), sum(j, 0))
			t.VMOVAPS(sum(j, 0), sum(j, 1))
		}
		n, a, w := t.copyOf(flat), t.copyOf(firstA), t.copyOf(firstW)
		t.times("input", n, func() {
			t.VMOVUPS(at(a, 0), y(10))
			t.VMOVUPS(at(a, halfRow), y(11))
			for j := range tile {
				weight := y(12 + j%2)
				t.VBROADCASTSS(at(w, j*word), weight)
				t.VFMADD231PS(y(10), weight, sum(j, 0))
				t.VFMADD231PS(y(11), weight, sum(j, 1))
			}
			t.advance(a, row)
			t.advance(w, units*word)
		})
		zero := y(15)
		t.VXORPS(zero, zero, zero)
		for j := range tile {
			for side := range halves {
				t.VMAXPS(sum(j, side), zero, sum(j, side)) // of 0 and a NaN it takes the last, the NaN
				t.VMOVUPS(sum(j, side), at(h, j*row+side*halfRow))
			}
		}
		t.advance(b, tile*word)
		t.advance(h, tile*row)
		t.advance(firstW, tile*word)
	})
	t.end()
}

// denseInputGradAVX2 makes four filters' gradients at a time, in eight registers.
func denseInputGradAVX2(t *tables) {
	const tile = 4
	t.function("denseInputGradAVX2", "pooled, filters int, da, a, dh, w *float32",
		"is da [F][Q][16] = w dh where a > 0, else 0, from a [Q][F][16], w [Q][F][20] and dh [20][16]. F is a multiple of 4.")
	q, filters := t.param("pooled"), t.param("filters")
	da, a, dh, w := t.param("da"), t.param("a"), t.param("dh"), t.param("w")
	sum := func(u, side int) reg.VecPhysical { return y(2*u + side) }
	zero := y(15)
	t.VXORPS(zero, zero, zero)
	stride := t.scaled(row, q) // from a filter to the next in da
	t.SHRQ(operand.U8(2), filters)
	t.times("position", q, func() {
		to, n := t.copyOf(da), t.copyOf(filters)
		t.times("filter", n, func() {
			for j := range units {
				grad := [halves]reg.VecPhysical{y(8 + 2*(j%2)), y(9 + 2*(j%2))}
				for side := range halves {
					t.VMOVUPS(at(dh, j*row+side*halfRow), grad[side])
				}
				for u := range tile {
					weight := y(12 + u%3)
					t.VBROADCASTSS(at(w, (u*units+j)*word), weight)
					for side := range halves {
						if j == 0 {
							t.VMULPS(grad[side], weight, sum(u, side))
							continue
						}
						t.VFMADD231PS(grad[side], weight, sum(u, side))
					}
				}
			}
			for u := range tile {
				for side := range halves {
					open := y(8 + side)
					t.VPSUBD(at(a, u*row+side*halfRow), zero, open) // negative where a is open
					t.VPSRAD(operand.U8(31), open, open)
					t.VPAND(open, sum(u, side), sum(u, side))
					t.VMOVUPS(sum(u, side), at(to, side*halfRow))
				}
				t.ADDQ(stride, to)
			}
			t.advance(a, tile*row)
			t.advance(w, tile*units*word)
		})
		t.advance(da, row)
	})
	t.end()
}
