package kernel

import "math"

// maxPool is y [rows][Q][F] from x [rows][Out][F].
func maxPool(c Conv, rows int, y, x []float32) {
	out, q, f := c.Out(), c.Pooled(), c.Filters
	for r := range rows {
		for p := range q {
			top := y[(r*q+p)*f:][:f]
			for j := range top {
				top[j] = float32(math.Inf(-1))
			}
			for u := range c.Pool {
				for j, v := range x[(r*out+p*c.Pool+u)*f:][:f] {
					top[j] = max(top[j], v)
				}
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
