package stats_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"fitbench/internal/stats"
)

// depression holds the differences y-x of Hollander, Wolfe and Chicken, table 3.1 (Hamilton depression scale factor IV).
var depression = []float64{
	0.878 - 1.83, 0.647 - 0.50, 0.598 - 1.62, 2.05 - 2.48, 1.06 - 1.68, 1.29 - 1.88, 1.06 - 1.55, 3.14 - 3.06, 1.29 - 1.30,
}

// sortedWalsh lays out every Walsh average: the slow reference.
func sortedWalsh(x []float64) []float64 {
	var all []float64
	for i := range x {
		for j := i; j < len(x); j++ {
			all = append(all, x[i]/2+x[j]/2)
		}
	}
	slices.Sort(all)
	return all
}

func TestHodgesLehmannIsTheMedianOfTheWalshAverages(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
		ok   bool
	}{
		{nil, 0, false},
		{[]float64{3}, 3, true},
		{[]float64{1, 2}, 1.5, true},
		{[]float64{0, 10, 1}, 3, true},         // 0 0.5 1 5 5.5 10: the mean of 1 and 5
		{[]float64{1, 2, 3, 1000}, 2.75, true}, // 1 1.5 2 2 2.5 3 and four beyond 500
		{[]float64{-1, 1}, 0, true},
		{[]float64{0, 0, 0}, 0, true},
		{[]float64{math.Copysign(0, -1)}, 0, true},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64, true},
		{depression, -0.46, true}, // the book's estimate
		{[]float64{1, nan}, 0, false},
		{[]float64{1, inf}, 0, false},
		{[]float64{1, -inf}, 0, false},
	} {
		got, ok := stats.HodgesLehmann(c.x)
		if !(math.Abs(got-c.want) <= 1e-12) || ok != c.ok || got == 0 && math.Signbit(got) {
			t.Errorf("HodgesLehmann(%v) = %v, %v, want %v, %v", c.x, got, ok, c.want, c.ok)
		}
	}
}

func TestWalshAveragesAreFoundAsIfTheyWereLaidOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 25; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = random.NormFloat64()
			if n%3 == 0 {
				x[i] = math.Round(2 * x[i]) // ties and zeros
			}
		}
		before := slices.Clone(x)
		all := sortedWalsh(x)
		for cut := 0; 2*cut < len(all); cut++ {
			low, high, ok := stats.WalshInterval(x, cut)
			if low != all[cut] || high != all[len(all)-1-cut] || !ok || math.Signbit(low) != (all[cut] < 0) {
				t.Fatalf("n %d, cut %d: %v to %v, %v, want %v to %v", n, cut, low, high, ok, all[cut], all[len(all)-1-cut])
			}
		}
		want, _ := stats.Median(all)
		if got, ok := stats.HodgesLehmann(x); got != want || !ok {
			t.Errorf("n %d: estimate %v, %v, want %v", n, got, ok, want)
		}
		if !slices.Equal(x, before) {
			t.Fatalf("n %d: the argument was changed", n)
		}
	}
}

func TestWalshIntervalRefusesCutsThatLeaveNoInterval(t *testing.T) {
	for _, c := range []struct {
		x   []float64
		cut int
	}{{nil, 0}, {[]float64{1, 2}, -1}, {[]float64{1, 2}, 2}, {[]float64{1, 2, 3}, 3}, {[]float64{1, nan}, 0}, {[]float64{inf, 1}, 0}} {
		if low, high, ok := stats.WalshInterval(c.x, c.cut); ok || low != 0 || high != 0 {
			t.Errorf("WalshInterval(%v, %d) = %v, %v, %v, want none", c.x, c.cut, low, high, ok)
		}
	}
}

// enumerated counts the sign patterns of ranks 1 to n whose positive ranks sum up to at most cut, one by one.
func enumerated(n, cut int) (patterns int) {
	for signs := range uint(1) << n {
		sum := 0
		for s := signs; s != 0; s &= s - 1 {
			sum += bits.TrailingZeros(s) + 1
		}
		if sum <= cut {
			patterns++
		}
	}
	return patterns
}

func TestSignedRankCutIsExactForEverySignPattern(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for _, p := range []float64{0.3, 0.05, 0.025, 0.01, 0.0025, 0x1p-8, 0x1p-12} {
			want := -1
			for float64(enumerated(n, want+1)) <= p*float64(int(1)<<n) {
				want++
			}
			cut, probability, ok := stats.SignedRankCut(n, p)
			if want < 0 {
				if ok {
					t.Errorf("n %d, p %v: cut %d, want none", n, p, cut)
				}
				continue
			}
			attained := float64(enumerated(n, want)) / float64(int(1)<<n)
			if cut != want || probability != attained || !ok {
				t.Errorf("n %d, p %v: cut %d with %v, %v, want %d with %v", n, p, cut, probability, ok, want, attained)
			}
		}
	}
}

