package kernel

import (
	"fmt"
	"slices"
	"testing"
)

var streamLengths = []int{0, 1, 15, 16, 17, 31, 32, 33, 240, 302}

func TestStreamCopiesAndTouchesNothingElse(t *testing.T) {
	inEveryMemory(t, func(t *testing.T, l *Lanes, o *operands) {
		for _, n := range streamLengths {
			dst, src := lines(n), placed(o, numbers(2, n))
			l.Stream(dst.x, src)
			sameBits(t, fmt.Sprintf("n=%d", n), dst.x, src)
			dst.intact(t)
		}
		o.intact("stream")
	})
}

func TestAdamStreamIsAdam(t *testing.T) {
	for _, impl := range Available() {
		if impl.Lanes == nil {
			continue
		}
		for _, n := range streamLengths {
			w, g := lines(n), numbers(4, n)
			copy(w.x, numbers(1, n))
			m, v := numbers(2, n), numbers(3, n)
			for i := range v {
				v[i] *= v[i]
			}
			wantW, wantM, wantV := slices.Clone(w.x), slices.Clone(m), slices.Clone(v)
			impl.Adam(adamStep, wantW, wantM, wantV, g)
			impl.Lanes.AdamStream(adamStep, w.x, m, v, g)
			what := fmt.Sprintf("%s, n=%d: ", impl.Name, n)
			sameBits(t, what+"w", w.x, wantW)
			sameBits(t, what+"m", m, wantM)
			sameBits(t, what+"v", v, wantV)
			w.intact(t)
		}
	}
}

func TestOldSumsThatAreTooShortAreRefused(t *testing.T) {
	for _, impl := range Available() {
		if impl.Lanes == nil {
			continue
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s took them", impl.Name)
				}
			}()
			dw := make([]float32, 8*testUnits)
			impl.Lanes.DenseWeightGrad(8, 1, 0, 8, dw, dw[:len(dw)-1], make([]float32, 8*LaneWidth), make([]float32, LaneWidth*2*testUnits), false)
		}()
	}
}

func TestStreamsRefuseWhatDoesNotBeginAtACacheLine(t *testing.T) {
	for _, impl := range Available() {
		if impl.Lanes == nil {
			continue
		}
		x, y := Aligned(33)[1:], make([]float32, 32)
		for name, stream := range map[string]func(){
			"Stream":     func() { impl.Lanes.Stream(x, y) },
			"AdamStream": func() { impl.Lanes.AdamStream(adamStep, x, y, y, y) },
			"DenseWeightGrad": func() {
				impl.Lanes.DenseWeightGrad(8, 1, 0, 8, Aligned(8*testUnits + 1)[1:], nil, make([]float32, 8*LaneWidth), make([]float32, LaneWidth*2*testUnits), true)
			},
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s took it", impl.Name, name)
					}
				}()
				stream()
			}()
		}
	}
}

// aligned is a destination that begins at a cache line, between lines of guard words.
type aligned struct{ all, x []float32 }

func lines(n int) aligned {
	const around = cacheLine / 4
	all := Aligned(n + 2*around)
	for i := range all {
		all[i] = -7
	}
	return aligned{all: all, x: all[around : around+n : around+n]}
}

func (a aligned) intact(t *testing.T) {
	t.Helper()
	n := len(a.x)
	for i, v := range a.all {
		if (i < cacheLine/4 || i >= cacheLine/4+n) && v != -7 {
			t.Errorf("%d values: what lies %d from the first became %g", n, i-cacheLine/4, v)
		}
	}
}
