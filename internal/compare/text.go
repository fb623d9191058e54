package compare

import (
	"strings"

	"fitbench/internal/typeset"
)

// gridOf is a grid with two spaces between columns.
func gridOf(words bool, rows ...[]string) typeset.Grid {
	g := typeset.Grid{Rows: rows, Words: words, Gaps: make([]int, len(rows[0]))}
	for c := 1; c < len(g.Gaps); c++ {
		g.Gaps[c] = 2
	}
	return g
}

// signedPercent is a ratio as a change, +2.0 % for 1.02.
func signedPercent(ratio float64) string { return typeset.SignedPercent(ratio - 1) }

func between(low, high float64) string {
	return strings.TrimSuffix(signedPercent(low), " %") + " to " + signedPercent(high)
}
