package compare

import (
	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// figure is one that is compared as a change.
type figure struct {
	title string
	kind  Kind
	value func(summary.Cell) summary.Value
	of    func(record.Run) *float64
	text  func(v float64) string
}

// figures is the table of those figures.
func figures() []figure {
	return []figure{
		{
			title: "step", kind: Times, text: typeset.Milliseconds,
			value: func(c summary.Cell) summary.Value { return c.StepMilliseconds },
			of:    func(r record.Run) *float64 { return r.StepMilliseconds },
		},
		{
			title: "CPU load", kind: Times, text: typeset.Load,
			value: func(c summary.Cell) summary.Value { return c.SteadyCPUPercent },
			of:    func(r record.Run) *float64 { return r.SteadyCPUPercent },
		},
		{
			title: "peak memory", kind: Memory, text: typeset.Megabytes,
			value: func(c summary.Cell) summary.Value { return c.PeakRSSBytes },
			of: func(r record.Run) *float64 {
				if r.PeakRSSBytes == nil {
					return nil
				}
				return record.Of(float64(*r.PeakRSSBytes))
			},
		},
	}
}

// exact is a figure that is equal or not.
type exact struct {
	title string
	kind  Kind
	// of is a run's value as text, empty where it has none.
	of func(record.Run) string
}

// exacts is the table of those figures.
func exacts() []exact {
	return []exact{
		{"operations a step", Counts, func(r record.Run) string { return number(r.OpsPerStep) }},
		{"bytes copied a step", Counts, func(r record.Run) string { return number(r.CopiedBytesPerStep) }},
		{"bytes of tensors a step", TensorBytes, func(r record.Run) string { return number(r.TensorBytesPerStep) }},
		{"order of samples", Orders, func(r record.Run) string { return r.OrderDigest }},
		{"final weights", Weights, func(r record.Run) string { return r.WeightsDigest }},
	}
}

// number is a count as text.
func number(n *int64) string {
	if n == nil {
		return ""
	}
	return typeset.Integer(int(*n))
}
