package summary

import "fitbench/internal/record"

// UsedRuns are the runs that the medians of a cell of the record are taken over, in the record's order: the finished ones, without
// the disturbed where enough others are left.
func UsedRuns(rec record.Record, c Cell) []record.Run {
	var finished []record.Run
	for _, r := range rec.Runs {
		if keyOf(r) == (key{setting{c.Engine, c.BatchSize}, c.Cell}) && r.Error == "" {
			finished = append(finished, r)
		}
	}
	return new(Cell).choose(finished)
}
