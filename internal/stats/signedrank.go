package stats

// SignedRankInterval is the interval for the shift of x, the differences of paired measurements, that Wilcoxon's signed rank gives:
// the closed interval between two Walsh averages, chosen by the exact distribution. It holds the true shift with at least the given
// confidence (0.95 for 95 %) where each value is as likely to lie d above the shift as d below it, independently of the others; they
// need share neither a distribution nor a variance. Ties and zeros need no treatment: spreading equal values apart at random could
// only draw the ends inwards, so that the interval is then more careful, never less.
//
// It is false where there are too few values for the confidence (the widest interval, from the smallest to the largest value, has
// 1-2^(1-n)), where the confidence does not lie between 0 and 1, and where x holds a NaN or an infinity. x is left as it is.
//
// Source: Tukey, in Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3.3.
func SignedRankInterval(x []float64, confidence float64) (low, high float64, ok bool) {
	cut, _, ok := SignedRankCut(len(x), (1-confidence)/2)
	if !ok {
		return 0, 0, false
	}
	return WalshInterval(x, cut)
}

// SignedRankCut is the largest cut for which Wilcoxon's signed rank W of n values, the sum of the ranks of those on one side of the
// true shift, is at most cut with probability p or less; probability is what it is then, P(W <= cut). It is false where even
// P(W = 0) = 2^-n is more than p, and where p does not lie between 0 and 0.5.
//
// The distribution is exact, up to rounding: given how far the values lie from the shift, each rank is on that side with probability
// 1/2, so rank r turns P(w) into (P(w) + P(w-r))/2. The time needed grows with n^3: 1 ms for n = 200.
func SignedRankCut(n int, p float64) (cut int, probability float64, ok bool) {
	if n < 1 || !(p > 0 && p < 0.5) {
		return 0, 0, false
	}
	cut = -1
	for w, pw := range signedRankProbabilities(n) {
		if probability+pw > p {
			break
		}
		probability += pw
		cut = w
	}
	return cut, probability, cut >= 0
}

// signedRankProbabilities holds P(W = w) of n values for the lower half of the distribution, w from 0 to n(n+1)/4; the upper half is
// its mirror image.
func signedRankProbabilities(n int) []float64 {
	p := make([]float64, walshAverages(n)/2+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		top := min(walshAverages(rank), len(p)-1)
		for w := top; w >= rank; w-- {
			p[w] = (p[w] + p[w-rank]) / 2
		}
		for w := range min(rank, len(p)) {
			p[w] /= 2
		}
	}
	return p
}
