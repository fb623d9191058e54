package kernel

import (
	"math"
	"testing"
)

func TestBiasAddAndColumnSumGoOverRows(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		for _, rows := range []int{0, 1, 2, 7, 8, 17} {
			for n := 1; n < 35; n++ {
				x, b, old := integers(1, rows*n), integers(2, n), integers(3, n)
				y, s := destination(integers(4, rows*n)), destination(old)
				wantY, wantS := make([]float64, rows*n), widened(old)
				for i, v := range x {
					wantY[i] = float64(v) + float64(b[i%n])
					wantS[i%n] += float64(v)
				}
				impl.BiasAdd(rows, n, y.long(), x, b)
				y.equals(t, "BiasAdd", wantY)
				impl.ColumnSum(rows, n, s.long(), x)
				s.equals(t, "ColumnSum", wantS)
			}
		}
	})
}

func TestNarrowRoundsToTheNearestFloat32(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Impl) {
		// One and a half steps above 1 rounds up, half a step to the even 1; beyond float32 lie the infinities.
		src := []float64{1 + 0x1.8p-23, 1 + 0x1p-24, 1e39, -1e39, math.NaN(), -0.25, 3}
		want := []float32{1 + 0x1p-22, 1, inf, -inf, nan, -0.25, 3}
		for n := range 40 {
			long := make([]float64, n)
			for i := range long {
				long[i] = src[i%len(src)]
			}
			dst := destination(zeros(n))
			impl.Narrow(dst.values(), long)
			for i, v := range dst.values() {
				if w := want[i%len(want)]; v != w && !(isNaN(v) && isNaN(w)) {
					t.Fatalf("Narrow(%g) is %g, want %g", long[i], v, w)
				}
			}
			dst.intact(t, "Narrow")
		}
	})
}

func TestAccumulateAdds(t *testing.T) {
	for n := range 40 {
		old, src := integers(1, n), integers(2, n)
		dst, want := destination(old), widened(old)
		for i, v := range src {
			want[i] += float64(v)
		}
		Accumulate(dst.values(), src)
		dst.equals(t, "Accumulate", want)
	}
}
