//go:build !purego

package kernel

// The most columns that a loop takes at once: AVX-512's product, and all others.
const (
	productColumns = 32
	rowColumns     = 24
)

// rowCode is the assembly of one variant for the loops of a single operation. Its functions assume what the methods below check: at
// least one of everything, and enough room. They take up to rowColumns columns of a matrix.
//
// Conv1D, Conv1DGrad and the products are one loop, which multiplications bound: up to 9 rows by 32 columns of sums with AVX-512, 3 by
// 24 with AVX2. MatMulTB transposes its second operand first, as many rows at a time as there are columns. In the experiment's network memory bounds all
// others, whose operands fill the second-level cache and more.
type rowCode struct {
	// wide is whether the products are those of AVX-512. They are no functions of this table: the compiler sees that those keep no
	// pointer to what is on its stack.
	wide        bool
	biasAdd     func(rows, n int, y, x, b *float32, stride int)
	columnSum   func(rows, n int, s, x *float32, stride int)
	maxPool     func(groups, pool, n int, y, x *float32, stride int)
	maxPoolGrad func(groups, pool, n int, dx, x, y, dy *float32, stride int)
	relu        func(n int, y, x *float32)
	reluGrad    func(n int, dx, dy, y *float32)
}

// install puts the loops into a variant.
func (r rowCode) install(impl *Impl) {
	impl.Conv1D, impl.Conv1DGrad = r.Conv1D, r.Conv1DGrad
	impl.MatMul, impl.MatMulTA, impl.MatMulTB = r.MatMul, r.MatMulTA, r.MatMulTB
	impl.MaxPool, impl.MaxPoolGrad = r.MaxPool, r.MaxPoolGrad
	impl.BiasAdd, impl.ColumnSum = r.BiasAdd, r.ColumnSum
	impl.ReLU, impl.ReLUGrad = r.ReLU, r.ReLUGrad
}

// What a rowProduct does with what its result holds.
const (
	overwrite = iota
	add
)

// rowProduct is c [m][n] = a [m][k] b [k][n] over matrices of any stride: those of c and b are the distances of rows.
type rowProduct struct {
	m, k, n       int
	c             []float32
	cRow          int
	a             []float32
	aRow, aColumn int
	b             []float32
	bRow          int
	mode          int
}

func (r rowCode) product(p rowProduct) {
	if p.m == 0 || p.n == 0 {
		return
	}
	need(min(p.m, p.k, p.n), 1)
	need(len(p.c), (p.m-1)*p.cRow+p.n)
	need(len(p.a), (p.m-1)*p.aRow+(p.k-1)*p.aColumn+1)
	need(len(p.b), (p.k-1)*p.bRow+p.n)
	for j := 0; j < p.n; j += r.columns() {
		n := min(r.columns(), p.n-j)
		if r.wide {
			rowProductAVX512(p.m, p.k, n, &p.c[j], p.cRow, &p.a[0], p.aRow, p.aColumn, &p.b[j], p.bRow, p.mode)
		} else {
			rowProductAVX2(p.m, p.k, n, &p.c[j], p.cRow, &p.a[0], p.aRow, p.aColumn, &p.b[j], p.bRow, p.mode)
		}
	}
}

// columns is how many columns a product takes at once.
func (r rowCode) columns() int {
	if r.wide {
		return productColumns
	}
	return rowColumns
}

// Conv1D takes a window as a matrix whose rows overlap: row t is what position t sees.
func (r rowCode) Conv1D(c Conv, rows int, y, x, w []float32) {
	out, f := c.Out(), c.Filters
	for i := range rows {
		r.product(rowProduct{
			m: out, k: c.Taps, n: f,
			c: y[i*out*f : (i+1)*out*f], cRow: f, a: x[i*c.Window : (i+1)*c.Window], aRow: 1, aColumn: 1, b: w, bRow: f,
		})
	}
}

// Conv1DGrad takes a window as a matrix whose rows overlap: row k is what tap k saw.
func (r rowCode) Conv1DGrad(c Conv, rows int, dw, x, dy []float32) {
	out, f := c.Out(), c.Filters
	for i := range rows {
		r.product(rowProduct{
			m: c.Taps, k: out, n: f,
			c: dw, cRow: f, a: x[i*c.Window : (i+1)*c.Window], aRow: 1, aColumn: 1, b: dy[i*out*f : (i+1)*out*f], bRow: f, mode: add,
		})
	}
}

