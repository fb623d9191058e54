package stats

import (
	"math"
	"slices"
)

// HodgesLehmann is the median of the Walsh averages (x[i]+x[j])/2 over all i <= j: for paired measurements whose differences are x,
// the estimate of their shift that belongs to Wilcoxon's signed rank. Its noise is 2 % above the mean's where the values are normal,
// and below it where some are wild: it takes 29 % of them to carry it away. It is false where x is empty or holds a NaN or an
// infinity. x is left as it is.
//
// Source: Hodges and Lehmann, Estimates of location based on rank tests, Annals of Mathematical Statistics 34 (1963).
func HodgesLehmann(x []float64) (estimate float64, ok bool) {
	if len(x) == 0 || !finite(x) {
		return 0, false
	}
	sorted := sortedCopy(x)
	averages := walshAverages(len(x))
	middle := walshAt(sorted, (averages+1)/2)
	if averages%2 == 0 {
		middle = mean(middle, walshAt(sorted, averages/2+1))
	}
	return unsigned(middle), true
}

// WalshInterval reaches from the (cut+1)-th smallest to the (cut+1)-th largest of the Walsh averages of x: the values of a shift
// that a signed rank of at most cut, on either side, does not exclude. It is false where that is no interval (cut below 0, or so
// large that the ends would cross), and where x is empty or holds a NaN or an infinity. x is left as it is.
func WalshInterval(x []float64, cut int) (low, high float64, ok bool) {
	averages := walshAverages(len(x))
	if cut < 0 || 2*cut >= averages || !finite(x) {
		return 0, 0, false
	}
	sorted := sortedCopy(x)
	return unsigned(walshAt(sorted, cut+1)), unsigned(walshAt(sorted, averages-cut)), true
}

func sortedCopy(x []float64) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return sorted
}

// walshAverages is the number of Walsh averages of n values.
func walshAverages(n int) int { return n * (n + 1) / 2 }

// walshAt is the k-th smallest Walsh average, k from 1, of values in ascending order: the smallest number that k of the averages do
// not exceed, found by bisection over the floating-point numbers themselves in at most 64 counts, and fewer where a probe falls just
// below it. The n(n+1)/2 averages are never laid out.
func walshAt(sorted []float64, k int) float64 {
	low, high := rankOf(sorted[0]), rankOf(sorted[len(sorted)-1])
	for low < high {
		middle := low + (high-low)/2
		switch count := walshAtMost(sorted, floatAt(middle)); {
		case count >= k:
			high = middle
		case count == k-1:
			return walshAbove(sorted, floatAt(middle))
		default:
			low = middle + 1
		}
	}
	return floatAt(low)
}

// walshAtMost is the number of Walsh averages that are at most v. The further i goes, the fewer partners keep the average below v.
func walshAtMost(sorted []float64, v float64) int {
	count, end := 0, len(sorted)
	for i, x := range sorted {
		for end > i && mean(x, sorted[end-1]) > v {
			end--
		}
		if end <= i {
			break
		}
		count += end - i
	}
	return count
}

// walshAbove is the smallest Walsh average above v; there must be one.
func walshAbove(sorted []float64, v float64) float64 {
	least, end := math.Inf(1), len(sorted)
	for i, x := range sorted {
		for end > i && mean(x, sorted[end-1]) > v {
			end--
		}
		if partner := max(end, i); partner < len(sorted) {
			least = min(least, mean(x, sorted[partner]))
		}
	}
	return least
}

// mean of two values, halved first: their sum may overflow. It never falls where x or y grows, rounding included.
func mean(x, y float64) float64 { return x/2 + y/2 }

// unsigned makes the negative zero a zero: bisection tells them apart, readers do not.
func unsigned(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

const signBit = 1 << 63

// rankOf numbers the floating-point numbers in ascending order; floatAt is its inverse.
func rankOf(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits&signBit == 0 {
		return bits | signBit
	}
	return ^bits
}

func floatAt(rank uint64) float64 {
	if rank&signBit != 0 {
		return math.Float64frombits(rank &^ signBit)
	}
	return math.Float64frombits(^rank)
}
