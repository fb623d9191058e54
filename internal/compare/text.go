package compare

import (
	"math"
	"strconv"
	"strings"
)

// absent stands for what was not measured.
const absent = "-"

// whole is n with its thousands set apart by commas.
func whole(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// significant is v with that many significant digits, at most four of them after the point.
func significant(v float64, digits int) string {
	if v == 0 {
		return "0"
	}
	decimals := min(max(digits-1-int(math.Floor(math.Log10(math.Abs(v)))), 0), 4)
	if decimals == 0 && math.Abs(v) < math.MaxInt32 {
		return whole(int(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func milliseconds(ms float64) string   { return significant(ms, 3) + " ms" }
func load(percent float64) string      { return strconv.FormatFloat(percent, 'f', 0, 64) + " %" }
func megabytes(bytes float64) string   { return significant(bytes/1e6, 3) + " MB" }
func signedPercent(r float64) string   { return inPercent(r) + " %" }
func between(low, high float64) string { return inPercent(low) + " to " + signedPercent(high) }

// inPercent is a ratio as a change, +2.0 for 1.02, with one decimal below 10 %.
func inPercent(ratio float64) string {
	p := (ratio - 1) * 100
	decimals := 0
	if math.Abs(p) < 9.95 {
		decimals = 1
	}
	s := strconv.FormatFloat(p, 'f', decimals, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-")
	case p > 0:
		return "+" + s
	}
	return s
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return whole(n) + " " + noun + "s"
}

// ascii is s on one line and in ASCII: white space becomes single spaces, anything else outside a question mark.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}

// wrap breaks text between words into lines of at most width characters: the first starts with first, the others with hang. A number
// stays with its unit, and a word that is longer than a line stays whole.
func wrap(text, first, hang string, width int) []string {
	var lines []string
	line, empty := first, true
	for _, word := range words(text) {
		switch {
		case empty:
			line += word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = hang + word
		}
		empty = false
	}
	return append(lines, strings.TrimRight(line, " "))
}

// words splits text, each unit with the number before it.
func words(text string) []string {
	var all []string
	for _, word := range strings.Fields(text) {
		switch strings.TrimRight(word, ".,;:)") {
		case "ms", "MB", "%":
			if n := len(all); n > 0 {
				all[n-1] += " " + word
				continue
			}
		}
		all = append(all, word)
	}
	return all
}
