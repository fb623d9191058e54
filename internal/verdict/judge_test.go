package verdict_test

import (
	"math"
	"testing"

	"fitbench/internal/verdict"
)

func TestAnIntervalAndItsEstimateAreJudgedByTheMargin(t *testing.T) {
	for _, c := range []struct {
		estimate, low, high float64
		want                verdict.Verdict
	}{
		{0.06, 0.01, 0.11, verdict.Regressed},
		{0.05, 0.01, 0.11, verdict.Regressed},
		{0.049, 0.01, 0.11, verdict.Inconclusive},
		{0.06, 0, 0.11, verdict.Inconclusive},
		{-0.06, -0.11, -0.01, verdict.Improved},
		{-0.05, -0.11, -0.01, verdict.Improved},
		{-0.049, -0.11, -0.01, verdict.Inconclusive},
		{-0.06, -0.11, 0, verdict.Inconclusive},
		{0, -0.05, 0.05, verdict.Same},
		{0, -0.051, 0.05, verdict.Inconclusive},
		{0, -0.05, 0.051, verdict.Inconclusive},
		{0.06, 0.11, -0.01, verdict.Regressed}, // the bounds are taken as they are named
		{math.NaN(), 0.01, 0.11, verdict.Inconclusive},
		{0, math.NaN(), 0.01, verdict.Inconclusive},
		{0, -0.01, math.NaN(), verdict.Inconclusive},
	} {
		if got := verdict.Judge(c.estimate, c.low, c.high, 0.05); got != c.want {
			t.Errorf("%v in %v to %v: %s, want %s", c.estimate, c.low, c.high, got, c.want)
		}
	}
}

func TestAllTogetherAreAsBadAsTheWorst(t *testing.T) {
	const r, n, i, s = verdict.Regressed, verdict.Inconclusive, verdict.Improved, verdict.Same
	for _, c := range []struct {
		all  []verdict.Verdict
		want verdict.Verdict
	}{
		{[]verdict.Verdict{s, i, n, r}, r}, {[]verdict.Verdict{i, r}, r}, {[]verdict.Verdict{s, i, n}, n}, {[]verdict.Verdict{s, i, s}, i},
		{[]verdict.Verdict{s, s}, s}, {nil, n}, {[]verdict.Verdict{s, ""}, n}, {[]verdict.Verdict{i, "new"}, n},
	} {
		if got := verdict.Overall(c.all); got != c.want {
			t.Errorf("%v: %s, want %s", c.all, got, c.want)
		}
	}
}
