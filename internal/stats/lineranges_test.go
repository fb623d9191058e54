package stats_test

import (
	"math/rand/v2"
	"testing"

	"fitbench/internal/stats"
)

func newNoise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

var sizes = []float64{16, 64, 256, 1024, 4096, 8192}

// costs is 1 + 0.01 x up to kink, and beyond it a line with five times the slope that meets it there.
func costs(kink float64) []float64 {
	y := make([]float64, len(sizes))
	for i, x := range sizes {
		y[i] = 1 + 0.01*x + 0.04*max(0, x-kink)
	}
	return y
}

func TestOneRangeWhereOneLineFitsAllSizes(t *testing.T) {
	y := costs(1e9)
	y[2] *= 1.08 // under 10 %: no reason to doubt the line
	ranges, ok := stats.LineRanges(sizes, y, nil)
	if !ok || len(ranges) != 1 || ranges[0].First != 16 || ranges[0].Last != 8192 || ranges[0].Points != 6 || ranges[0].Line == nil {
		t.Fatalf("%+v, %v, want one range", ranges, ok)
	}
	line, _ := stats.FitLine(sizes, y)
	if got := *ranges[0].Line; got.Slope != line.Slope || got.Intercept != line.Intercept {
		t.Errorf("its line is %+v, want that of all points, %+v", got, line)
	}
}

func TestTwoRangesWhereTheCostKinks(t *testing.T) {
	ranges, ok := stats.LineRanges(sizes, costs(300), nil)
	if !ok || len(ranges) != 2 {
		t.Fatalf("%+v, %v, want two ranges", ranges, ok)
	}
	first, second := ranges[0], ranges[1]
	if first.First != 16 || first.Last != 256 || second.First != 1024 || second.Last != 8192 || first.Points != 3 || second.Points != 3 {
		t.Errorf("ranges %v to %v and %v to %v", first.First, first.Last, second.First, second.Last)
	}
	near(t, "first slope", first.Line.Slope, 0.01, 1e-9)
	near(t, "second slope", second.Line.Slope, 0.05, 1e-9)
}

func TestARangeEndsWhereTheLinesFitBest(t *testing.T) {
	// 4 is 4 % off the line of the larger sizes, on which it would do too, and exactly on that of the smaller ones.
	x, y := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{1, 2, 3, 4, 7.84, 11.84, 15.84}
	ranges, ok := stats.LineRanges(x, y, nil)
	if !ok || len(ranges) != 2 || ranges[0].Last != 4 || ranges[1].First != 5 {
		t.Errorf("%+v, %v, want 1 to 4 and 5 to 7", ranges, ok)
	}
}

func TestASingleSizeOffTheLineIsNamedAlone(t *testing.T) {
	// 1 to 2 and 4 to 8 would be two lines as well, neither of which could have failed to fit.
	ranges, ok := stats.LineRanges([]float64{1, 2, 4, 8}, []float64{1, 2, 4, 20}, nil)
	if !ok || len(ranges) != 2 || ranges[0].Last != 4 || ranges[1].First != 8 || ranges[1].Line != nil {
		t.Errorf("%+v, %v, want 1 to 4, and 8 without a line", ranges, ok)
	}
}

func TestAResidualWithinThreeSpreadsIsNoReasonToDoubtTheLine(t *testing.T) {
	y := costs(1e9)
	y[3] *= 1.5
	ranges, ok := stats.LineRanges(sizes, y, []float64{0.01, 0.01, 0.01, 0.01, 0.01, 0.01})
	if !ok || len(ranges) < 2 {
		t.Errorf("small spreads: %+v, %v, want several ranges", ranges, ok)
	}
	ranges, ok = stats.LineRanges(sizes, y, []float64{0.15, 0.15, 0.15, 0.15, 0.15, 0.15})
	if !ok || len(ranges) != 1 {
		t.Errorf("spreads of 15 %%: %+v, %v, want one range", ranges, ok)
	}
}

func TestNoPointOfARangeSpeaksAgainstItsLine(t *testing.T) {
	random := newNoise(3)
	for range 200 {
		y, spread := costs(64), make([]float64, len(sizes))
		for i := range y {
			y[i] *= 1 + random.Float64()
			spread[i] = 0.05 * random.Float64()
		}
		ranges, ok := stats.LineRanges(sizes, y, spread)
		if !ok {
			t.Fatalf("no ranges for %v", y)
		}
		next := 0
		for _, r := range ranges {
			if r.First != sizes[next] || r.Last != sizes[next+r.Points-1] || (r.Line == nil) != (r.Points == 1) {
				t.Fatalf("%+v does not follow on size %v", r, sizes[next])
			}
			for i := next; i < next+r.Points && r.Line != nil; i++ {
				if residual := (y[i] - r.Line.At(sizes[i])) / y[i]; !(max(residual, -residual) <= max(0.10, 3*spread[i])+1e-9) {
					t.Fatalf("size %v is off by %v in %+v", sizes[i], residual, r)
				}
			}
			next += r.Points
		}
		if next != len(sizes) {
			t.Fatalf("%d sizes of %d in a range", next, len(sizes))
		}
	}
}

func TestAFittingHalfIsFoundBesideASingleSize(t *testing.T) {
	ranges, ok := stats.LineRanges([]float64{1, 2, 4}, []float64{1, 1, 9}, nil)
	if !ok || len(ranges) != 2 {
		t.Fatalf("%+v, %v, want two ranges", ranges, ok)
	}
	if single := ranges[0].Points == 1; (ranges[0].Line == nil) != single || (ranges[1].Line == nil) == single {
		t.Errorf("%+v: exactly the single size has no line", ranges)
	}
}

func TestTwoSizesAreOneRange(t *testing.T) {
	ranges, ok := stats.LineRanges([]float64{64, 8096}, []float64{2, 70}, nil)
	if !ok || len(ranges) != 1 || ranges[0].Line == nil || ranges[0].Line.Quality != nil {
		t.Errorf("%+v, %v, want one range without quality", ranges, ok)
	}
}

func TestLineRangesRefusesSizesOutOfOrder(t *testing.T) {
	for _, c := range [][3][]float64{
		{nil, nil, nil},
		{{1}, {1}, nil},
		{{2, 1}, {1, 2}, nil},
		{{1, 1, 2}, {1, 1, 2}, nil},
		{{1, nan}, {1, 2}, nil},
		{{1, 2}, {1, nan}, nil},
		{{1, 2}, {1, 0}, nil},
		{{1, 2}, {1, 2}, {0.1}},
		{{1, 2}, {1, 2}, {0.1, nan}},
		{{1, 2}, {1, 2, 3}, nil},
	} {
		if got, ok := stats.LineRanges(c[0], c[1], c[2]); ok {
			t.Errorf("LineRanges(%v, %v, %v) = %+v, want none", c[0], c[1], c[2], got)
		}
	}
}
