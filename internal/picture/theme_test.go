package picture

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot"
)

// contrast is WCAG 2.2's ratio of relative luminances, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		linear := func(v uint8) float64 {
			x := float64(v) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	low, high := luminance(a), luminance(b)
	if low > high {
		low, high = high, low
	}
	return (high + 0.05) / (low + 0.05)
}

func TestContrastIsThatOfWCAGsExamples(t *testing.T) {
	if c := contrast(rgb(0x000000), rgb(0xffffff)); !(math.Abs(c-21) <= 1e-9) {
		t.Errorf("black on white has %g, want 21", c)
	}
	if c := contrast(rgb(0x777777), rgb(0xffffff)); !(math.Abs(c-4.48) <= 0.005) {
		t.Errorf("#777 on white has %g, want 4.48", c)
	}
}

func TestLettersAndMarksStandOutInBothThemes(t *testing.T) {
	for name, theme := range map[string]Theme{"light": Light(), "dark": Dark()} {
		if c := contrast(theme.text, theme.background); !(c >= 4.5) {
			t.Errorf("%s: letters have a contrast of %.2f, want 4.5", name, c)
		}
		for i, s := range theme.series {
			if c := contrast(s, theme.background); !(c >= 3) {
				t.Errorf("%s: colour %d has a contrast of %.2f, want 3", name, i, c)
			}
		}
	}
}

func TestNoTwoOfManySeriesLookAlike(t *testing.T) {
	type mark struct{ colour, corners int }
	seen := map[mark]int{}
	for i := range 36 {
		s := style{number: i}
		at := -1
		for j, candidate := range shapes() {
			if same(candidate, s.shape()) {
				at = j
			}
		}
		m := mark{i % len(Light().series), at}
		if before, ok := seen[m]; ok {
			t.Errorf("series %d and %d have the same colour and shape", before, i)
		}
		seen[m] = i
	}
}

func same(a, b shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// labels are those of the marks that have one.
func labels(ticks []plot.Tick) []string {
	var all []string
	for _, t := range ticks {
		if t.Label != "" {
			all = append(all, t.Label)
		}
	}
	return all
}

func TestAxesAreMarkedAtRoundValues(t *testing.T) {
	narrow := sizes{[]int{16, 17, 18, 64, 1024}, look{Light(), Narrow()}}
	for name, c := range map[string]struct {
		got  []plot.Tick
		want []string
	}{
		"evenly":      {evenly(5).Ticks(0, 0.22), []string{"0.00", "0.05", "0.10", "0.15", "0.20"}},
		"up to 466":   {evenly(5).Ticks(0, 466), []string{"0", "100", "200", "300", "400"}},
		"up to 200":   {evenly(5).Ticks(0, 200), []string{"0", "50", "100", "150", "200"}},
		"two decades": {decades{}.Ticks(0.04, 3), []string{"0.05", "0.1", "0.2", "0.5", "1", "2"}},
		"five":        {decades{}.Ticks(0.04, 3000), []string{"0.1", "1", "10", "100", "1000"}},
		"batch sizes": {narrow.Ticks(16, 1024), []string{"16", "64", "1024"}},
	} {
		got := labels(c.got)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
	if n := len(narrow.Ticks(16, 1024)); n != 5 {
		t.Errorf("%d sizes are marked, want all 5", n)
	}
}