func TestSignedRankCutAgreesWithThePrintedTables(t *testing.T) {
	// Critical values of T as printed in textbooks (Wilcoxon and Wilcox 1964), one-sided.
	for _, c := range []struct {
		n    int
		p    float64
		want int
	}{
		{6, 0.025, 0}, {7, 0.025, 2}, {8, 0.025, 3}, {9, 0.025, 5}, {10, 0.025, 8}, {15, 0.025, 25}, {20, 0.025, 52}, {25, 0.025, 89},
		{30, 0.025, 137}, {40, 0.025, 264}, {50, 0.025, 434},
		{8, 0.005, 0}, {10, 0.005, 3}, {20, 0.005, 37}, {25, 0.005, 68}, {30, 0.005, 109}, {50, 0.005, 373},
	} {
		if cut, probability, ok := stats.SignedRankCut(c.n, c.p); cut != c.want || !(probability <= c.p) || !ok {
			t.Errorf("n %d, p %v: cut %d with %v, %v, want %d", c.n, c.p, cut, probability, ok, c.want)
		}
	}
}

func TestSignedRankCutTendsToTheNormalDistribution(t *testing.T) {
	n := 200.0
	sigma := math.Sqrt(n * (n + 1) * (2*n + 1) / 24)
	for p, z := range map[float64]float64{0.025: 1.959964, 0.005: 2.575829, 0.001: 3.090232} {
		cut, probability, ok := stats.SignedRankCut(200, p)
		if want := n*(n+1)/4 - z*sigma; !(math.Abs(float64(cut)-want) <= 0.03*sigma) || !(probability <= p && probability > 0.99*p) || !ok {
			t.Errorf("p %v: cut %d with %v, %v, want about %.0f", p, cut, probability, ok, want)
		}
	}
}

func TestSignedRankCutRefusesWhatHasNoTail(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{0, 0.1}, {-1, 0.1}, {5, 0.025}, {9, 0.001}, {10, 0}, {10, -1}, {10, 0.5}, {10, nan}, {10, inf}} {
		if cut, _, ok := stats.SignedRankCut(c.n, c.p); ok {
			t.Errorf("SignedRankCut(%d, %v) = %d, want none", c.n, c.p, cut)
		}
	}
}

func TestSignedRankIntervalIsThatOfTheBook(t *testing.T) {
	// Hollander, Wolfe and Chicken, example 3.4: the 96 % interval of the depression scale.
	low, high, ok := stats.SignedRankInterval(depression, 0.96)
	if !(math.Abs(low - -0.786) <= 5e-4) || !(math.Abs(high - -0.010) <= 5e-4) || !ok {
		t.Errorf("%v to %v, %v, want -0.786 to -0.010", low, high, ok)
	}
}

func TestSignedRankIntervalNeedsEnoughValuesForItsConfidence(t *testing.T) {
	values := []float64{6, 1, 5, 2, 4, 3}
	if low, high, ok := stats.SignedRankInterval(values, 1-0x1p-5); low != 1 || high != 6 || !ok {
		t.Errorf("6 values: %v to %v, %v, want the whole range", low, high, ok)
	}
	for _, c := range []struct {
		x          []float64
		confidence float64
	}{{values, 0.97}, {values[:5], 0.95}, {nil, 0.5}, {values, 0}, {values, 1}, {values, nan}, {[]float64{1, 2, 3, 4, 5, nan}, 0.95}, {[]float64{1, 2, 3, 4, 5, inf}, 0.95}} {
		if low, high, ok := stats.SignedRankInterval(c.x, c.confidence); ok {
			t.Errorf("SignedRankInterval(%v, %v) = %v to %v, want none", c.x, c.confidence, low, high)
		}
	}
}

func TestSignedRankIntervalOfEqualValuesIsThatValue(t *testing.T) {
	if low, high, ok := stats.SignedRankInterval(make([]float64, 10), 0.95); low != 0 || high != 0 || !ok {
		t.Errorf("%v to %v, %v, want 0 to 0", low, high, ok)
	}
}

func TestSignedRankIntervalWithTiesMissesTheShiftNoMoreOftenThanPromised(t *testing.T) {
	// Every pattern of the values -2, -1, 0, 1, 2 over 6 places, all equally likely and symmetric about 0.
	misses, patterns := 0, 15625
	for p := range patterns {
		x := make([]float64, 6)
		for i := range x {
			x[i] = float64(p%5 - 2)
			p /= 5
		}
		low, high, ok := stats.SignedRankInterval(x, 0.95)
		if !ok {
			t.Fatalf("no interval for %v", x)
		}
		if low > 0 || high < 0 {
			misses++
		}
	}
	if rate := float64(misses) / float64(patterns); !(rate <= 0.05) || misses == 0 {
		t.Errorf("missed in %.4f of all patterns, want at most 0.05 and more than none", rate)
	}
}

func BenchmarkSignedRankInterval200(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 200)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	for b.Loop() {
		stats.SignedRankInterval(x, 0.999)
	}
}
