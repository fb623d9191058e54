package verify

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// Check is one comparison with the golden values.
type Check struct {
	Name       string
	Difference float64 // the largest; NaN where a compared value is none
	Tolerance  float64 // the largest that is accepted
	Unit       string  // of both
	OK         bool
}

// The units of differences. Those of counts, whose tolerance is 0, read on after a number.
const (
	absolute   = "absolute"
	relative   = "relative"
	inTensor   = "of the largest in its tensor"
	digests    = "digests differ"
	unequal    = "values differ"
	classified = "samples classified otherwise"
)

func newCheck(name string, difference, tolerance float64, unit string) Check {
	// A NaN is within no tolerance.
	return Check{Name: name, Difference: difference, Tolerance: tolerance, Unit: unit, OK: difference <= tolerance}
}

// Report is what a verification found.
type Report struct {
	Origin string // what made the golden values
	Checks []Check
}

// Passed holds where every check is OK, and there is one at all.
func Passed(r Report) bool { return len(r.Checks) > 0 && failures(r.Checks) == 0 }

func failures(checks []Check) int {
	n := 0
	for _, c := range checks {
		if !c.OK {
			n++
		}
	}
	return n
}

// Print writes what is compared with, a line a check, in columns, and a last line with their number. The error is the writer's.
func Print(w io.Writer, r Report) error {
	if _, err := fmt.Fprintf(w, "compared with %s\n", r.Origin); err != nil {
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Checks {
		verdict := "ok"
		if !c.OK {
			verdict = "FAILED"
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\n", verdict, c.Name, c.finding())
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	last := fmt.Sprintf("%d checks, all passed", len(r.Checks))
	if !Passed(r) {
		last = fmt.Sprintf("%d of %d checks failed", failures(r.Checks), len(r.Checks))
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// finding is the difference with its tolerance; what must be equal, and is, has neither.
func (c Check) finding() string {
	switch {
	case c.Tolerance > 0:
		return fmt.Sprintf("%-8.3g  tolerance %.3g, %s", c.Difference, c.Tolerance, c.Unit)
	case c.OK:
		return "exact"
	}
	return fmt.Sprintf("%-8.3g  %s; none may", c.Difference, c.Unit)
}

// largest keeps the largest of the differences given to it, and a NaN for good.
type largest float64

func (l *largest) add(difference float64) {
	if math.IsNaN(difference) || difference > float64(*l) {
		*l = largest(difference)
	}
}

// relativeDifference is |got-want|/|want|; nothing but 0 itself is near 0.
func relativeDifference(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// largestDifference is the largest |got-want| of two slices; NaN where their lengths differ.
func largestDifference(got, want []float32) float64 {
	if len(got) != len(want) {
		return math.NaN()
	}
	var most largest
	for i := range want {
		most.add(math.Abs(float64(got[i]) - float64(want[i])))
	}
	return float64(most)
}

// countDiffering is at how many places two slices differ; what only one of them has differs.
func countDiffering[T comparable](got, want []T) float64 {
	n := max(len(got), len(want)) - min(len(got), len(want))
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			n++
		}
	}
	return float64(n)
}
