package baseline

import (
	"fmt"
	"slices"

	"fitbench/internal/compare"
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/verdict"
)

// counts compares what is counted exactly. Bytes of tensors take the same kernel: kernels cut sums into different numbers of parts.
func (c *check) counts() {
	noTensors := c.obstructed(compare.TensorBytes, compare.TensorBytes.String())
	for _, f := range []struct {
		name, unit string
		of         func(record.Run) *int64
		skip       bool
	}{
		{"operations a step", "", func(r record.Run) *int64 { return r.OpsPerStep }, false},
		{"tensor bytes a step", "bytes", func(r record.Run) *int64 { return r.TensorBytesPerStep }, noTensors},
		{"bytes copied a step", "bytes", func(r record.Run) *int64 { return r.CopiedBytesPerStep }, false},
	} {
		if f.skip {
			continue
		}
		for _, p := range c.cells {
			if l, ok := countLine(values(p.baseRuns, f.of), values(p.headRuns, f.of)); ok {
				l.Cell, l.Figure, l.Unit = p.name, f.name, f.unit
				c.add(l)
			}
		}
	}
}

// values are the different values of a count over runs.
func values(runs []record.Run, of func(record.Run) *int64) []int64 {
	var all []int64
	for _, r := range runs {
		if n := of(r); n != nil && !slices.Contains(all, *n) {
			all = append(all, *n)
		}
	}
	return all
}

// countLine judges a count: more is regressed, fewer improved. It is false where neither record has it.
func countLine(base, head []int64) (l Line, ok bool) {
	if len(base) == 1 {
		l.Base = real(&base[0])
	}
	if len(head) == 1 {
		l.Head = real(&head[0])
	}
	switch {
	case len(base) == 0 && len(head) == 0:
		return Line{}, false
	case len(base) == 0:
		l.Verdict, l.Note = NotCompared, absentInBaseline
	case len(head) == 0:
		l.Verdict, l.Note = verdict.Inconclusive, absentHere
	case len(base) > 1 || len(head) > 1:
		l.Verdict, l.Note = verdict.Inconclusive, fmt.Sprintf("the rounds do not agree: %v in the baseline, %v here", base, head)
	default:
		l.Verdict = exactVerdict(base[0], head[0])
		l.Change = change(*l.Base, *l.Head)
	}
	return l, true
}

const (
	absentInBaseline = "the baseline does not have it; --update-baseline would add it"
	absentHere       = "the baseline has it, and this run does not"
)

func exactVerdict(base, head int64) verdict.Verdict {
	switch {
	case head > base:
		return verdict.Regressed
	case head < base:
		return verdict.Improved
	}
	return verdict.Same
}

// change is the relative change; none from 0.
func change(base, head float64) *float64 {
	if base == 0 {
		return nil
	}
	return record.Of(head/base - 1)
}

// memory compares the medians of peak memory, with a band. It takes the same OS, architecture, kernel and threads, since each thread
// has memory of its own, and the same GOGC and GODEBUG.
func (c *check) memory() {
	const name = PeakMemory
	if c.obstructed(compare.Memory, name) {
		return
	}
	if set := compare.Among([]string{"GOGC", "GODEBUG"}, compare.Environments(c.base, c.head)); len(set) > 0 {
		c.note("cannot compare %s: %s", name, because(set))
		return
	}
	for _, p := range c.cells {
		if l, ok := memoryLine(p.base.PeakRSSBytes, p.head.PeakRSSBytes); ok {
			l.Cell, l.Figure, l.Unit = p.name, name, "bytes"
			c.add(l)
		}
	}
}

func memoryLine(base, head summary.Value) (l Line, ok bool) {
	if base.OK {
		l.Base = record.Of(base.Median)
	}
	if head.OK {
		l.Head = record.Of(head.Median)
	}
	switch {
	case !base.OK && !head.OK:
		return Line{}, false
	case !base.OK:
		l.Verdict, l.Note = NotCompared, absentInBaseline
	case !head.OK:
		l.Verdict, l.Note = verdict.Inconclusive, absentHere
	default:
		l.Change = change(base.Median, head.Median)
		switch {
		case head.Median > base.Median*(1+MemoryBand):
			l.Verdict = verdict.Regressed
		case head.Median*(1+MemoryBand) < base.Median:
			l.Verdict = verdict.Improved
		default:
			l.Verdict = verdict.Same
		}
	}
	return l, true
}
