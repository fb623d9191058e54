package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Shift is by how much the values of one group lie above those of another. Of logarithms it is the logarithm of a ratio.
type Shift struct {
	Estimate float64
	// Low and High bound the shift; valid only with HasInterval.
	Low, High   float64
	HasInterval bool
}

// ShiftBetween estimates the shift from base to head, two groups that were measured independently of each other: the median of all
// differences head[j]-base[i] (Hodges and Lehmann 1963), with the interval that the Mann-Whitney test gives at that confidence, 0.95
// for 95 %. It is false where a group is empty or holds a value that is not finite.
//
// The interval lies between the k-th smallest and the k-th largest difference, with the largest k for which the test's statistic is
// below k with probability (1-confidence)/2 at most; it holds whatever the distribution, if it is the same one shifted. Equal values
// make it wider than it need be, never too narrow. There is none where even k = 1 is too likely: at 95 % it takes 4 values against 4,
// at 99 % 5 against 5. The distribution of the statistic is exact up to exactPairs pairs, and beyond that normal with a correction
// for continuity, whose tails are heavier than the exact ones where a group is small (Hollander, Wolfe and Chicken, Nonparametric
// Statistical Methods, 4.1 to 4.3).
func ShiftBetween(base, head []float64, confidence float64) (Shift, bool) {
	if len(base) == 0 || len(head) == 0 || !finite(base) || !finite(head) {
		return Shift{}, false
	}
	differences := make([]float64, 0, len(base)*len(head))
	for _, b := range base {
		for _, h := range head {
			differences = append(differences, h-b)
		}
	}
	slices.Sort(differences)
	estimate, ok := Median(differences)
	if !ok || !finite(differences) {
		return Shift{}, false
	}
	s := Shift{Estimate: estimate}
	if k := cut(len(base), len(head), (1-confidence)/2); k > 0 {
		s.Low, s.High, s.HasInterval = differences[k-1], differences[len(differences)-k], true
	}
	return s, true
}

// exactPairs is the number of pairs up to which the exact distribution is computed, in about a millisecond.
const exactPairs = 1600

// cut is the largest k with P(U < k) <= tail for the Mann-Whitney statistic U of m and n values without a shift; 0 where there is
// none.
func cut(m, n int, tail float64) int {
	if !(tail > 0) {
		return 0
	}
	if m*n > exactPairs {
		return normalCut(m, n, tail)
	}
	k, below := 0, 0.0
	for _, p := range mannWhitney(m, n) {
		below += p
		if below > tail*(1+1e-9) { // the sums are rounded
			break
		}
		k++
	}
	return k
}

// normalCut approximates cut: P(U < k) = P(U <= k-1) is about Phi((k-1+1/2-mean)/sigma).
func normalCut(m, n int, tail float64) int {
	mean := float64(m) * float64(n) / 2
	sigma := math.Sqrt(float64(m) * float64(n) * float64(m+n+1) / 12)
	return max(0, int(math.Floor(mean+0.5+sigma*distuv.UnitNormal.Quantile(min(tail, 0.5)))))
}

// mannWhitney is the lower half of the distribution of U, P(U = u) for u from 0 to m*n/2: the number of pairs in which the value of
// the second group is smaller. The largest of the m+n values is of the first group with probability m/(m+n), and then larger than
// all n of the other (Mann and Whitney 1947, their recurrence in probabilities).
func mannWhitney(m, n int) []float64 {
	half := m*n/2 + 1
	// rows[j] is the distribution for i values of the first group and j of the second; i grows from pass to pass.
	rows := make([][]float64, n+1)
	for j := range rows {
		rows[j] = make([]float64, half)
		rows[j][0] = 1
	}
	for i := 1; i <= m; i++ {
		for j := 1; j <= n; j++ {
			first := float64(i) / float64(i+j)
			row, fewer := rows[j], rows[j-1]
			for u := half - 1; u >= 0; u-- {
				p := (1 - first) * fewer[u]
				if u >= j {
					p += first * row[u-j]
				}
				row[u] = p
			}
		}
	}
	return rows[n]
}
