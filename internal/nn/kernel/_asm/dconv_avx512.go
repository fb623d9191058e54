package main

// convGradAVX512 keeps one filter's sums in registers over all positions. A sample's gradient belongs to the one position that the
// pool picked; so the nine values that this position saw are chosen first, lane by lane, and multiplied once. Choosing takes 19
// blends, which run on any of the four vector ports, where four masked products for each tap would take 36 multiplications.
func convGradAVX512(p *program) {
	p.function("convGradAVX512", "pooled, filters int, sums, x, da *float32, picks *byte",
		"is sums [10][F][16] += each lane's gradient of the 9 taps and the bias, from x [D][16], da [F][Q][16] (0 where a is 0) and picks [Q][F].")
	q, filters := p.param("pooled"), p.param("filters")
	to, first, da, picks := p.param("sums"), p.param("x"), p.param("da"), p.param("picks")
	sum := func(i int) int { return i }
	value := func(i int) int { return taps + 1 + i }
	g := z(31)
	sumStride, pickStride := p.scaled(row, filters), p.scaled(4, filters)
	n := p.copyOf(filters)
	p.times("filter", n, func() {
		s := p.copyOf(to)
		for i := range taps + 1 {
			p.VMOVUPS(at(s, 0), z(sum(i)))
			p.ADDQ(sumStride, s)
		}
		values, pick, m := p.copyOf(first), p.copyOf(picks), p.copyOf(q)
		p.times("position", m, func() {
			p.KMOVW(at(pick, 2), k(2))
			p.KMOVW(at(pick, 0), k(1))
			for i := range taps + 3 {
				p.VMOVUPS(at(values, i*row), z(value(i)))
			}
			p.VMOVUPS(at(da, 0), g)
			for i := range taps + 1 {
				p.VBLENDMPS(z(value(i+2)), z(value(i)), k(2), z(value(i)))
				if i == 0 {
					continue
				}
				p.VBLENDMPS(z(value(i)), z(value(i-1)), k(1), z(value(i-1)))
				p.VFMADD231PS(z(value(i-1)), g, z(sum(i-1)))
			}
			p.VADDPS(g, z(sum(taps)), z(sum(taps)))
			p.advance(da, row)
			p.advance(values, pool*row)
			p.ADDQ(pickStride, pick)
		})
		s = p.copyOf(to)
		for i := range taps + 1 {
			p.VMOVUPS(z(sum(i)), at(s, 0))
			p.ADDQ(sumStride, s)
		}
		p.advance(to, row)
		p.advance(picks, 4)
	})
	p.end()
}
