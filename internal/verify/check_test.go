package verify

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestPrintAlignsALineACheckAndEndsWithTheirNumber(t *testing.T) {
	for _, c := range []struct {
		checks []Check
		want   string
	}{
		{[]Check{newCheck("a", 1.25e-7, 2e-6, absolute), newCheck("longer", 0, 0, unequal)},
			"ok  a       1.25e-07  tolerance 2e-06  absolute\n" +
				"ok  longer  0         tolerance 0      values differ\n" +
				"2 checks, all passed\n"},
		{[]Check{newCheck("a", math.NaN(), 2e-6, absolute), newCheck("longer", 0, 0, unequal)},
			"FAILED  a       NaN  tolerance 2e-06  absolute\n" +
				"ok      longer  0    tolerance 0      values differ\n" +
				"1 of 2 checks failed\n"},
	} {
		var text strings.Builder
		if err := Print(&text, c.checks); err != nil || text.String() != c.want {
			t.Errorf("error %v, text\n%s\nwant\n%s", err, &text, c.want)
		}
	}
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestPrintReturnsTheWritersError(t *testing.T) {
	checks := []Check{newCheck("a", 0, 0, absolute)}
	for left := range len("ok  a  0  tolerance 0  absolute\n1 checks, all passed\n") {
		if err := Print(&full{left}, checks); err == nil {
			t.Errorf("no error where %d bytes can be written", left)
		}
	}
}

func TestNoChecksHaveNotPassed(t *testing.T) {
	if Passed(nil) {
		t.Error("nothing was checked, and it passed")
	}
}

func TestLargestKeepsANaN(t *testing.T) {
	var l largest
	for _, v := range []float64{1, 3, 2} {
		l.add(v)
	}
	if l != 3 {
		t.Errorf("largest of 1, 3, 2 is %v", l)
	}
	l.add(math.NaN())
	l.add(5)
	if !math.IsNaN(float64(l)) {
		t.Errorf("with a NaN it is %v", l)
	}
}

func TestMarginIsBetweenTheTwoLargest(t *testing.T) {
	if got := margin([]float32{0.25, 0.125, 0.5, 0.125}); got != 0.25 {
		t.Errorf("margin %v, want 0.25", got)
	}
}
