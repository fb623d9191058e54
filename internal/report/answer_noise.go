package report

import (
	"fmt"
	"math"

	"fitbench/internal/record"
)

// goodSpread is the widest spread over rounds that is called good enough.
const goodSpread = 0.05

// noise says how far the figures can be trusted, and what to do where that is not far enough.
func (v view) noise() string {
	finished, disturbed := 0, 0
	for _, r := range v.rec.Runs {
		if r.Error != "" {
			continue
		}
		finished++
		if r.Disturbed {
			disturbed++
		}
	}
	if finished == 0 {
		return ""
	}
	steal, stealKnown := v.worst(func(r record.Run) *float64 { return r.StealPercent })
	other, otherKnown := v.worst(func(r record.Run) *float64 { return r.OtherCPUPercent })
	low, high, spreadKnown := v.spreads()
	return fmt.Sprintf("%s, %s, %s, %s: %s.",
		atMost("steal", steal, stealKnown), atMost("others' CPU", other, otherKnown), spreadText(low, high, spreadKnown),
		v.disturbed(disturbed, finished), v.verdict(stealKnown || otherKnown, high, spreadKnown))
}

// disturbed counts the disturbed runs, and says whether they are in the medians.
func (v view) disturbed(n, finished int) string {
	text := fmt.Sprintf("%d of %s disturbed", n, counted(finished, "run"))
	if n > 0 && len(v.sum.Warnings) == 0 {
		text += " and left out"
	}
	return text
}

// worst is the largest reading of a disturbance among the finished runs.
func (v view) worst(reading func(r record.Run) *float64) (percent float64, known bool) {
	for _, r := range v.rec.Runs {
		if x := reading(r); x != nil && r.Error == "" {
			percent, known = math.Max(percent, *x), true
		}
	}
	return percent, known
}

func atMost(name string, percent float64, known bool) string {
	if !known {
		return name + " not measured"
	}
	return fmt.Sprintf("%s at most %s of a core", name, load(percent))
}

// spreads are the smallest and the largest spread of a step over the rounds.
func (v view) spreads() (low, high float64, known bool) {
	for _, c := range v.cells {
		x := c.StepMilliseconds
		if !x.HasSpread {
			continue
		}
		if !known {
			low, high = x.Spread, x.Spread
		}
		low, high, known = math.Min(low, x.Spread), math.Max(high, x.Spread), true
	}
	return low, high, known
}

func spreadText(low, high float64, known bool) string {
	switch {
	case !known:
		return "spread unknown"
	case inPercent(low) == inPercent(high):
		return "spread " + percent(high)
	}
	return fmt.Sprintf("spread %s to %s", inPercent(low), percent(high))
}

// verdict says whether that is good enough, or what to do.
func (v view) verdict(measured bool, spread float64, known bool) string {
	switch {
	case len(v.sum.Warnings) > 0:
		return "too much for some conclusions, see the warning"
	case !known:
		return "without a second round there is no spread, take more with --rounds"
	case spread > goodSpread:
		return fmt.Sprintf("a spread over %s is wide, end other programs or take more --rounds", percent(goodSpread))
	case !measured:
		return "a quiet spread, but other load could not be seen here"
	}
	return "good enough"
}
