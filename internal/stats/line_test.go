package stats_test

import (
	"math"
	"testing"

	"fitbench/internal/stats"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestALineThroughTwoPointsIsExactAndHasNoQuality(t *testing.T) {
	// 2.48 ms at 64 and 74.8 ms at 8096: 72.32/8032 a sample.
	l, ok := stats.FitLine([]float64{64, 8096}, []float64{2.48, 74.8})
	if !ok || l.Quality != nil {
		t.Fatalf("%+v, %v, want a line without quality", l, ok)
	}
	near(t, "slope", l.Slope, 72.32/8032, 1e-14)
	near(t, "intercept", l.Intercept, 2.48-64*72.32/8032, 1e-12)
	near(t, "at 8096", l.At(8096), 74.8, 1e-12)
}

func TestALineFitsTheRelativeError(t *testing.T) {
	// By hand: x 1 2 3, y 1 2 4. With u = 1/y the normal equations are
	// a*(1 + 1/4 + 1/16) + b*(1 + 2/4 + 3/16) = 1 + 1/2 + 1/4, a*(1 + 2/4 + 3/16) + b*(1 + 4/4 + 9/16) = 1 + 2/2 + 3/4,
	// in sixteenths 21a + 27b = 28, 27a + 41b = 44: a = (28*41-27*44)/132 = -40/132, b = (21*44-27*28)/132 = 168/132.
	l, ok := stats.FitLine([]float64{1, 2, 3}, []float64{1, 2, 4})
	if !ok || l.Quality == nil || l.Quality.R2 == nil {
		t.Fatalf("%+v, %v, want a line with its quality", l, ok)
	}
	near(t, "intercept", l.Intercept, -10.0/33, 1e-12)
	near(t, "slope", l.Slope, 14.0/11, 1e-12)
	// The line is at 32/33, 74/33, 116/33: relative residuals 1/33, -4/33, 4/33, whose squares sum up to 33/33^2 = 1/33.
	near(t, "largest residual", l.Quality.LargestResidual, 4.0/33, 1e-12)
	// The best constant c minimises the sum of (1-c/y)^2: c = (28/16)/(21/16) = 4/3, which leaves 3 - 2*(4/3)*(7/4) + (16/9)*(21/16) = 2/3.
	near(t, "R2", *l.Quality.R2, 1-(1.0/33)/(2.0/3), 1e-12)
	// One degree of freedom: t = 12.7062; the inverse of the normal matrix is [41 -27; -27 21]*16/132.
	near(t, "slope's reach", l.Quality.SlopeHigh-l.Slope, 12.7062047*math.Sqrt(21*16.0/132/33), 1e-7)
	near(t, "slope's lower reach", l.Slope-l.Quality.SlopeLow, 12.7062047*math.Sqrt(21*16.0/132/33), 1e-7)
	near(t, "intercept's reach", l.Quality.InterceptHigh-l.Intercept, 12.7062047*math.Sqrt(41*16.0/132/33), 1e-7)
	near(t, "intercept's lower reach", l.Intercept-l.Quality.InterceptLow, 12.7062047*math.Sqrt(41*16.0/132/33), 1e-7)
}

func TestALineThroughPointsOnALineFindsIt(t *testing.T) {
	var x, y []float64
	for _, size := range []float64{16, 64, 256, 1024, 8096} {
		x, y = append(x, size), append(y, 1.9+0.009*size)
	}
	l, ok := stats.FitLine(x, y)
	if !ok || l.Quality == nil {
		t.Fatalf("%+v, %v", l, ok)
	}
	near(t, "intercept", l.Intercept, 1.9, 1e-12)
	near(t, "slope", l.Slope, 0.009, 1e-14)
	near(t, "R2", *l.Quality.R2, 1, 1e-12)
	near(t, "largest residual", l.Quality.LargestResidual, 0, 1e-12)
}

func TestALineThroughEqualValuesHasNoR2(t *testing.T) {
	l, ok := stats.FitLine([]float64{1, 2, 3}, []float64{5, 5, 5})
	if !ok || l.Quality == nil || l.Quality.R2 != nil {
		t.Fatalf("%+v, %v, want quality without R2", l, ok)
	}
	near(t, "intercept", l.Intercept, 5, 1e-12)
	near(t, "slope", l.Slope, 0, 1e-12)
}

func TestALineIntervalHoldsTheTruthAsOftenAsPromised(t *testing.T) {
	// Relative errors of 5 %, 2000 times: 95 % with a standard error of 0.49 %.
	x := []float64{16, 64, 256, 1024, 4096, 8096}
	random := newNoise(7)
	intercept, slope := 0, 0
	for range 2000 {
		y := make([]float64, len(x))
		for i, size := range x {
			y[i] = (1.9 + 0.009*size) / (1 + 0.05*random.NormFloat64())
		}
		l, ok := stats.FitLine(x, y)
		if !ok {
			t.Fatal("no line")
		}
		if q := l.Quality; q.InterceptLow <= 1.9 && 1.9 <= q.InterceptHigh {
			intercept++
		}
		if q := l.Quality; q.SlopeLow <= 0.009 && 0.009 <= q.SlopeHigh {
			slope++
		}
	}
	near(t, "coverage of the intercept", float64(intercept)/2000, 0.95, 0.015)
	near(t, "coverage of the slope", float64(slope)/2000, 0.95, 0.015)
}

func TestALineNeedsTwoSizesAndPositiveValues(t *testing.T) {
	for _, c := range [][2][]float64{
		{nil, nil},
		{{1}, {1}},
		{{1, 1}, {1, 2}},
		{{1, 2}, {1}},
		{{1, 2}, {1, 0}},
		{{1, 2}, {1, -1}},
		{{1, nan}, {1, 2}},
		{{1, 2}, {nan, 2}},
		{{1, inf}, {1, 2}},
		{{1, 2}, {1, inf}},
	} {
		if l, ok := stats.FitLine(c[0], c[1]); ok {
			t.Errorf("FitLine(%v, %v) = %+v, want none", c[0], c[1], l)
		}
	}
}

func TestTheGapIsUnderAShareFromTheFirstSizeBeyondTheCrossing(t *testing.T) {
	line := func(a, b float64) stats.Line { return stats.Line{Intercept: a, Slope: b} }
	for _, c := range []struct {
		name              string
		base, other       stats.Line
		smallest, largest int
		want              int
		ok                bool
	}{
		// 3 + x < 1.25*(1 + x) beyond x = 7; at 7 itself the gap still is 25 %.
		{"closes inside", line(1, 1), line(3, 1), 1, 100, 8, true},
		{"closes at the largest size", line(1, 1), line(3, 1), 1, 8, 8, true},
		{"closes beyond the range", line(1, 1), line(3, 1), 1, 7, 0, false},
		{"closes between two sizes", line(1, 1), line(3.125, 1), 1, 100, 8, true}, // beyond 7.5
		{"closed everywhere", line(1, 1), line(1, 1.05), 16, 64, 16, true},
		{"other below base", line(2, 1), line(1, 1), 16, 64, 16, true},
		{"grows with the size", line(1, 1), line(1, 1.5), 1, 100, 0, false},
		{"never: the slopes are 25 % apart", line(1, 1), line(3, 1.25), 1, 1 << 30, 0, false},
		{"base below 0 inside the range", line(-5, 1), line(3, 1), 1, 100, 0, false},
		{"no range", line(1, 1), line(1, 1), 2, 1, 0, false},
		{"nan", line(nan, 1), line(1, 1), 1, 2, 0, false},
		{"nan above", line(1, 1), line(nan, 1), 1, 2, 0, false},
	} {
		if got, ok := stats.GapUnder(c.base, c.other, 0.25, c.smallest, c.largest); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}
