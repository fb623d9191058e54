package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sums of fewer products than short, a convolution's for one, go in tiles of no more than shortTile rows: the large ones' many stores
// in one go would take longer.
const (
	short     = 16
	shortTile = 4
)

// rowProduct is the loop of all dense layers and convolutions: only the strides of a differ. A tile of so many rows by one panel is
// summed in registers; the sizes of tiles go down to 1. Each element is one chain of fused multiplications and additions in the
// order of the index that vanishes, whatever tile it falls into.
func rowProduct(r *rowSet, panels []panel, tiles []int) {
	widest := 0
	for _, lanes := range panels[0].vectors {
		widest += lanes
	}
	r.function("rowProduct"+r.suffix, "m, k, n int, c *float32, cRow int, a *float32, aRow, aColumn int, b *float32, bRow, add int",
		fmt.Sprintf("is c [m][n] = a [m][k] b [k][n], or += where add is not 0, for at most %d columns. Values of a are aRow and aColumn apart,", widest),
		"rows of c and b cRow and bRow. m, k and n are at least 1.")
	r.ofPanels(panels, func(p panel, label func(string) string) {
		t := &productTile{
			rowSet: r, panel: p, label: label,
			c: r.param("c"), cRow: r.stride("cRow"), a: r.param("a"), aRow: r.stride("aRow"), aColumn: r.stride("aColumn"),
			bRow: r.stride("bRow"),
		}
		left := r.param("m")
		if tiles[0] > shortTile {
			r.CMPQ(r.param("k"), operand.I32(short))
			r.JL(operand.LabelRef(label("short")))
		}
		for _, rows := range tiles {
			t.rows = rows
			again, done := t.name("tile"), t.name("done")
			if rows == shortTile && tiles[0] > shortTile {
				r.Label(label("short"))
			}
			r.CMPQ(left, operand.I32(rows))
			r.JL(operand.LabelRef(done))
			r.Label(again)
			t.begin()
			t.sum()
			t.finish()
			r.SUBQ(operand.I32(rows), left)
			r.CMPQ(left, operand.I32(rows))
			r.JGE(operand.LabelRef(again))
			r.Label(done)
		}
	})
}

// productTile is a tile of rows by a panel. c and a point at its first row.
type productTile struct {
	*rowSet
	panel
	rows                            int
	label                           func(string) string
	c, cRow, a, aRow, aColumn, bRow reg.GPVirtual
}

func (t *productTile) name(label string) string { return fmt.Sprintf("%sof%d", t.label(label), t.rows) }

// register is one as wide as a vector of the panel.
func (t *productTile) register(i, vector int) reg.VecPhysical {
	if t.vectors[vector] == half {
		return y(i)
	}
	return z(i)
}

// The registers: the sums, then a row of b, then two in turn for values of a.
func (t *productTile) sumAt(i, vector int) reg.VecPhysical {
	return t.register(i*len(t.vectors)+vector, vector)
}

func (t *productTile) bAt(vector int) reg.VecPhysical {
	return t.register(t.rows*len(t.vectors)+vector, vector)
}

func (t *productTile) aAt(i, vector int) reg.VecPhysical {
	return t.register((t.rows+1)*len(t.vectors)+i%2, vector)
}

// begin fills the sums with zeros or with what is there.
func (t *productTile) begin() {
	add := t.param("add")
	t.TESTQ(add, add)
	t.JZ(operand.LabelRef(t.name("zeros")))
	row := t.copyOf(t.c)
	for i := range t.rows {
		for j := range t.vectors {
			t.load(at(row, t.offset(j)), t.sumAt(i, j), t.rest(j))
		}
		t.ADDQ(t.cRow, row)
	}
	t.JMP(operand.LabelRef(t.name("ready")))
	t.Label(t.name("zeros"))
	for i := range t.rows {
		for j := range t.vectors {
			t.zero(t.sumAt(i, j))
		}
	}
	t.Label(t.name("ready"))
}

// zero takes the form that AVX2 has where there is one.
func (t *productTile) zero(r reg.VecPhysical) {
	if r.Size() == y(0).Size() && r.PhysicalIndex() < 16 {
		t.VXORPS(r, r, r)
		return
	}
	t.VPXORD(r, r, r)
}

