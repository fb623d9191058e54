package stats

import "math"

// GapUnder is the smallest whole size in [smallest, largest] from which on, up to largest, the line other lies less than share (0.10
// for 10 %) above the line base; a line below the base is under every share. It is false where there is no such size: where the gap
// is not closed at largest, and where base is not above 0 on the whole range, so that a share of it means nothing. Nothing is said of
// sizes outside the range.
func GapUnder(base, other Line, share float64, smallest, largest int) (int, bool) {
	low, high := float64(smallest), float64(largest)
	if !(low <= high && base.At(low) > 0 && base.At(high) > 0) {
		return 0, false
	}
	beyond := Line{Intercept: other.Intercept - (1+share)*base.Intercept, Slope: other.Slope - (1+share)*base.Slope}
	switch {
	case !(beyond.At(high) < 0):
		return 0, false
	case beyond.At(low) < 0:
		return smallest, true
	}
	closed := int(math.Floor(-beyond.Intercept/beyond.Slope)) + 1 // at the crossing itself the gap still is the share
	return min(closed, largest), true
}
