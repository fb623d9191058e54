package typeset

import "testing"

func TestAShareThatWasSetHasTheDigitsThatItHas(t *testing.T) {
	for share, want := range map[float64]string{0.05: "5 %", 0.07: "7 %", 0.0125: "1.25 %", 10: "1,000 %", 0.999: "99.9 %", 0: "0 %"} {
		if got := ExactPercent(share); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}
