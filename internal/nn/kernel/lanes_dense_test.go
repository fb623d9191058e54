package kernel

import (
	"fmt"
	"testing"
)

// reference is out [n][L] = w^T in + b from in [m][L] and w [m][n], cut at 0 for a ReLU.
func denseLanes(m, n int, in, w, b []float32, relu bool) []float64 {
	out := make([]float64, n*LaneWidth)
	for j := range n {
		for s := range LaneWidth {
			v := float64(b[j])
			for i := range m {
				v += float64(in[i*LaneWidth+s]) * float64(w[i*n+j])
			}
			if !relu || !(v <= 0) {
				out[j*LaneWidth+s] = v
			}
		}
	}
	return out
}

func TestLanesDenseIsReLUOfTheProductAndTheBias(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, flat := range []int{8, 16, 24, 72, 576} {
			a, w, b := placed(o, lanesOf(1, flat)), placed(o, integers(2, flat*testUnits)), placed(o, integers(3, testUnits))
			h := placed(o, lanesOf(4, testUnits))
			l.Dense(flat, h, a, w, b)
			exactly(t, fmt.Sprintf("flat=%d", flat), h, denseLanes(flat, testUnits, a, w, b, true))
		}
		o.intact("dense")
	})
}

func TestLanesDensePassesNaN(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		const flat, at = 24, 7*LaneWidth + 5
		a, h := placed(o, zeros(flat*LaneWidth)), placed(o, zeros(testUnits*LaneWidth))
		a[at] = nan
		l.Dense(flat, h, a, numbers(1, flat*testUnits), numbers(2, testUnits))
		for i, v := range h {
			if isNaN(v) != (i%LaneWidth == at%LaneWidth) {
				t.Fatalf("h[%d] is %g with a NaN in lane %d", i, v, at%LaneWidth)
			}
		}
	})
}

func TestLanesLogitsAreTheProductAndTheBias(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, classes := range []int{1, 2, 3, 10, 17} {
			h, w, b := placed(o, lanesOf(1, testUnits)), placed(o, integers(2, testUnits*classes)), placed(o, integers(3, classes))
			z := placed(o, lanesOf(4, classes))
			l.Logits(classes, z, h, w, b)
			exactly(t, fmt.Sprintf("classes=%d", classes), z, denseLanes(testUnits, classes, h, w, b, false))
		}
		o.intact("logits")
	})
}

func TestLanesHeadGradIsTheSecondLayersAndThatOfTheReLU(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, classes := range []int{1, 2, 3, 10} {
			h, dz, w := placed(o, lanesOf(1, testUnits)), placed(o, lanesOf(2, classes)), placed(o, integers(3, testUnits*classes))
			old := lanesOf(4, testUnits+testUnits*classes+classes)
			dh, rows, sums := placed(o, lanesOf(5, testUnits)), placed(o, lanesOf(6, 2*testUnits)), placed(o, old)
			l.HeadGrad(classes, dh, rows, sums, h, dz, w)

			wantDH, wantRows, wantSums := make([]float64, len(dh)), make([]float64, len(rows)), widened(old)
			add := func(row, lane int, v float64) { wantSums[row*LaneWidth+lane] += v }
			for s := range LaneWidth {
				for j := range testUnits {
					v := float64(h[j*LaneWidth+s])
					for c := range classes {
						d := float64(dz[c*LaneWidth+s])
						add(testUnits+j*classes+c, s, v*d)
						if v > 0 {
							wantDH[j*LaneWidth+s] += float64(w[j*classes+c]) * d
						}
					}
					back := wantDH[j*LaneWidth+s]
					add(j, s, back)
					wantRows[s*2*testUnits+j], wantRows[s*2*testUnits+testUnits+j] = back, back
				}
				for c := range classes {
					add(testUnits+testUnits*classes+c, s, float64(dz[c*LaneWidth+s]))
				}
			}
			exactly(t, fmt.Sprintf("classes=%d: dh", classes), dh, wantDH)
			exactly(t, fmt.Sprintf("classes=%d: rows", classes), rows, wantRows)
			exactly(t, fmt.Sprintf("classes=%d: sums", classes), sums, wantSums)
		}
		o.intact("head")
	})
}

