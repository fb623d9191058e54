package typeset

import (
	"slices"
	"testing"
)

func TestFiguresHaveSensibleDigitsAndUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Milliseconds(0.16249), "0.162 ms"},
		{Milliseconds(0.0091), "0.0091 ms"},
		{Milliseconds(4.7), "4.70 ms"},
		{Milliseconds(18.83), "18.8 ms"},
		{Milliseconds(1257.4), "1,257 ms"},
		{Milliseconds(0), "0 ms"},
		{Milliseconds(0.000001), "0.0000 ms"},
		{Seconds(0.0432), "43.2 ms"},
		{Seconds(0.243), "0.243 s"},
		{Seconds(12.34), "12.3 s"},
		{Seconds(1985), "1,985 s"},
		{Megabytes(436.527104e6), "437 MB"},
		{Megabytes(31e6), "31 MB"},
		{Megabytes(3.14e6), "3.1 MB"},
		{Megabytes(45.4e9), "45,400 MB"},
		{Percent(0.0161), "1.6 %"},
		{Percent(0.0996), "10 %"},
		{Percent(0.734), "73 %"},
		{SignedPercent(0.031), "+3.1 %"},
		{SignedPercent(-0.2), "-20 %"},
		{SignedPercent(0.00001), "0.0 %"},
		{Load(184.4), "184 %"},
		{Ratio(4.636), "4.64"},
		{Fixed(-0.001, 2), "0.00"},
		{Fixed(-1234567.891, 1), "-1,234,567.9"},
		{Fixed(999.96, 1), "1,000.0"},
		{Counted(1, "round"), "1 round"},
		{Counted(2000, "step"), "2,000 steps"},
		{ASCII("a\tb\n c\u00e9\x1b"), "a b c??"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrapKeepsNumbersWithTheirUnitsAndWordsWhole(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 20, []string{"> one two three"}},
		{"one two three", 9, []string{"> one two", "  three"}},
		{"it took 12.5 ms, then", 14, []string{"> it took", "  12.5 ms,", "  then"}},
		{"a averylongwordindeed b", 8, []string{"> a", "  averylongwordindeed", "  b"}},
		{"", 8, []string{">"}},
	} {
		if got := Wrap(c.text, "> ", "  ", c.width); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
