package main

// The fused convolution takes four neighbouring positions of a filter with nine taps, the four that one pooled value is made from.
// Done directly that is 36 products. Two positions and two taps need only three, by Karatsuba's identity turned over (Winograd's
// F(2,2); Winograd, "Arithmetic Complexity of Computations", 1980):
//
//	y0 = x0 a + x1 b = m1 + m2    m1 = (x0 - x1) a
//	y1 = x1 a + x2 b = m2 - m3    m2 = x1 (a + b)    m3 = (x1 - x2) b
//
// Done twice over, for pairs within pairs, four positions and four taps need nine. The nine taps are two fours, of nine products
// each, and one left over, of four: 22 products. The sums by which they are made up run on other ports than multiplications do.
// All coefficients are 1 or -1, so that sums of whole numbers stay exact; equal windows give equal bits at all four positions.
//
// With u[i] = x[i] - x[i+2], v[i] = u[i] - u[i+1] and d[i] = x[i] - x[i+1]:
//
//	m11 = v0 w0 + v4 w4 + v8 w8        m21 = d2 w02 + d6 w46 + d10 w8            m31 = v2 w2 + v6 w6
//	m12 = u1 w01 + u5 w45 + u9 w8      m22 = x3 w0123 + x7 w4567 + x11 w8 + b    m32 = u3 w23 + u7 w67
//	m13 = v1 w1 + v5 w5                m23 = d3 w13 + d7 w57                     m33 = v3 w3 + v7 w7
//
//	y0 = (m11+m12) + (m21+m22)   y1 = (m12-m13) + (m22-m23)   y2 = (m21+m22) - (m31+m32)   y3 = (m22-m23) - (m32-m33)
//
// where w02 is w0 + w2, and b the bias.

// sumsOfTaps lists which taps are added up for each word of a filter's transformed taps; the word behind them is the bias.
func sumsOfTaps() [][]int {
	return [][]int{
		{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8},
		{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 1, 2, 3},
		{4, 5}, {6, 7}, {4, 6}, {5, 7}, {4, 5, 6, 7},
	}
}

// biasWord is the place of the bias among a filter's transformed taps.
const biasWord = tapWords - 1

// tapWord is the place of a sum of taps.
func tapWord(taps ...int) int {
	for i, sum := range sumsOfTaps() {
		if len(sum) == len(taps) && sum[0] == taps[0] && sum[len(sum)-1] == taps[len(taps)-1] {
			return i
		}
	}
	panic("no such sum of taps")
}

// datum is a factor of a product: u, v or d of an index, or the value itself.
type datum struct {
	kind  byte // 'x', 'u', 'v', 'd'
	index int
}

// product is a datum by a sum of taps.
type product struct {
	datum
	tap int
}

// sums lists the products that make up m11, m12, m13, m21, m22, m23, m31, m32, m33.
func sums() [9][]product {
	of := func(kind byte, index int, taps ...int) product { return product{datum{kind, index}, tapWord(taps...)} }
	return [9][]product{
		{of('v', 0, 0), of('v', 4, 4), of('v', 8, 8)},
		{of('u', 1, 0, 1), of('u', 5, 4, 5), of('u', 9, 8)},
		{of('v', 1, 1), of('v', 5, 5)},
		{of('d', 2, 0, 2), of('d', 6, 4, 6), of('d', 10, 8)},
		{of('x', 3, 0, 1, 2, 3), of('x', 7, 4, 5, 6, 7), of('x', 11, 8)},
		{of('d', 3, 1, 3), of('d', 7, 5, 7)},
		{of('v', 2, 2), of('v', 6, 6)},
		{of('u', 3, 2, 3), of('u', 7, 6, 7)},
		{of('v', 3, 3), of('v', 7, 7)},
	}
}

// convTaps transforms the taps of all filters, and puts each filter's in a row with its bias.
func convTaps(p *program) {
	p.function("convTaps", "filters int, t, w, b *float32",
		"is t [F][20], for each filter the sums of taps that ConvReLUPool multiplies by, then the bias, from w [9][F] and b [F].")
	filters, t, w, b := p.param("filters"), p.param("t"), p.param("w"), p.param("b")
	stride := p.scaled(word, filters)
	p.times("filter", filters, func() {
		tap := p.copyOf(w)
		for i := range taps {
			p.VMOVSS(at(tap, 0), x(i))
			p.ADDQ(stride, tap)
		}
		for i, sum := range sumsOfTaps() {
			s := x(sum[0])
			for _, j := range sum[1:] {
				p.VADDSS(x(j), s, x(15))
				s = x(15)
			}
			p.VMOVSS(s, at(t, i*word))
		}
		p.VMOVSS(at(b, 0), x(15))
		p.VMOVSS(x(15), at(t, biasWord*word))
		p.advance(w, word)
		p.advance(b, word)
		p.advance(t, tapWords*word)
	})
	p.end()
}
