package summary

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/record"
)

// Failure is runs of one cell that ended with the same error.
type Failure struct {
	record.Cell
	// Label names the cell as in Cell.
	Label  string
	Rounds []int
	Error  string
	// GivenUp tells that the cell was not tried again after these failures.
	GivenUp bool
}

// Failures gathers the failed runs of a record, in the order of their first appearance.
func Failures(rec record.Record) []Failure {
	type kind struct {
		key
		err string
	}
	known := keys(rec)
	var kinds []kind
	var all []Failure
	for _, r := range rec.Runs {
		if r.Error == "" {
			continue
		}
		k := kind{keyOf(r), r.Error}
		i := slices.Index(kinds, k)
		if i < 0 {
			i = len(all)
			kinds = append(kinds, k)
			all = append(all, Failure{Cell: r.Cell(), Label: keyOf(r).label(known), Error: r.Error})
		}
		all[i].Rounds = append(all[i].Rounds, r.Round)
	}
	told := map[key]bool{}
	for i := len(all) - 1; i >= 0; i-- { // said once a cell, behind its last error
		k := kinds[i].key
		all[i].GivenUp = !told[k] && givenUp(rec, k)
		told[k] = true
	}
	return all
}

// String is the failure as a text of one line, unless the error has several.
func (f Failure) String() string {
	rounds := make([]string, len(f.Rounds))
	for i, r := range f.Rounds {
		rounds[i] = fmt.Sprint(r)
	}
	noun := "round"
	if len(rounds) > 1 {
		noun = "rounds"
	}
	again := ""
	if f.GivenUp {
		again = " (not tried again after two failures)"
	}
	return fmt.Sprintf("%s, %s %s%s: %s", f.Label, noun, strings.Join(rounds, ", "), again, f.Error)
}
