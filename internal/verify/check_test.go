package verify

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestPrintSaysWithWhatThenALineACheckThenTheirNumber(t *testing.T) {
	for _, c := range []struct {
		checks []Check
		want   string
	}{
		{[]Check{newCheck("a", 1.25e-7, 2e-6, absolute), newCheck("longer", 0, 0, unequal)},
			"compared with Keras 3\n" +
				"ok  a       1.25e-07  tolerance 2e-06, absolute\n" +
				"ok  longer  exact\n" +
				"2 checks, all passed\n"},
		{[]Check{newCheck("a", math.NaN(), 2e-6, absolute), newCheck("longer", 3, 0, unequal), newCheck("b", 0, 1e-5, inTensor)},
			"compared with Keras 3\n" +
				"FAILED  a       NaN       tolerance 2e-06, absolute\n" +
				"FAILED  longer  3         values differ; none may\n" +
				"ok      b       0         tolerance 1e-05, of the largest in its tensor\n" +
				"2 of 3 checks failed\n"},
	} {
		var text strings.Builder
		if err := Print(&text, Report{Origin: "Keras 3", Checks: c.checks}); err != nil || text.String() != c.want {
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
	report := Report{Origin: "Keras 3", Checks: []Check{newCheck("a", 0, 0, unequal)}}
	for left := range len("compared with Keras 3\nok  a  exact\n1 checks, all passed\n") {
		if err := Print(&full{left}, report); err == nil {
			t.Errorf("no error where %d bytes can be written", left)
		}
	}
}

func TestNoChecksHaveNotPassed(t *testing.T) {
	if Passed(Report{}) {
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
