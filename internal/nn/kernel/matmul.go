package kernel

// In all three products an element of c is summed in the order of the index that vanishes, starting from what it overwrites (0) or
// adds to; so it does not depend on which tile it falls into, nor on how many rows there are.

// matMul is c [m][n] = a [m][k] b [k][n].
func matMul(m, k, n int, c, a, b []float32) {
	c = c[:m*n]
	clear(c)
	for i := range m {
		addRowProduct(c[i*n:(i+1)*n], a[i*k:(i+1)*k], b)
	}
}

// columnTile is how many values of a column are gathered at a time.
const columnTile = 64

// matMulTA is c [k][n] += a^T b with a [m][k], b [m][n]. A column of a is gathered first: then each element of c is loaded and
// stored once for all rows.
func matMulTA(m, k, n int, c, a, b []float32) {
	var tile [columnTile]float32
	for i := 0; i < m; i += columnTile {
		column := tile[:min(columnTile, m-i)]
		rows, factor := a[i*k:(i+len(column))*k], b[i*n:]
		for l := range k {
			for r, at := 0, l; r < len(column); r, at = r+1, at+k {
				column[r] = rows[at]
			}
			addRowProduct(c[l*n:(l+1)*n], column, factor)
		}
	}
}

// matMulTB is c [m][k] = a b^T with a [m][n], b [k][n].
func matMulTB(m, k, n int, c, a, b []float32) {
	l := 0
	for ; l+7 <= k; l += 7 {
		for i := range m {
			dot7((*[7]float32)(c[i*k+l:]), a[i*n:(i+1)*n], b[l*n:])
		}
	}
	for ; l < k; l++ {
		for i := range m {
			c[i*k+l] = dot(a[i*n:(i+1)*n], b[l*n:])
		}
	}
}

// dot7 is the products of a and each of seven rows of b, as long as a.
func dot7(c *[7]float32, a, b []float32) {
	n := len(a)
	b0, b1, b2, b3 := b[:n], b[n:][:n], b[2*n:][:n], b[3*n:][:n]
	b4, b5, b6 := b[4*n:][:n], b[5*n:][:n], b[6*n:][:n]
	var s0, s1, s2, s3, s4, s5, s6 float32
	for j, u := range a {
		s0 += u * b0[j]
		s1 += u * b1[j]
		s2 += u * b2[j]
		s3 += u * b3[j]
		s4 += u * b4[j]
		s5 += u * b5[j]
		s6 += u * b6[j]
	}
	*c = [7]float32{s0, s1, s2, s3, s4, s5, s6}
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	s := float32(0)
	for j, u := range a {
		s += u * b[j]
	}
	return s
}
