package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fitbench/internal/stats"
)

func TestTheShiftIsTheMedianOfAllDifferences(t *testing.T) {
	for _, c := range []struct {
		base, head []float64
		want       float64
	}{
		{[]float64{5}, []float64{7}, 2},
		{[]float64{1, 2}, []float64{4}, 2.5},                    // 3, 2
		{[]float64{1, 2, 10}, []float64{3, 5}, 1.5},             // 2, 4, 1, 3, -7, -5: the middle two are 1 and 2
		{[]float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5}, 0}, // itself
	} {
		got, ok := stats.ShiftBetween(c.base, c.head, 0.95)
		if !ok || !(math.Abs(got.Estimate-c.want) <= 1e-15) {
			t.Errorf("from %v to %v: %+v, %v, want %v", c.base, c.head, got, ok, c.want)
		}
	}
}

func TestThereIsNoShiftOfNothingOrOfWhatIsNotFinite(t *testing.T) {
	for _, c := range [][2][]float64{
		{nil, {1}}, {{1}, nil}, {{nan, 1}, {1, 2}}, {{1}, {2, nan}}, {{inf}, {1}}, {{1}, {-inf}}, {{-math.MaxFloat64}, {math.MaxFloat64}},
	} {
		if got, ok := stats.ShiftBetween(c[0], c[1], 0.95); ok {
			t.Errorf("from %v to %v: %+v", c[0], c[1], got)
		}
	}
}

// ranked are n values of which all differences to those of another such group differ.
func ranked(n int, unit float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i) * unit
	}
	return x
}

// The ranks are those that tables of the Mann-Whitney test give: its two-sided 5 % and 1 % critical values of U are k-1 (for example
// Siegel and Castellan's table; 0 for 4 and 4, 2 for 5 and 5, 23 for 10 and 10, 127 for 20 and 20 at 5 %).
func TestTheIntervalCutsAtTheCriticalValueOfTheTest(t *testing.T) {
	for _, c := range []struct {
		m, n       int
		confidence float64
		k          int // 0: no interval
	}{
		{1, 1, 0.95, 0}, {2, 2, 0.95, 0}, {3, 3, 0.95, 0}, {3, 4, 0.95, 0}, {2, 8, 0.95, 1},
		{3, 5, 0.95, 1}, {4, 4, 0.95, 1}, {5, 5, 0.95, 3}, {4, 6, 0.95, 3}, {8, 8, 0.95, 14}, {10, 10, 0.95, 24}, {20, 20, 0.95, 128},
		{4, 4, 0.99, 0}, {5, 5, 0.99, 1}, {6, 6, 0.99, 3}, {10, 10, 0.99, 17}, {20, 20, 0.99, 106},
		{5, 5, 1, 0},
	} {
		base, head := ranked(c.m, 1), ranked(c.n, 1e3)
		got, ok := stats.ShiftBetween(base, head, c.confidence)
		if !ok || got.HasInterval != (c.k > 0) {
			t.Errorf("%d and %d at %v: %+v, %v, want k = %d", c.m, c.n, c.confidence, got, ok, c.k)
			continue
		}
		if c.k == 0 {
			continue
		}
		var all []float64
		for _, b := range base {
			for _, h := range head {
				all = append(all, h-b)
			}
		}
		slices.Sort(all)
		if got.Low != all[c.k-1] || got.High != all[len(all)-c.k] {
			t.Errorf("%d and %d at %v: [%v, %v], want [%v, %v]", c.m, c.n, c.confidence, got.Low, got.High, all[c.k-1], all[len(all)-c.k])
		}
	}
}

// An independent count: every way in which m of m+n ranks can belong to the first group is as likely as any other.
func TestTheIntervalIsTheWidestThatCountingAllOrdersAllows(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for n := 1; n <= 6; n++ {
			counts, total := make([]int, m*n+1), 0
			for set := range 1 << (m + n) {
				u, ones := 0, 0
				for rank := range m + n {
					if set>>rank&1 == 1 {
						ones++
						u += rank + 1 - ones // ranks of the other group below
					}
				}
				if ones == m {
					counts[u]++
					total++
				}
			}
			for _, confidence := range []float64{0.5, 0.9, 0.95, 0.99} {
				k, below := 0, 0
				for below+counts[k] <= int(float64(total)*(1-confidence)/2+1e-9) {
					below += counts[k]
					k++
				}
				got, _ := stats.ShiftBetween(ranked(m, 1), ranked(n, 1), confidence)
				all := []float64{}
				for i := range m {
					for j := range n {
						all = append(all, float64(j-i))
					}
				}
				slices.Sort(all)
				if got.HasInterval != (k > 0) || k > 0 && (got.Low != all[k-1] || got.High != all[len(all)-k]) {
					t.Errorf("%d and %d at %v: %+v, want k = %d of %v", m, n, confidence, got, k, all)
				}
			}
		}
	}
}

func TestTheIntervalOfManyValuesGoesOnWhereTheExactOneEnds(t *testing.T) {
	// 40 and 40 are exact, 41 and 41 are not: the share of the differences that is cut off grows by 0.0016.
	at := func(n int) float64 {
		s, _ := stats.ShiftBetween(ranked(n, 1), ranked(n, 1e3), 0.95)
		below := 0
		for i := range n * n {
			if float64(i/n)*1e3-float64(i%n) < s.Low {
				below++
			}
		}
		return float64(below) / float64(n*n)
	}
	if exact, normal := at(40), at(41); !(math.Abs(normal-exact-0.0016) <= 0.001) || !(math.Abs(exact-0.372) <= 0.002) {
		t.Errorf("%v of the differences cut off for 40 values, %v for 41", exact, normal)
	}
}

func TestTheIntervalHoldsAsOftenAsItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		m, n   int
		trials int
	}{{5, 5, 4000}, {7, 12, 4000}, {3, 600, 1000}, {50, 50, 1000}} {
		missed := 0
		for range c.trials {
			base, head := make([]float64, c.m), make([]float64, c.n)
			for i := range base {
				base[i] = r.ExpFloat64()
			}
			for i := range head {
				head[i] = r.ExpFloat64() + 0.3
			}
			if s, _ := stats.ShiftBetween(base, head, 0.95); !s.HasInterval || s.Low > 0.3 || s.High < 0.3 {
				missed++
			}
		}
		// Four standard deviations above 5 %.
		if allowed := 0.05 + 4*math.Sqrt(0.05*0.95/float64(c.trials)); !(float64(missed)/float64(c.trials) <= allowed) {
			t.Errorf("%d and %d: missed in %d of %d", c.m, c.n, missed, c.trials)
		}
	}
}
