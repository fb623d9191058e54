package kernel

// open is a pooled value that lets its gradient through.
type open struct {
	at int // where in the window the position that the pool picked begins
	dy float32
}

// openTile is how many pooled positions are looked through at a time.
const openTile = 64

// convReLUPoolGrad adds the samples' gradients; see Impl. For each sample and filter it first lists the open values, without a
// branch, since which ones are open cannot be predicted.
func convReLUPoolGrad(c Conv, starts []int, dw, db []float32, x, da []float32, pick []uint8) {
	q, f := c.Pooled(), c.Filters
	var list [openTile]open
	for r, start := range starts {
		window := x[start : start+c.Window]
		for p := 0; p < q; p += openTile {
			from, to := (r*q+p)*f, (r*q+min(p+openTile, q))*f
			for j := range f {
				n := listOpen(&list, c, p, da[from+j:to], pick[from+j:to])
				addTaps(list[:n], c, dw[j:], &db[j], window)
			}
		}
	}
}

// listOpen lists the open values of one filter at positions p, p+1, ...; da and pick begin at its first and are F apart.
func listOpen(list *[openTile]open, c Conv, p int, da []float32, pick []uint8) int {
	n := 0
	for i := 0; i < len(pick); i += c.Filters {
		at := pick[i]
		list[n&(openTile-1)] = open{p*c.Pool + int(at), da[i]}
		next := n + 1
		if at == Shut {
			next = n
		}
		n = next
		p++
	}
	return n
}

// addTaps adds the gradients of one filter: dw is its first tap, F before the next.
func addTaps(list []open, c Conv, dw []float32, db *float32, window []float32) {
	s := *db
	for _, o := range list {
		s += o.dy
	}
	*db = s
	k := 0
	for ; k+7 <= c.Taps; k += 7 {
		addTaps7(list, c.Filters, dw[k*c.Filters:], window[k:])
	}
	for ; k < c.Taps; k++ {
		s := dw[k*c.Filters]
		for _, o := range list {
			s += o.dy * window[o.at+k]
		}
		dw[k*c.Filters] = s
	}
}

func addTaps7(list []open, f int, dw, window []float32) {
	_ = dw[6*f]
	s0, s1, s2, s3, s4, s5, s6 := dw[0], dw[f], dw[2*f], dw[3*f], dw[4*f], dw[5*f], dw[6*f]
	for _, o := range list {
		u, v := o.dy, (*[7]float32)(window[o.at:])
		s0 += u * v[0]
		s1 += u * v[1]
		s2 += u * v[2]
		s3 += u * v[3]
		s4 += u * v[4]
		s5 += u * v[5]
		s6 += u * v[6]
	}
	dw[0], dw[f], dw[2*f], dw[3*f], dw[4*f], dw[5*f], dw[6*f] = s0, s1, s2, s3, s4, s5, s6
}
