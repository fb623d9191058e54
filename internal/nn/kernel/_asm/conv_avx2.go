package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// convReLUPoolAVX2 has too few registers for the data of a position. They lie on the stack; each is loaded once for two filters,
// and each transformed tap once for the two halves of the block, which makes one load for every product. The nine sums are made
// three at a time; of the first six, what is needed of them waits on the stack.
func convReLUPoolAVX2(t *tables) {
	const (
		filterTile = 2
		waiting    = 2 * filterTile * row // bytes of the two results of three sums
	)
	t.function("convReLUPoolAVX2", "pooled, filters int, a *float32, picks *byte, x, t *float32",
		"is a [Q][F][16] = max over 4 positions of relu(conv+b) from x [D][16] and the transformed taps t [F][20].",
		"picks [Q][F] are 32 bits each, see lanePickShifts; meaningless where a is 0. F is even. All values must be moderate.")
	data := t.scratch(len(storedData())*row + 2*waiting)
	first := at(data, len(storedData())*row)
	third := first.Offset(waiting)
	q, filters := t.param("pooled"), t.param("filters")
	a, picks := t.param("a"), t.param("picks")
	values, taps := t.param("x"), t.param("t")
	t.SHRQ(operand.U8(1), filters)
	t.times("position", q, func() {
		for side := range halves {
			t.storeData(at(values, side*halfRow), at(data, side*halfRow))
		}
		n, tap := t.copyOf(filters), t.copyOf(taps)
		t.times("filter", n, func() {
			for _, wait := range []struct {
				from int
				to   operand.Mem
			}{{0, first}, {6, third}} {
				t.threeSums(wait.from, values, data, tap)
				for i := range 2 * filterTile * halves {
					t.VMOVUPS(sumOf(i/4, i/2%2, i%2), wait.to.Offset(i*halfRow))
				}
			}
			t.threeSums(3, values, data, tap)
			for f := range filterTile {
				t.poolOf(f, first.Offset(f*2*row), third.Offset(f*2*row), a, picks)
			}
			t.advance(a, filterTile*row)
			t.advance(picks, filterTile*4)
			t.advance(tap, filterTile*tapWords*word)
		})
		t.advance(values, pool*row)
	})
	t.end()
}

// sumOf is the register of one of three sums of a filter, for one half of the block.
func sumOf(filter, i, side int) reg.VecPhysical { return y(6*filter + 2*i + side) }

// storedData lists the data that are not values themselves.
func storedData() []datum {
	var all []datum
	for i := range 9 {
		all = append(all, datum{'v', i})
	}
	for i := 1; i < 10; i += 2 {
		all = append(all, datum{'u', i})
	}
	for _, i := range []int{2, 3, 6, 7, 10} {
		all = append(all, datum{'d', i})
	}
	return all
}

// storeData makes the data of a pooled position, for one half of the block.
func (p *program) storeData(values, data operand.Mem) {
	place := map[datum]operand.Mem{}
	for i, d := range storedData() {
		place[d] = data.Offset(i * row)
	}
	store := func(v reg.Register, d datum) {
		if to, ok := place[d]; ok {
			p.VMOVUPS(v, to)
		}
	}
	for i := range 11 {
		value, u, before := y(i%4), y(4+i%2), y(4+(i+1)%2)
		p.VMOVUPS(values.Offset(i*row), value)
		p.VSUBPS(values.Offset((i+1)*row), value, y(6))
		store(y(6), datum{'d', i})
		if i == 10 {
			break
		}
		p.VSUBPS(values.Offset((i+2)*row), value, u)
		store(u, datum{'u', i})
		if i > 0 {
			p.VSUBPS(u, before, before)
			store(before, datum{'v', i - 1})
		}
	}
}

