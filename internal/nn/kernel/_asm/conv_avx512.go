package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// convReLUPoolAVX512 keeps the 22 data of a pooled position in registers for all filters, and takes the transformed taps from
// memory into the products. Comparisons into mask registers would take the ports of the multiplications, which are the scarce ones;
// maxima and differences do not, so which position was the largest is found by the signs of differences. Without NaNs and
// infinities a difference is negative exactly where the first is smaller.
func convReLUPoolAVX512(p *program) {
	p.function("convReLUPoolAVX512", "pooled, filters int, a *float32, picks *byte, x, t *float32",
		"is a [Q][F][16] = max over 4 positions of relu(conv+b) from x [D][16] and the transformed taps t [F][20].",
		"picks [Q][F] are two masks of 16 bits each, bit 0 and bit 1 of the first position that has the maximum; meaningless where a is 0.",
		"All values must be moderate.")
	q, filters := p.param("pooled"), p.param("filters")
	a, picks := p.param("a"), p.param("picks")
	values, first := p.param("x"), p.param("t")
	zero := z(31)
	p.VPXORD(zero, zero, zero)
	p.times("position", q, func() {
		data := p.convData(values)
		n, t := p.copyOf(filters), p.copyOf(first)
		p.times("filter", n, func() {
			y := p.fourPositions(data, t)
			// y holds y0 to y3; m and s are free registers of the nine sums.
			m01, m23 := z(26), z(27)
			p.VMAXPS(y[0], y[1], m01)
			p.VMAXPS(y[2], y[3], m23)
			p.VSUBPS(y[1], y[0], z(28)) // negative where position 1 is larger than 0
			p.VSUBPS(y[3], y[2], z(29)) // negative where position 3 is larger than 2
			p.VSUBPS(m23, m01, z(30))   // negative where one of 2 and 3 is larger than 0 and 1
			p.VMAXPS(m01, m23, m01)
			p.VPMOVD2M(z(30), k(2))
			p.VPTERNLOGD(operand.U8(0xca), z(28), z(29), z(30)) // the sign of 30 chooses between 29 and 28
			p.VMAXPS(zero, m01, m01)
			p.VPMOVD2M(z(30), k(1))
			p.VMOVUPS(m01, at(a, 0))
			p.KMOVW(k(1), at(picks, 0))
			p.KMOVW(k(2), at(picks, 2))
			p.advance(a, row)
			p.advance(picks, 4)
			p.advance(t, tapWords*word)
		})
		p.advance(values, pool*row)
	})
	p.end()
}

// convData loads the twelve values that a pooled position sees and makes the 22 data of them; it says which register holds which.
func (p *program) convData(values reg.Register) map[datum]reg.Register {
	v := func(i int) reg.Register { return z(i) }       // 0 to 8
	u := func(i int) reg.Register { return z(9 + i/2) } // odd i
	d := map[int]reg.Register{2: z(17), 3: z(18), 6: z(19), 7: z(20), 10: z(21)}
	x := map[int]reg.Register{3: z(14), 7: z(15), 11: z(16)}
	for i, free := 0, 22; i < 12; i++ {
		if x[i] == nil {
			x[i] = z(free)
			free++
		}
		p.VMOVUPS(at(values, i*row), x[i])
	}
	data := map[datum]reg.Register{{'x', 3}: x[3], {'x', 7}: x[7], {'x', 11}: x[11]}
	for i := range 10 {
		to := v(i)
		if i%2 == 1 {
			to = u(i)
			data[datum{'u', i}] = to
		}
		p.VSUBPS(x[i+2], x[i], to)
	}
	for i := range 9 {
		if i%2 == 0 { // u[i] lies in its own place; v[i-1] was made from it before
			if i > 0 {
				p.VSUBPS(v(i), u(i-1), v(i-1))
				data[datum{'v', i - 1}] = v(i - 1)
			}
			p.VSUBPS(u(i+1), v(i), v(i))
			data[datum{'v', i}] = v(i)
		}
	}
	for _, i := range []int{2, 3, 6, 7, 10} {
		p.VSUBPS(x[i+1], x[i], d[i])
		data[datum{'d', i}] = d[i]
	}
	return data
}

// fourPositions is one filter's convolution and bias at the four positions.
func (p *program) fourPositions(data map[datum]reg.Register, t reg.Register) (y [4]reg.Register) {
	m := func(i int) reg.Register { return z(22 + i) }
	all := sums()
	for term := range 3 {
		for i, sum := range all {
			if term >= len(sum) {
				continue
			}
			f := sum[term]
			if term == 0 {
				p.VMULPS_BCST(at(t, f.tap*word), data[f.datum], m(i))
				continue
			}
			p.VFMADD231PS_BCST(at(t, f.tap*word), data[f.datum], m(i))
		}
	}
	p.VADDPS_BCST(at(t, biasWord*word), m(4), m(4)) // m22 is part of all four
	for i := 0; i < 9; i += 3 {
		p.VADDPS(m(i+1), m(i), m(i))
		p.VSUBPS(m(i+2), m(i+1), m(i+1))
	}
	y = [4]reg.Register{m(0), m(1), m(2), m(3)}
	p.VADDPS(m(3), m(0), y[0])
	p.VADDPS(m(4), m(1), y[1])
	p.VSUBPS(m(6), m(3), y[2])
	p.VSUBPS(m(7), m(4), y[3])
	return y
}
