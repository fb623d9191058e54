package parity

import (
	"fmt"
	"io"
)

// Outcome is what became of a comparison.
type Outcome int

// A mode whose samples cannot be put in the plan's order is not compared, which is no failure.
const (
	Passed Outcome = iota
	Failed
	NotCompared
)

// String is how a line begins.
func (o Outcome) String() string { return [...]string{"ok", "FAIL", "--"}[o] }

// Line is one comparison.
type Line struct {
	Outcome Outcome
	Text    string
}

// Print writes the line. The error is the writer's.
func (l Line) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%-4s  %s\n", l.Outcome, l.Text)
	return err
}

// Summary counts the outcomes.
type Summary struct {
	Passed, Failed, NotCompared int
	// Losses is how many of those that passed are of a run's losses.
	Losses int
}

func (s *Summary) add(o Outcome) {
	*[...]*int{&s.Passed, &s.Failed, &s.NotCompared}[o]++
}

// OK holds where something was compared, and nothing failed.
func (s Summary) OK() bool { return s.Losses > 0 && s.Failed == 0 }

// String is the last line.
func (s Summary) String() string {
	text := fmt.Sprintf("%d checks, all passed", s.Passed)
	switch checks := s.Passed + s.Failed; {
	case checks == 0 || s.Failed == 0 && s.Losses == 0:
		text = "nothing was compared"
	case s.Failed > 0:
		text = fmt.Sprintf("%d of %d checks failed", s.Failed, checks)
	}
	if s.NotCompared > 0 {
		text += fmt.Sprintf("; %d not compared", s.NotCompared)
	}
	return text
}
