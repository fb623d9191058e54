package report

import (
	"fmt"
	"strings"

	"fitbench/internal/cost"
	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/stats"
	"fitbench/internal/summary"
	"fitbench/internal/typeset"
)

// closeToFit is the share by which a mode may be slower than fit and still be called close.
const closeToFit = 0.10

// sweepAnswer is what a record of several batch sizes tells.
func sweepAnswer(rec record.Record, sum summary.Summary) []Line {
	alike := len(footing.Check(rec.Runs)) == 0
	var lines []Line
	if alike {
		models := cost.Models(sum)
		for _, m := range models {
			lines = append(lines, costLine(models, m))
		}
	}
	if len(lines) > 0 {
		lines = append(lines, Line{Title: "Models", Text: fmt.Sprintf("least squares on relative errors; in brackets intervals at %.0f %%, each by itself, for points that "+
			"scatter about a line.%s", 100*stats.LineConfidence, oneRound(sum.Cells...))})
	}
	whole := view{rec: rec, sum: sum, cells: sum.Cells}
	lines = append(lines, stated([]statement{{"Noise", whole.noise}})...)
	for _, w := range sum.Warnings {
		lines = append(lines, Line{Title: warningTitle, Text: typeset.ASCII(w.String())})
	}
	if !alike {
		lines = append(lines, Line{Title: warningTitle, Text: unequal})
	}
	return lines
}

// costLine tells one mode's cost model, how far it holds, and from which size on it is close to fit.
func costLine(models []cost.Model, m cost.Model) Line {
	title := m.Cell.String()
	if engines := engineNames(models); len(engines) > 1 {
		title += " by " + m.Engine
	}
	var sentences []string
	switch {
	case !m.OK:
		sentences = append(sentences, fmt.Sprintf("no cost model: it takes two sizes, and only %s has a conclusive time.", typeset.Integer(m.Sizes[0])))
	case len(m.Ranges) > 1:
		sentences = append(sentences, bent(m))
	default:
		sentences = append(sentences, terms(m.Line)+" "+held(m))
	}
	if text := closeness(models, m); text != "" {
		sentences = append(sentences, text)
	}
	return Line{Title: typeset.ASCII(title), Text: typeset.ASCII(strings.Join(sentences, " "))}
}

func engineNames(models []cost.Model) map[string]bool {
	names := map[string]bool{}
	for _, m := range models {
		names[m.Engine] = true
	}
	return names
}

// terms are the two terms of a line, with their intervals where there are any.
func terms(l stats.Line) string {
	a, b := typeset.Milliseconds(l.Intercept)+" a step", microseconds(l.Slope)+" a sample"
	if q := l.Quality; q != nil {
		a += interval(q.InterceptLow, q.InterceptHigh)
		b += interval(q.SlopeLow*1e3, q.SlopeHigh*1e3)
	}
	return a + " + " + b + "."
}

// interval is that of a term, or says that the term may be nothing.
func interval(low, high float64) string {
	if low <= 0 && high >= 0 {
		return fmt.Sprintf(" (%s to %s: not told apart from 0)", bare(low), bare(high))
	}
	return fmt.Sprintf(" (%s to %s)", bare(low), bare(high))
}

// microseconds is a time in ms as us with three significant digits.
func microseconds(ms float64) string { return bare(ms*1e3) + " us" }

// bare is a figure with three significant digits, without its unit.
func bare(v float64) string { return typeset.Fixed(v, typeset.Decimals(v, 3)) }

// held says on how many sizes the model rests and how well they meet it.
func held(m cost.Model) string {
	over := fmt.Sprintf("Sizes %s to %s", typeset.Integer(m.Sizes[0]), typeset.Integer(m.Sizes[len(m.Sizes)-1]))
	q := m.Line.Quality
	if q == nil {
		return over + ": two points, so how good that is is not known."
	}
	text := fmt.Sprintf("%s, %d of them: the largest deviation is %s", over, len(m.Sizes), typeset.Percent(q.LargestResidual))
	if q.R2 != nil {
		text += fmt.Sprintf(", R2 %s", typeset.Fixed(*q.R2, 3))
	}
	return text + "."
}

// bent says that no single line fits, and on which ranges one does.
func bent(m cost.Model) string {
	var ranges []string
	for _, r := range m.Ranges {
		switch {
		case r.Line == nil:
			ranges = append(ranges, fmt.Sprintf("%s alone", typeset.Integer(int(r.First))))
		default:
			ranges = append(ranges, fmt.Sprintf("%s to %s: %s + %s", typeset.Integer(int(r.First)), typeset.Integer(int(r.Last)),
				typeset.Milliseconds(r.Line.Intercept)+" a step", microseconds(r.Line.Slope)+" a sample"))
		}
	}
	return "one line does not fit all sizes (beyond 10 % and three times the spread), so each range has its own: " + strings.Join(ranges, "; ") + "."
}

// closeness says from which size on a mode is close to fit: in its model, or where that does not tell, at which measured sizes it was;
// nothing of fit itself.
func closeness(models []cost.Model, m cost.Model) string {
	fit, ok := cost.Find(models, m.Engine, summary.Reference())
	if !ok || m.Cell == summary.Reference() {
		return ""
	}
	share := typeset.InPercent(closeToFit) + " %"
	size, c := m.Within(fit, closeToFit)
	largest := typeset.Integer(min(m.Sizes[len(m.Sizes)-1], fit.Sizes[len(fit.Sizes)-1]))
	switch {
	case c == cost.Never:
		return fmt.Sprintf("Within %s of fit: never in this model, up to %s.", share, largest)
	case c == cost.FromSize && size <= max(m.Sizes[0], fit.Sizes[0]):
		return fmt.Sprintf("Within %s of fit: at every size up to %s.", share, largest)
	case c == cost.FromSize:
		return fmt.Sprintf("Within %s of fit: from batch %s on, up to %s.", share, typeset.Integer(size), largest)
	}
	near, measured := nearFit(m)
	switch {
	case measured == 0:
		return ""
	case len(near) == 0:
		return fmt.Sprintf("Within %s of fit: at none of the %d measured sizes; there is no model to tell of others.", share, measured)
	}
	return fmt.Sprintf("Within %s of fit: measured at %s; there is no model to tell of others.", share, strings.Join(near, ", "))
}

// nearFit are the measured sizes at which a mode was close to fit, and the number of those at which the ratio is known.
func nearFit(m cost.Model) (near []string, measured int) {
	for i, x := range m.TimesFit {
		if !x.OK {
			continue
		}
		measured++
		if x.Median < 1+closeToFit {
			near = append(near, typeset.Integer(m.Sizes[i]))
		}
	}
	return near, measured
}
