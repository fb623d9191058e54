// Package typeset sets figures and sentences in lines of plain ASCII: numbers with their units, columns, and text that is broken between
// words. It knows nothing of what they say.
package typeset

import (
	"math"
	"strconv"
	"strings"
)

// Absent stands for what was not measured or not run.
const Absent = "-"

// Fixed is v with that many decimals and its thousands set apart by commas.
func Fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	var b strings.Builder
	if v < 0 && strings.Trim(s, "0.") != "" {
		b.WriteByte('-')
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteByte('.')
		b.WriteString(fraction)
	}
	return b.String()
}

// Integer is n with its thousands set apart.
func Integer(n int) string { return Fixed(float64(n), 0) }

// maxDecimals bounds the digits after the point: a step is not known to a tenth of a microsecond.
const maxDecimals = 4

// Decimals is the number of decimals with which v shows that many significant digits, at most maxDecimals.
func Decimals(v float64, significant int) int {
	if v == 0 {
		return 0
	}
	d := significant - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	return min(max(d, 0), maxDecimals)
}

// Milliseconds is a time in ms with three significant digits.
func Milliseconds(ms float64) string { return Fixed(ms, Decimals(ms, 3)) + " ms" }

// Seconds is a time with three significant digits, in ms below a tenth of a second.
func Seconds(s float64) string {
	if math.Abs(s) < 0.1 {
		return Milliseconds(s * 1e3)
	}
	return Fixed(s, Decimals(s, 3)) + " s"
}

// Megabyte is the unit of memory, 10^6 bytes.
const Megabyte = 1e6

// InMegabytes is a number of bytes in MB, without the unit: whole from 10 on, else with two significant digits.
func InMegabytes(bytes float64) string {
	mb := bytes / Megabyte
	return Fixed(mb, Decimals(mb, 2))
}

func Megabytes(bytes float64) string { return InMegabytes(bytes) + " MB" }

// Ratio is a quotient of two times.
func Ratio(r float64) string { return Fixed(r, 2) }

// Load is a CPU load in percent of one core.
func Load(percent float64) string { return Fixed(percent, 0) + " %" }

// Percent is a share, 0.02 for 2 %, with one decimal below 10 %.
func Percent(share float64) string { return InPercent(share) + " %" }

func InPercent(share float64) string {
	p := share * 100
	if math.Abs(p) < 9.95 {
		return Fixed(p, 1)
	}
	return Fixed(p, 0)
}

// Counted is a number with its noun, as in "1 round" or "5 rounds".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Integer(n) + " " + noun + "s"
}

// ASCII is s on one line and in ASCII: white space becomes single spaces, anything else outside a question mark.
func ASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}

// SignedPercent is a change as in +3.1 %, 0.031 for that.
func SignedPercent(share float64) string {
	text := Percent(share)
	if share > 0 && strings.Trim(text, "0. %") != "" {
		return "+" + text
	}
	return text
}