// sum goes along k. Three rows of a share a pointer.
func (t *productTile) sum() {
	const share = 3
	var a []reg.GPVirtual
	for i := 0; i < t.rows; i += share {
		first := t.scaled(i, t.aRow)
		t.ADDQ(t.a, first)
		a = append(a, first)
	}
	widest := 0 // the panel's first vector
	b := t.param("b")
	t.times(t.name("k"), t.param("k"), func() {
		for j := range t.vectors {
			t.load(at(b, t.offset(j)), t.bAt(j), t.rest(j))
		}
		for i := range t.rows {
			value := operand.Mem{Base: a[i/share]}
			if i%share > 0 {
				value.Index, value.Scale = t.aRow, uint8(i%share)
			}
			t.VBROADCASTSS(value, t.aAt(i, widest))
			for j := range t.vectors {
				t.VFMADD231PS(t.bAt(j), t.aAt(i, j), t.sumAt(i, j))
			}
		}
		for _, pointer := range a {
			t.ADDQ(t.aColumn, pointer)
		}
		t.ADDQ(t.bRow, b)
	})
}

// finish stores the sums and moves on to the next rows.
func (t *productTile) finish() {
	for i := range t.rows {
		for j := range t.vectors {
			t.store(t.sumAt(i, j), at(t.c, t.offset(j)), t.rest(j))
		}
		t.ADDQ(t.cRow, t.c)
	}
	t.ADDQ(t.scaled(t.rows, t.aRow), t.a)
}

// transposeTiles turns tiles of eight rows by four columns: a vector holds two rows' four values, four apart, so that the columns
// come out in order.
func transposeTiles(p *program) {
	p.function("transposeTiles", "rows, columns int, dst *float32, dstRow int, src *float32, srcRow int",
		"is dst [columns][rows] = the transpose of src [rows][columns], whose rows are dstRow and srcRow values apart. It takes a multiple of 8",
		"rows and of 4 columns, of each at least one.")
	rows, dst, src := p.param("rows"), p.param("dst"), p.param("src")
	dstRow, srcRow := p.scaled(word, p.param("dstRow")), p.scaled(word, p.param("srcRow"))
	three := p.scaled(3, srcRow)
	p.SHRQ(operand.U8(3), rows)
	p.times("rows", rows, func() {
		from, to, n := p.copyOf(src), p.copyOf(dst), p.param("columns")
		lower := p.GP64() // the last four rows
		p.LEAQ(operand.Mem{Base: src, Index: srcRow, Scale: 4}, lower)
		p.SHRQ(operand.U8(2), n)
		p.times("columns", n, func() {
			for i := range 4 {
				row := func(base reg.Register) operand.Mem {
					switch i {
					case 0:
						return operand.Mem{Base: base}
					case 3:
						return operand.Mem{Base: base, Index: three, Scale: 1}
					}
					return operand.Mem{Base: base, Index: srcRow, Scale: uint8(i)}
				}
				p.VMOVUPS(row(from), x(i))
				p.VINSERTF128(operand.U8(1), row(lower), y(i), y(i))
			}
			p.VUNPCKLPS(y(1), y(0), y(4)) // columns 0 and 1 of rows 0 and 1
			p.VUNPCKHPS(y(1), y(0), y(5))
			p.VUNPCKLPS(y(3), y(2), y(6))
			p.VUNPCKHPS(y(3), y(2), y(7))
			p.VUNPCKLPD(y(6), y(4), y(0))
			p.VUNPCKHPD(y(6), y(4), y(1))
			p.VUNPCKLPD(y(7), y(5), y(2))
			p.VUNPCKHPD(y(7), y(5), y(3))
			for i := range 4 {
				p.VMOVUPS(y(i), at(to, 0))
				p.ADDQ(dstRow, to)
			}
			p.advance(from, 4*word)
			p.advance(lower, 4*word)
		})
		p.advance(dst, halfRow)
		p.LEAQ(operand.Mem{Base: src, Index: srcRow, Scale: 8}, src)
	})
	p.end()
}
