package kernel

// conv1D is y [rows][Out][F] from x [rows][D] and w [K][F].
func conv1D(c Conv, rows int, y, x, w []float32) {
	out, f := c.Out(), c.Filters
	y = y[:rows*out*f]
	clear(y)
	for r := range rows {
		window := x[r*c.Window : (r+1)*c.Window]
		for t := range out {
			addRowProduct(y[:f], window[t:t+c.Taps], w)
			y = y[f:]
		}
	}
}

// conv1DGrad is dw [K][F] += from x [rows][D] and dy [rows][Out][F].
func conv1DGrad(c Conv, rows int, dw, x, dy []float32) {
	out, f := c.Out(), c.Filters
	for r := range rows {
		window, g := x[r*c.Window:(r+1)*c.Window], dy[r*out*f:(r+1)*out*f]
		for k := range c.Taps {
			addRowProduct(dw[k*f:(k+1)*f], window[k:k+out], g)
		}
	}
}
