package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fitbench/internal/record"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// goodSpread is the widest spread over rounds that is called good enough.
const goodSpread = 0.05

// noise says how far the figures can be trusted, and what to do where that is not far enough.
func (v view) noise() string {
	var w watched
	for _, r := range v.rec.Runs {
		if r.Error == "" {
			w.add(r)
		}
	}
	if w.finished == 0 {
		return ""
	}
	low, high, spreadKnown := v.spreads()
	return fmt.Sprintf("%s, %s, %s, %s: %s.",
		w.steal.text("steal", w.finished), w.other.text("others' CPU", w.finished), spreadText(low, high, spreadKnown),
		w.disturbedText(v.leftOut()), v.verdict(w, high, spreadKnown))
}

// watched is what is known of other load during the finished runs.
type watched struct {
	finished, disturbed int
	// unknown are the runs of which it is not known whether they were disturbed, short those among them that were too short to tell.
	unknown, short int
	steal, other   worst
}

// shortestWatched is the shortest run, in seconds, during which other load can be measured at all.
const shortestWatched = 0.3

func (w *watched) add(r record.Run) {
	w.finished++
	w.steal.add(r.StealPercent)
	w.other.add(r.OtherCPUPercent)
	switch {
	case r.Disturbed:
		w.disturbed++
	case summary.Unwatched(r):
		w.unknown++
		if r.WallSeconds != nil && *r.WallSeconds < shortestWatched {
			w.short++
		}
	}
}

// worst is the largest of the readings of a disturbance, in percent of a core.
type worst struct {
	percent float64
	n       int
}

func (m *worst) add(reading *float64) {
	if reading != nil {
		m.percent, m.n = math.Max(m.percent, *reading), m.n+1
	}
}

func (m worst) text(name string, finished int) string {
	switch {
	case m.n == 0:
		return name + " not measured"
	case m.n < finished:
		return fmt.Sprintf("%s at most %s of a core in %d of %s", name, typeset.Load(m.percent), m.n, typeset.Counted(finished, "run"))
	}
	return fmt.Sprintf("%s at most %s of a core", name, typeset.Load(m.percent))
}

// leftOut tells whether no disturbed run is in any median.
func (v view) leftOut() bool {
	return !slices.ContainsFunc(v.cells, func(c summary.Cell) bool { return c.UsedDisturbed })
}

// disturbedText counts the disturbed runs, says whether they are in the medians, and of how many it is not known.
func (w watched) disturbedText(leftOut bool) string {
	text := fmt.Sprintf("%d of %s disturbed", w.disturbed, typeset.Counted(w.finished-w.unknown, "run"))
	if w.unknown == w.finished {
		text = "disturbed or not"
	}
	if w.disturbed > 0 && leftOut {
		text += " and left out"
	}
	if w.unknown == 0 {
		return text
	}
	why := "this system does not tell"
	if w.short == w.unknown {
		why = "too short to tell: take more --steps"
	}
	return fmt.Sprintf("%s, not known for %d of %s (%s)", text, w.unknown, typeset.Counted(w.finished, "run"), why)
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
	case typeset.InPercent(low) == typeset.InPercent(high):
		return "spread " + typeset.Percent(high)
	}
	return fmt.Sprintf("spread %s to %s", typeset.InPercent(low), typeset.Percent(high))
}

// verdict says whether that is good enough, for which cells it is not, or what to do.
func (v view) verdict(w watched, spread float64, known bool) string {
	var without []string
	for _, c := range v.cells {
		if c.Used > 0 && !c.Conclusive {
			without = append(without, c.Label)
		}
	}
	switch {
	case len(without) > 0 && !slices.ContainsFunc(v.cells, func(c summary.Cell) bool { return c.Conclusive }):
		return "too much for any conclusion about time, see the warning"
	case len(without) > 0:
		return fmt.Sprintf("too much for conclusions about the time of %s, see the warning", summary.NameSome(without))
	}
	var doubts []string
	if !known {
		doubts = append(doubts, "one round has no spread, so how sure the comparisons are is not known; take more --rounds")
	}
	if spread > goodSpread {
		doubts = append(doubts, fmt.Sprintf("a spread over %s is wide, end other programs or take more --rounds", typeset.Percent(goodSpread)))
	}
	if w.unknown > 0 {
		doubts = append(doubts, "what is concluded holds only if the runs not known were undisturbed")
	}
	if len(doubts) == 0 {
		return "good enough"
	}
	return strings.Join(doubts, "; ")
}
