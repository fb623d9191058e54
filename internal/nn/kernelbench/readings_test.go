package main

import (
	"math"
	"slices"
	"testing"
)

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12 }

// By hand: the quartiles of 1, 2, 3, 4, 100 lie a quarter of the way from 1 to 2 (linear interpolation of the distribution) and
// three quarters of the way from 3 to 4: 1.25 and 3.75.
func TestOneWildRoundMovesNeitherMedianNorSpread(t *testing.T) {
	s := summarise([]float64{100, 3, 1, 4, 2})
	if !s.measured || s.median != 3 || !near(s.spread, 1.25) {
		t.Errorf("summary is %+v, want 3 and 1.25", s)
	}
}

func TestWhatWasNotMeasuredHasNoSummary(t *testing.T) {
	for _, values := range [][]float64{nil, {1, math.NaN()}} {
		if s := summarise(values); s.measured {
			t.Errorf("%v is summarised as %+v", values, s)
		}
	}
	if r := ratios([]float64{1, 2}, nil); r != nil {
		t.Errorf("a ratio to what was not measured is %v", r)
	}
}

// The machine was half as fast in the second round; that is in neither ratio.
func TestRatiosAreTakenWithinARound(t *testing.T) {
	if got := ratios([]float64{10, 20}, []float64{5, 10}); !slices.Equal(got, []float64{2, 2}) {
		t.Errorf("ratios are %v, want 2 and 2", got)
	}
}

func TestAllElseIsTheWholeLessEveryPartWithoutTheRoundsThatWereDisturbed(t *testing.T) {
	r := readings{figure{64, "avx2", inOneThread}: {100, 100, 900}}
	for i, part := range partNames() {
		r[figure{64, "avx2", part}] = []float64{float64(i), float64(i), float64(i)} // together 28
	}
	r[figure{64, "avx2", partNames()[3]}][0] = 500
	if got, ok := r.rest(64, "avx2"); !ok || got != 72 {
		t.Errorf("all else is %v (%v), want 72", got, ok)
	}
	delete(r, figure{64, "avx2", partNames()[3]})
	if got, ok := r.rest(64, "avx2"); ok {
		t.Errorf("without one of the parts, all else is %v", got)
	}
}

// By hand: gains of 1.8 and 1.5 of possible 1.9 and, as no more than two cores count, 2.
func TestTheShareOfAGainIsOfWhatTwoYardsticksGain(t *testing.T) {
	r := readings{
		{64, "avx2", inOneThread}: {18, 15}, {64, "avx2", inTwo}: {10, 10}, {64, "avx2", inTwoModels}: {9, 10},
		{64, theYardstick, inOneThread}: {19, 25}, {64, theYardstick, inTwo}: {10, 10},
	}
	got := r.shares(64, "avx2", inTwo)
	if len(got) != 2 || !near(got[0], 1.8/1.9) || !near(got[1], 0.75) {
		t.Errorf("shares are %v, want 0.947 and 0.75", got)
	}
	got = r.shares(64, "avx2", inTwoModels)
	if len(got) != 2 || !near(got[0], 2/1.9) || !near(got[1], 0.75) {
		t.Errorf("shares of two models are %v, want 1.053 and 0.75", got)
	}
	if gains := r.gains(64, theYardstick, inTwo); !slices.Equal(gains, []float64{1.9, 2.5}) {
		t.Errorf("the yardstick's gains are %v, want 1.9 and 2.5 still", gains)
	}
}
