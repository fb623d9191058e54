package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestElementwiseFunctionsComputeWhatTheySay(t *testing.T) {
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name string
		f    func(dst []float32)
		want []float32
	}{
		{"Neg", func(d []float32) { Neg(d, []float32{1, -2, nan}) }, []float32{-1, 2, nan}},
		{"Reciprocal", func(d []float32) { Reciprocal(d, []float32{4, 0, nan}) }, []float32{0.25, inf, nan}},
		{"Sqrt", func(d []float32) { Sqrt(d, []float32{9, -1, nan}) }, []float32{3, nan, nan}},
		{"Log", func(d []float32) { Log(d, []float32{1, 0, nan}) }, []float32{0, -inf, nan}},
		{"Fill", func(d []float32) { Fill(d, 3) }, []float32{3, 3}},
		{"Add", func(d []float32) { Add(d, []float32{1, 2}, []float32{10, 20}) }, []float32{11, 22}},
		{"Add of one value each", func(d []float32) { Add(d, []float32{1}, []float32{10}) }, []float32{11}},
		{"Sub from a constant", func(d []float32) { Sub(d, []float32{1}, []float32{10, 20}) }, []float32{-9, -19}},
		{"Mul by a constant", func(d []float32) { Mul(d, []float32{2, 3}, []float32{4}) }, []float32{8, 12}},
		{"Div", func(d []float32) { Div(d, []float32{1, 1, 0}, []float32{4, 0, 0}) }, []float32{0.25, inf, nan}},
		{"DivNoNaN", func(d []float32) { DivNoNaN(d, []float32{1, 1, nan}, []float32{4, 0, 1}) }, []float32{0.25, 0, nan}},
		{"Min", func(d []float32) { Min(d, []float32{1, 5, nan, 1}, []float32{3, 3, 3, nan}) }, []float32{1, 3, nan, nan}},
		{"Max", func(d []float32) { Max(d, []float32{1, 5, nan, 1}, []float32{3, 3, 3, nan}) }, []float32{3, 5, nan, nan}},
		{"Pow", func(d []float32) { Pow(d, []float32{0.5}, []float32{3}) }, []float32{0.125}},
		{"Where", func(d []float32) { Where(d, []bool{true, false}, []float32{1, 2}, []float32{3, 4}) }, []float32{1, 4}},
		{"RowSum", func(d []float32) { RowSum(2, 2, d, []float32{1, 2, 3, nan}) }, []float32{3, nan}},
		{"FromInts", func(d []float32) { FromInts(d, []int{-3, 1 << 24}) }, []float32{-3, 1 << 24}},
		{"FromBools", func(d []float32) { FromBools(d, []bool{true, false}) }, []float32{1, 0}},
		{"OneHot", func(d []float32) { OneHot(2, d, []uint8{1, 0, 2}) }, []float32{0, 1, 1, 0, 0, 0}},
		{"Repeat, a part", func(d []float32) { Repeat(d, []float32{5, 6}, 2, 1, 3) }, []float32{-77, 5, 6, -77}},
		{"Gather", func(d []float32) { Gather(2, 1, d, []float32{1, 2, 3}, []int{1, 0}) }, []float32{2, 3, 1, 2}},
		{"Gather of two channels", func(d []float32) { Gather(2, 2, d, []float32{1, 2, 3, 4}, []int{1}) }, []float32{3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const old = -77 // what a reused buffer may hold
			dst := slices.Repeat([]float32{old}, len(c.want)+1)
			c.f(dst[:len(c.want)])
			for i, want := range c.want {
				if got := dst[i]; got != want && !(got != got && want != want) {
					t.Errorf("value %d is %g, want %g", i, got, want)
				}
			}
			if dst[len(c.want)] != old {
				t.Error("it wrote behind its destination")
			}
		})
	}
}

func TestComparisonsAreFalseForNaN(t *testing.T) {
	nan := float32(math.NaN())
	a, b := []float32{1, 2, 3, nan, 1}, []float32{2, 2, 2, 2, nan}
	got := make([]bool, len(a))
	if LessEqual(got, a, b); !slices.Equal(got, []bool{true, true, false, false, false}) {
		t.Errorf("LessEqual is %v", got)
	}
	if GreaterEqual(got, a, b); !slices.Equal(got, []bool{false, true, true, false, false}) {
		t.Errorf("GreaterEqual is %v", got)
	}
	if Equal(got[:2], []int{4, 5}, []int{4, 6}); got[0] != true || got[1] != false {
		t.Errorf("Equal is %v", got[:2])
	}
}

func TestArgMaxTakesTheFirstOfEquals(t *testing.T) {
	nan := float32(math.NaN())
	got := make([]int, 3)
	ArgMax(3, 3, got, []float32{1, 5, 5, -1, -2, -1, 0, nan, 1})
	if !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("got %v, want [1 0 2]", got)
	}
}
