package report

import (
	"slices"
	"testing"
)

func TestFiguresHaveSensibleDigitsAndUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{milliseconds(0.16249), "0.162 ms"},
		{milliseconds(0.0091), "0.0091 ms"},
		{milliseconds(4.7), "4.70 ms"},
		{milliseconds(18.83), "18.8 ms"},
		{milliseconds(1257.4), "1,257 ms"},
		{milliseconds(0), "0 ms"},
		{milliseconds(0.000001), "0.0000 ms"},
		{seconds(0.0432), "43.2 ms"},
		{seconds(0.243), "0.243 s"},
		{seconds(12.34), "12.3 s"},
		{seconds(1985), "1,985 s"},
		{megabytes(436.527104e6), "437 MB"},
		{megabytes(31e6), "31 MB"},
		{megabytes(3.14e6), "3.1 MB"},
		{megabytes(45.4e9), "45,400 MB"},
		{percent(0.0161), "1.6 %"},
		{percent(0.0996), "10 %"},
		{percent(0.734), "73 %"},
		{load(184.4), "184 %"},
		{ratio(4.636), "4.64"},
		{fixed(-0.001, 2), "0.00"},
		{fixed(-1234567.891, 1), "-1,234,567.9"},
		{fixed(999.96, 1), "1,000.0"},
		{counted(1, "round"), "1 round"},
		{counted(2000, "step"), "2,000 steps"},
		{ascii("a\tb\n c\u00e9\x1b"), "a b c??"},
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
		if got := wrap(c.text, "> ", "  ", c.width); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
