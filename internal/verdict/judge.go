package verdict

import "slices"

// Verdict is what is said of one figure, or of all of a check.
type Verdict string

const (
	Regressed    Verdict = "regressed"
	Improved     Verdict = "improved"
	Same         Verdict = "same"
	Inconclusive Verdict = "inconclusive"
)

// Judge says what an estimate of log(head/base) and the interval from low to high around it mean; margin is log(1 + least change). An
// estimate of just the margin is a change. What is NaN is inconclusive.
func Judge(estimate, low, high, margin float64) Verdict {
	switch {
	case low > 0 && estimate >= margin:
		return Regressed
	case high < 0 && estimate <= -margin:
		return Improved
	case -margin <= low && high <= margin:
		return Same
	}
	return Inconclusive
}

// Overall is the verdict of all figures together: regressed where one is, else inconclusive where one is not decided, else improved
// where one is, else the same. Of no figure nothing is concluded.
func Overall(all []Verdict) Verdict {
	has := func(v Verdict) bool { return slices.Contains(all, v) }
	decided := func(v Verdict) bool { return v == Regressed || v == Improved || v == Same }
	switch {
	case has(Regressed):
		return Regressed
	case len(all) == 0 || slices.ContainsFunc(all, func(v Verdict) bool { return !decided(v) }):
		return Inconclusive
	case has(Improved):
		return Improved
	}
	return Same
}
