package report

import (
	"math"
	"strconv"
	"strings"
)

// absent stands for what was not measured or not run.
const absent = "-"

// fixed is v with that many decimals and its thousands set apart by commas.
func fixed(v float64, decimals int) string {
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

// integer is n with its thousands set apart.
func integer(n int) string { return fixed(float64(n), 0) }

// maxDecimals bounds the digits after the point: a step is not known to a tenth of a microsecond.
const maxDecimals = 4

// decimals is the number of decimals with which v shows that many significant digits, at most maxDecimals.
func decimals(v float64, significant int) int {
	if v == 0 {
		return 0
	}
	d := significant - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	return min(max(d, 0), maxDecimals)
}

// milliseconds is a time in ms with three significant digits.
func milliseconds(ms float64) string { return fixed(ms, decimals(ms, 3)) + " ms" }

// seconds is a time with three significant digits, in ms below a tenth of a second.
func seconds(s float64) string {
	if math.Abs(s) < 0.1 {
		return milliseconds(s * 1e3)
	}
	return fixed(s, decimals(s, 3)) + " s"
}

// megabyte is the unit of memory, 10^6 bytes.
const megabyte = 1e6

// inMegabytes is a number of bytes in MB, without the unit: whole from 10 on, else with two significant digits.
func inMegabytes(bytes float64) string {
	mb := bytes / megabyte
	return fixed(mb, decimals(mb, 2))
}

func megabytes(bytes float64) string { return inMegabytes(bytes) + " MB" }

// ratio is a quotient of two times.
func ratio(r float64) string { return fixed(r, 2) }

// load is a CPU load in percent of one core.
func load(percent float64) string { return fixed(percent, 0) + " %" }

// percent is a share, 0.02 for 2 %, with one decimal below 10 %.
func percent(share float64) string { return inPercent(share) + " %" }

func inPercent(share float64) string {
	p := share * 100
	if math.Abs(p) < 9.95 {
		return fixed(p, 1)
	}
	return fixed(p, 0)
}

// counted is a number with its noun, as in "1 round" or "5 rounds".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return integer(n) + " " + noun + "s"
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
