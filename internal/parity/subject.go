package parity

import (
	"cmp"
	"fmt"
	"strings"

	"fitbench/internal/record"
)

// subject is a contender whose runs are coming in.
type subject struct {
	Contender
	version    string
	difference *float64 // the largest of the series, as the engine told
}

// hear keeps what a run says of its engine and of the series. One that died early says neither.
func (s *subject) hear(run record.Run) {
	s.version = cmp.Or(run.EngineVersion, s.version)
	if told := run.SeriesDifference; told != nil {
		s.difference = record.Of(max(*told, *cmp.Or(s.difference, told)))
	}
}

// unusable tells whether an engine said that it can do no run at all, and why.
func unusable(run record.Run) (whole bool, why string) {
	return strings.Contains(run.Error, " cannot be used: "), run.Error
}

// cannotBeOrdered is how the error of a mode begins that has no order of its own to give up, by the protocol.
const cannotBeOrdered = "cannot be ordered:"

// losses is the line of one run, held against the native losses.
func (s *subject) losses(p record.Plan, run record.Run, native []float64) Line {
	cell := run.Cell().String()
	if _, why, ok := strings.Cut(run.Error, cannotBeOrdered); ok {
		return s.line(NotCompared, fmt.Sprintf("%s: %s%s", cell, cannotBeOrdered, why))
	}
	if run.Error != "" {
		return s.line(Failed, fmt.Sprintf("%s: %s", cell, run.Error))
	}
	want, what, err := comparable(p, run.StepsPerExecution, len(run.StepLosses), native)
	if err != nil {
		return s.line(Failed, fmt.Sprintf("%s: %v", cell, err))
	}
	largest, first := differ(run.StepLosses, want, LossTolerance)
	text := fmt.Sprintf("%-*s %s", s.width(), cell+":", what) + found(largest, LossTolerance)
	if first > 0 {
		return s.line(Failed, fmt.Sprintf("%s; the first beyond it is figure %d", text, first))
	}
	return s.line(Passed, text)
}

// series is the line of what the engine found when it compared its series with the native one. Where all else of the data differed, its
// runs have failed.
func (s *subject) series() Line {
	if s.difference == nil {
		return s.line(NotCompared, "the engine did not compare its series with the native one")
	}
	outcome := Failed
	if *s.difference <= seriesTolerance {
		outcome = Passed
	}
	return s.line(outcome, fmt.Sprintf("%-*s %s", s.width(), "series:", "anomalies, classes and orders equal, values")+found(*s.difference, seriesTolerance))
}

// found is a difference with its tolerance.
func found(difference, tolerance float64) string {
	return fmt.Sprintf("   %-8.2g  tolerance %.3g, absolute", difference, tolerance)
}

// line is of the contender under its name and version.
func (s *subject) line(o Outcome, text string) Line {
	who := s.Name
	if s.version != "" {
		who += " (" + s.version + ")"
	}
	return Line{Outcome: o, Text: who + ", " + text}
}

// width is that of the longest cell's name with its colon.
func (s *subject) width() int {
	width := len("series:")
	for _, c := range s.Cells {
		width = max(width, len(c.String())+1)
	}
	return width
}