// threeSums makes the sums from, from+1 and from+2 of two filters, and of them the two that results are made from.
func (p *program) threeSums(from int, values, data, tap reg.Register) {
	place := map[datum]operand.Mem{}
	for i, d := range storedData() {
		place[d] = at(data, i*row)
	}
	all := sums()
	for term := range 3 {
		for i, sum := range all[from : from+3] {
			if term < len(sum) {
				f := sum[term]
				at, stored := place[f.datum]
				if !stored {
					at = operand.Mem{Base: values, Disp: f.index * row}
				}
				p.oneTerm(i, f.tap, at, tap, term == 0, from == 3 && i == 1)
			}
		}
	}
	for f := range 2 {
		for side := range halves {
			m0, m1, m2 := sumOf(f, 0, side), sumOf(f, 1, side), sumOf(f, 2, side)
			p.VADDPS(m1, m0, m0)
			p.VSUBPS(m2, m1, m1)
		}
	}
}

// oneTerm adds a product to sum i of two filters. The first term makes the sum, or is added to the bias.
func (p *program) oneTerm(i, sum int, datum operand.Mem, tap reg.Register, first, biased bool) {
	for side := range halves {
		p.VMOVUPS(datum.Offset(side*halfRow), y(12+side))
	}
	for f := range 2 {
		taps := at(tap, f*tapWords*word)
		if first && biased {
			p.VBROADCASTSS(taps.Offset(biasWord*word), sumOf(f, i, 0))
			p.VMOVAPS(sumOf(f, i, 0), sumOf(f, i, 1))
		}
		factor := y(14 + f)
		p.VBROADCASTSS(taps.Offset(sum*word), factor)
		for side := range halves {
			if first && !biased {
				p.VMULPS(y(12+side), factor, sumOf(f, i, side))
				continue
			}
			p.VFMADD231PS(y(12+side), factor, sumOf(f, i, side))
		}
	}
}

// poolOf makes a filter's pooled values and picks from what the middle sums gave, in registers, and the first and last three, in
// memory: [2 results][16].
func (p *program) poolOf(f int, first, third operand.Mem, a, picks reg.Register) {
	zero := sumOf(f, 2, 0)
	p.VXORPS(zero, zero, zero)
	for side := range halves {
		b1, b2 := sumOf(f, 0, side), sumOf(f, 1, side)
		y0, y1, y2, y3 := y(12), y(13), b1, b2
		p.VADDPS(first.Offset(side*halfRow), b1, y0)
		p.VADDPS(first.Offset(row+side*halfRow), b2, y1)
		p.VSUBPS(third.Offset(side*halfRow), b1, y2)
		p.VSUBPS(third.Offset(row+side*halfRow), b2, y3)
		m01, m23 := y(14), y(15)
		p.VMAXPS(y0, y1, m01)
		p.VMAXPS(y2, y3, m23)
		p.VSUBPS(y1, y0, y0)
		p.VSUBPS(y3, y2, y2)
		bit1, bit0 := b2, b1
		p.VSUBPS(m23, m01, bit1)
		p.VBLENDVPS(bit1, y2, y0, bit0)
		p.VMAXPS(m01, m23, m01)
		p.VMAXPS(zero, m01, m01)
		p.VMOVUPS(m01, at(a, f*row+side*halfRow))
	}
	bits := p.GP32()
	for bit := range 2 {
		p.VPACKSSDW(sumOf(f, bit, 1), sumOf(f, bit, 0), y(12+bit))
	}
	p.VPACKSSWB(y(13), y(12), y(12))
	p.VPMOVMSKB(y(12), bits)
	p.MOVL(bits, at(picks, f*4))
}

// pickShifts are the shifts that bring a sample's bit of the pick to the top of its lane: for each half of the block, for bit 0 and
// bit 1 of the position, for each lane. The order of the bits in a pick is that which packing two halves leaves them in.
func pickShifts() []int {
	var shifts []int
	for side := range halves {
		for bit := range 2 {
			for lane := range half {
				place := lane%4 + lane/4*16 + bit*8 + side*4
				shifts = append(shifts, 31-place)
			}
		}
	}
	return shifts
}
