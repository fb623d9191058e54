package kernel

// maxPool is y [rows][Q][F] from x [rows][Out][F].
func maxPool(c Conv, rows int, y, x []float32) {
	out, q, f := c.Out(), c.Pooled(), c.Filters
	for r := range rows {
		for p := range q {
			group := x[(r*out+p*c.Pool)*f:][:c.Pool*f]
			for j := range f {
				top := group[j]
				for i := j + f; i < len(group); i += f {
					top = max(top, group[i])
				}
				y[(r*q+p)*f+j] = top
			}
		}
	}
}

// maxPoolGrad is dx [rows][Out][F]: dy at the first position that equals y or is a NaN, 0 elsewhere.
func maxPoolGrad(c Conv, rows int, dx, x, y, dy []float32) {
	out, q, f := c.Out(), c.Pooled(), c.Filters
	clear(dx[:rows*out*f])
	for r := range rows {
		for p := range q {
			from, to := (r*out+p*c.Pool)*f, (r*out+(p+1)*c.Pool)*f
			group, dgroup := x[from:to], dx[from:to]
			top, dtop := y[(r*q+p)*f:][:f], dy[(r*q+p)*f:][:f]
			for j, v := range top {
				i := j
				for i < len(group) && group[i] != v && group[i] == group[i] {
					i += f
				}
				if i < len(group) {
					dgroup[i] = dtop[j]
				}
			}
		}
	}
}
