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

// The units of differences.
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

// Passed holds where every check is OK, and there is one at all.
func Passed(checks []Check) bool { return len(checks) > 0 && failures(checks) == 0 }

func failures(checks []Check) int {
	n := 0
	for _, c := range checks {
		if !c.OK {
			n++
		}
	}
	return n
}

// Print writes a line a check, in columns, and a last line with their number. The error is the writer's.
func Print(w io.Writer, checks []Check) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range checks {
		verdict := "ok"
		if !c.OK {
			verdict = "FAILED"
		}
		fmt.Fprintf(columns, "%s\t%s\t%.3g\ttolerance %.3g\t%s\n", verdict, c.Name, c.Difference, c.Tolerance, c.Unit)
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	last := fmt.Sprintf("%d checks, all passed", len(checks))
	if !Passed(checks) {
		last = fmt.Sprintf("%d of %d checks failed", failures(checks), len(checks))
	}
	_, err := fmt.Fprintln(w, last)
	return err
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
