package summary_test

import (
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

func TestTheUsedRunsAreThoseOfTheMedians(t *testing.T) {
	other := runOf(fit, 7)
	other.BatchSize = 20
	for _, c := range []struct {
		name string
		runs []record.Run
		want []float64
	}{
		{"without disturbed and failed ones", []record.Run{runOf(fit, 1), disturbed(runOf(fit, 9)), runOf(fit, 2), runOf(generator, 5),
			failed(runOf(fit, 8), "x"), other, runOf(fit, 3)}, []float64{1, 2, 3}},
		{"with disturbed ones where too few are left", []record.Run{runOf(fit, 1), disturbed(runOf(fit, 9)), runOf(fit, 2)}, []float64{1, 9, 2}},
		{"none", []record.Run{runOf(generator, 5)}, nil},
	} {
		rec := recordOf(c.runs...)
		of, _ := summary.Of(rec).Find("fitbench", 10, fit)
		var got []float64
		for _, r := range summary.UsedRuns(rec, of) {
			got = append(got, *r.StepMilliseconds)
		}
		if len(got) != len(c.want) || len(got) != of.Used {
			t.Errorf("%s: %v, want %v of %d", c.name, got, c.want, of.Used)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}
