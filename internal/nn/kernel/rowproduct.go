package kernel

// addRowProduct is c [n] += a [k] b [k][n], the one loop of dense layers and convolutions: for a convolution a is a piece of the
// window and b the taps, for its gradient a is the window and b the gradient.
func addRowProduct(c, a, b []float32) { addRowProductOf(len(c), c, a, b) }

// addRowProductOf is the same for the first len(c) columns of a b that is n wide.
func addRowProductOf(n int, c, a, b []float32) {
	if len(a) == 0 {
		return
	}
	for len(c) >= 7 {
		addRowProduct7(n, (*[7]float32)(c), a, b)
		c, b = c[7:], b[7:]
	}
	for len(c) >= 3 {
		addRowProduct3(n, (*[3]float32)(c), a, b)
		c, b = c[3:], b[3:]
	}
	for j := range c {
		c[j] = addColumnProduct(n, c[j], a, b[j:])
	}
}

func addRowProduct7(n int, c *[7]float32, a, b []float32) {
	s0, s1, s2, s3, s4, s5, s6 := c[0], c[1], c[2], c[3], c[4], c[5], c[6]
	last := len(a) - 1
	for l, u := range a {
		v := (*[7]float32)(b)
		s0 += u * v[0]
		s1 += u * v[1]
		s2 += u * v[2]
		s3 += u * v[3]
		s4 += u * v[4]
		s5 += u * v[5]
		s6 += u * v[6]
		if l == last {
			break
		}
		b = b[n:]
	}
	c[0], c[1], c[2], c[3], c[4], c[5], c[6] = s0, s1, s2, s3, s4, s5, s6
}

func addRowProduct3(n int, c *[3]float32, a, b []float32) {
	s0, s1, s2 := c[0], c[1], c[2]
	last := len(a) - 1
	for l, u := range a {
		v := (*[3]float32)(b)
		s0 += u * v[0]
		s1 += u * v[1]
		s2 += u * v[2]
		if l == last {
			break
		}
		b = b[n:]
	}
	c[0], c[1], c[2] = s0, s1, s2
}

func addColumnProduct(n int, s float32, a, b []float32) float32 {
	for l, u := range a {
		s += u * b[l*n]
	}
	return s
}
