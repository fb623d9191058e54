package stats_test

import (
	"math"
	"slices"
	"testing"

	"fitbench/internal/stats"
)

var nan, inf = math.NaN(), math.Inf(1)

func TestMedianIsTheMiddleOrTheMeanOfTheTwoMiddleValues(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
		ok   bool
	}{
		{nil, 0, false},
		{[]float64{7}, 7, true},
		{[]float64{4, 1}, 2.5, true},
		{[]float64{3, 1, 2}, 2, true},
		{[]float64{9, 1, 2, 100}, 5.5, true},
		{[]float64{5, -1, 5, 0, 2}, 2, true},
		{[]float64{1, nan, 3}, 0, false},
		{[]float64{nan}, 0, false},
		{[]float64{1, inf, 2}, 2, true},
		{[]float64{inf, inf}, inf, true},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64, true},
	} {
		got, ok := stats.Median(c.x)
		if got != c.want || ok != c.ok {
			t.Errorf("Median(%v) = %v, %v, want %v, %v", c.x, got, ok, c.want, c.ok)
		}
	}
}

func TestMedianLeavesItsArgumentInOrder(t *testing.T) {
	x := []float64{3, 1, 2}
	stats.Median(x)
	if !slices.Equal(x, []float64{3, 1, 2}) {
		t.Errorf("the argument became %v", x)
	}
}

func TestRelativeSpreadIsHalfTheRangeOverTheMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
		ok   bool
	}{
		{nil, 0, false},
		{[]float64{2}, 0, false},
		{[]float64{3, 3}, 0, true},
		{[]float64{9, 11}, 0.1, true},
		{[]float64{100, 98, 101, 99, 106}, 0.04, true},
		{[]float64{1, 1, 2}, 0.5, true}, // one wild round of three is not forgiven
		{[]float64{-2, -4, -3}, 1.0 / 3, true},
		{[]float64{-1, 0, 1}, 0, false},
		{[]float64{1, nan}, 0, false},
		{[]float64{1, 2, inf}, 0, false},
	} {
		got, ok := stats.RelativeSpread(c.x)
		if !(math.Abs(got-c.want) <= 1e-15) || ok != c.ok {
			t.Errorf("RelativeSpread(%v) = %v, %v, want %v, %v", c.x, got, ok, c.want, c.ok)
		}
	}
}
