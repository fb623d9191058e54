package typeset

import (
	"math"
	"strings"
)

// ExactPercent is a share that somebody set, with the digits that it has, up to four decimals: 0.05 is 5 %, 0.0125 is 1.25 %.
func ExactPercent(share float64) string {
	p := math.Round(share*1e6) / 1e4 // 0.07 * 100 is not 7
	text := Fixed(p, 4)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " %"
}