func TestLanesDenseInputGradIsTheProductWhereTheInputIsOpen(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, c := range laneShapes() {
			q, flat := c.Pooled(), c.Pooled()*c.Filters
			a, dh, w := placed(o, lanesOf(1, flat)), placed(o, lanesOf(2, testUnits)), placed(o, integers(3, flat*testUnits))
			for i := range a {
				a[i] = max(a[i], 0)
			}
			da := placed(o, lanesOf(4, flat))
			l.DenseInputGrad(c, da, a, dh, w)
			want := make([]float64, len(da))
			for i := range flat {
				for s := range LaneWidth {
					for j := range testUnits {
						if a[i*LaneWidth+s] > 0 {
							want[(i%c.Filters*q+i/c.Filters)*LaneWidth+s] += float64(w[i*testUnits+j]) * float64(dh[j*LaneWidth+s])
						}
					}
				}
			}
			exactly(t, fmt.Sprintf("%v", c), da, want)
		}
		o.intact("input gradient")
	})
}

func TestLanesDenseWeightGradSumsAllBlocksForTheInputsAskedFor(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		const flat = 48
		for _, blocks := range []int{1, 2, 5} {
			a, rows := placed(o, lanesOf(1, blocks*flat)), placed(o, doubledRows(integers(2, blocks*LaneWidth*testUnits)))
			for _, r := range [][2]int{{0, 48}, {0, 8}, {40, 48}, {8, 32}, {16, 16}} {
				before := integers(3, flat*testUnits)
				dw, old, same := placed(o, before), placed(o, integers(4, flat*testUnits)), placed(o, integers(4, flat*testUnits))
				stream := lines(flat * testUnits)
				copy(stream.x, before)
				want, sum := widened(before), widened(old)
				for i := r[0] * testUnits; i < r[1]*testUnits; i++ {
					want[i] = 0
					for s := range blocks * LaneWidth {
						value := a[(s/LaneWidth*flat+i/testUnits)*LaneWidth+s%LaneWidth]
						want[i] += float64(value) * float64(rows[s*2*testUnits+i%testUnits])
					}
					sum[i] += want[i]
				}
				what := fmt.Sprintf("blocks=%d inputs=%v", blocks, r)
				l.DenseWeightGrad(flat, blocks, r[0], r[1], dw, nil, a, rows, false)
				exactly(t, what, dw, want)
				l.DenseWeightGrad(flat, blocks, r[0], r[1], same, same, a, rows, false)
				exactly(t, what+", in place", same, sum)
				l.DenseWeightGrad(flat, blocks, r[0], r[1], stream.x, old, a, rows, true)
				for i := range want {
					if i >= r[0]*testUnits && i < r[1]*testUnits {
						want[i] = sum[i]
					}
				}
				exactly(t, what+", past the caches", stream.x, want)
				stream.intact(t)
			}
		}
		o.intact("weight gradient")
	})
}

// doubledRows puts each row of units twice in a row.
func doubledRows(x []float32) []float32 {
	var y []float32
	for ; len(x) > 0; x = x[testUnits:] {
		y = append(append(y, x[:testUnits]...), x[:testUnits]...)
	}
	return y
}

func TestSumLanesAddsEachRow(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, n := range []int{0, 1, 2, 7, 16, 302} {
			sums, dst := placed(o, lanesOf(1, n)), placed(o, integers(2, n))
			l.SumLanes(dst, sums)
			want := make([]float64, n)
			for i, v := range sums {
				want[i/LaneWidth] += float64(v)
			}
			exactly(t, fmt.Sprintf("n=%d", n), dst, want)
		}
		o.intact("sums")
	})
}