func (r rowCode) MatMul(m, k, n int, c, a, b []float32) {
	if k == 0 {
		clear(c[:m*n])
		return
	}
	r.product(rowProduct{m: m, k: k, n: n, c: c, cRow: n, a: a, aRow: k, aColumn: 1, b: b, bRow: n})
}

func (r rowCode) MatMulTA(m, k, n int, c, a, b []float32) {
	if m > 0 {
		r.product(rowProduct{m: k, k: m, n: n, c: c, cRow: n, a: a, aRow: 1, aColumn: k, b: b, bRow: n, mode: add})
	}
}

// transposedRows is how many rows of a transposed operand are taken at a time.
const transposedRows = 64

// MatMulTB transposes b in pieces of the product's columns and 64 values of the sum.
func (r rowCode) MatMulTB(m, k, n int, c, a, b []float32) {
	if n == 0 {
		clear(c[:m*k])
		return
	}
	var t [transposedRows * productColumns]float32
	for l := 0; l < k; l += r.columns() {
		columns := min(r.columns(), k-l)
		for j := 0; j < n && m > 0; j += transposedRows {
			rows := min(transposedRows, n-j)
			transpose(columns, rows, t[:], b[l*n+j:], n)
			p := rowProduct{m: m, k: rows, n: columns, c: c[l:], cRow: k, a: a[j:], aRow: n, aColumn: 1, b: t[:], bRow: productColumns}
			if j > 0 {
				p.mode = add
			}
			r.product(p)
		}
	}
}

// transpose is dst [columns][productColumns] from src [rows][columns], whose rows are stride apart.
func transpose(rows, columns int, dst, src []float32, stride int) {
	need(len(dst), (columns-1)*productColumns+rows)
	need(len(src), (rows-1)*stride+columns)
	r, c := rows&^7, columns&^3
	if r > 0 && c > 0 {
		transposeTiles(r, c, &dst[0], productColumns, &src[0], stride)
	} else {
		r, c = 0, 0
	}
	for i := range rows {
		from := 0
		if i < r {
			from = c
		}
		for j := from; j < columns; j++ {
			dst[j*productColumns+i] = src[i*stride+j]
		}
	}
}

// MaxPool goes over the samples one by one where positions are left over at their ends.
func (r rowCode) MaxPool(c Conv, rows int, y, x []float32) {
	out, q, f := c.Out(), c.Pooled(), c.Filters
	if q == 0 {
		return
	}
	need(len(y), rows*q*f)
	need(len(x), rows*out*f)
	for i := range rows {
		to, from := y[i*q*f:], x[i*out*f:]
		for j := 0; j < f; j += rowColumns {
			r.maxPool(q, c.Pool, min(rowColumns, f-j), &to[j], &from[j], f)
		}
	}
}

func (r rowCode) MaxPoolGrad(c Conv, rows int, dx, x, y, dy []float32) {
	out, q, f := c.Out(), c.Pooled(), c.Filters
	need(len(dx), rows*out*f)
	need(len(x), rows*out*f)
	need(min(len(y), len(dy)), rows*q*f)
	for i := range rows {
		at := i * out * f
		clear(dx[at+q*c.Pool*f : at+out*f])
		if q == 0 {
			continue
		}
		for j := 0; j < f; j += rowColumns {
			p := i*q*f + j
			r.maxPoolGrad(q, c.Pool, min(rowColumns, f-j), &dx[at+j], &x[at+j], &y[p], &dy[p], f)
		}
	}
}

func (r rowCode) BiasAdd(rows, n int, y, x, b []float32) {
	if rows == 0 {
		return
	}
	need(min(len(y), len(x)), rows*n)
	need(len(b), n)
	for j := 0; j < n; j += rowColumns {
		r.biasAdd(rows, min(rowColumns, n-j), &y[j], &x[j], &b[j], n)
	}
}

func (r rowCode) ColumnSum(rows, n int, s, x []float32) {
	if rows == 0 {
		return
	}
	need(len(s), n)
	need(len(x), rows*n)
	for j := 0; j < n; j += rowColumns {
		r.columnSum(rows, min(rowColumns, n-j), &s[j], &x[j], n)
	}
}

func (r rowCode) ReLU(y, x []float32) {
	need(len(x), len(y))
	if len(y) > 0 {
		r.relu(len(y), &y[0], &x[0])
	}
}

func (r rowCode) ReLUGrad(dx, dy, y []float32) {
	need(min(len(dy), len(y)), len(dx))
	if len(dx) > 0 {
		r.reluGrad(len(dx), &dx[0], &dy[0], &y[0])
	}
}
