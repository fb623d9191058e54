package main

import (
	"fmt"
	"time"

	"fitbench/internal/bench"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far the whole plan is, on a terminal.
type progress struct {
	bar *progressbar.ProgressBar // nil: nobody watches
}

func newProgress(s streams, quiet bool) *progress {
	if quiet || !s.interactive {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(1,
		progressbar.OptionSetWriter(s.err),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(false), // the plan's own estimate is in the words
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionClearOnFinish(),
	)}
}

// show draws the state of the plan: cell, round, steps, loss, and the time left where it can be told.
func (p *progress) show(at bench.Progress) {
	if p.bar == nil {
		return
	}
	p.bar.ChangeMax(at.RunsTotal * at.Steps)
	_ = p.bar.Set(at.RunsDone*at.Steps + at.Step) // a terminal that went away is no reason to stop measuring
	p.bar.Describe(describe(at))
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func describe(at bench.Progress) string {
	s := fmt.Sprintf("%s round %d/%d", at.Cell, at.Round, at.Rounds)
	if at.Step == 0 {
		s += " " + at.Phase
	} else {
		s += fmt.Sprintf(" step %d/%d loss %.4f", at.Step, at.Steps, at.Loss)
	}
	if at.RemainingKnown {
		s += fmt.Sprintf(", %v left", at.Remaining.Round(time.Second))
	}
	return s
}
