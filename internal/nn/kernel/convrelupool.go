package kernel

import "math"

const (
	// filterTile is how many filters, positionTile how many positions' sums the fused convolution keeps on the stack.
	filterTile   = 32
	positionTile = 4
)

// convReLUPool is the fused forward pass; see Impl.
func convReLUPool(c Conv, starts []int, a []float32, pick []uint8, x, w, b []float32) {
	q, f := c.Pooled(), c.Filters
	for r, start := range starts {
		window := x[start : start+c.Window]
		for p := range q {
			group := window[p*c.Pool : (p+1)*c.Pool+c.Taps-1]
			for j := 0; j < f; j += filterTile {
				n := min(filterTile, f-j)
				at := (r*q+p)*f + j
				poolGroup(c, a[at:at+n], pick[at:at+n], group, w[j:], b[j:j+n])
			}
		}
	}
}

// poolGroup computes one pooled position of len(a) filters, at most filterTile, from the values that its P positions see.
func poolGroup(c Conv, a []float32, pick []uint8, group, w, b []float32) {
	var keys [filterTile]int64
	var sums [positionTile][filterTile]float32
	best := keys[:len(a)]
	for u := 0; u < c.Pool; u += positionTile {
		n := min(positionTile, c.Pool-u)
		for i := range n {
			s := sums[i][:len(b)]
			copy(s, b)
			addRowProductOf(c.Filters, s, group[u+i:u+i+c.Taps], w)
		}
		if n == positionTile {
			keepLargest4(best, &sums, u)
			continue
		}
		for i := range n {
			keepLargest(best, sums[i][:], u+i)
		}
	}
	pick = pick[:len(best)]
	for j, key := range best {
		bits := uint32(key >> 8)
		shut := uint8((int64(bits) - 1) >> 63) // all ones where the value is 0
		a[j], pick[j] = math.Float32frombits(bits), 255-uint8(key)|shut
	}
}

// keyOf orders candidates for a pooled value as integers, so that the largest is found without a branch, which could not be
// predicted. Positive floats are ordered as their bits are; low, 255 less the position, lets the first of equals win. A negative
// float's key is negative and loses to the ReLU's 0; a NaN without its sign is larger than every number.
func keyOf(v float32, low int64) int64 { return int64(int32(math.Float32bits(v)))<<8 | low }

// keepLargest sets each filter's key to the larger of it and that of the sum at position u.
func keepLargest(keys []int64, sums []float32, u int) {
	s := sums[:len(keys)]
	for j, v := range s {
		if v != v {
			v = float32(math.Abs(float64(v)))
		}
		keys[j] = max(keys[j], keyOf(v, int64(255-u)))
	}
}

// keepLargest4 is keepLargest for the sums at positions u to u+3. Their sum tells in one comparison whether there may be a NaN.
func keepLargest4(keys []int64, sums *[positionTile][filterTile]float32, u int) {
	s0, s1, s2, s3 := sums[0][:len(keys)], sums[1][:len(keys)], sums[2][:len(keys)], sums[3][:len(keys)]
	low := int64(255 - u)
	for j, key := range keys {
		v0, v1, v2, v3 := s0[j], s1[j], s2[j], s3[j]
		if all := (v0 + v1) + (v2 + v3); all != all {
			for i := range sums {
				keepLargest(keys[j:j+1], sums[i][j:], u+i)
			}
			continue
		}
		keys[j] = max(key, keyOf(v0, low), keyOf(v1, low-1), keyOf(v2, low-2), keyOf(v3, low-3))
	}
}
