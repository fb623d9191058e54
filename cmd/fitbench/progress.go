package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"fitbench/internal/bench"

	"github.com/schollz/progressbar/v3"
)

// barColumns is what the bar takes beside the words: its 20 characters, the brackets, the percentage, and room for an echoed ^C.
const barColumns = 20 + 15

// runParts is what a run counts on the bar, whatever the number of its steps.
const runParts = 1000

// progress shows how far the whole plan is, on a terminal.
type progress struct {
	bar *progressbar.ProgressBar // nil: nobody watches
	// columns tells the terminal's width now, 0 where it is unknown.
	columns func() int
	// limit is when what began then has to end; 0 where the number of runs is known.
	limit time.Duration
	began time.Time
}

func newProgress(s streams, quiet bool) *progress {
	if quiet || !s.interactive {
		return &progress{}
	}
	return &progress{
		columns: func() int { return terminalWidth(s.err) },
		bar: progressbar.NewOptions(1,
			progressbar.OptionSetWriter(s.err),
			progressbar.OptionSetWidth(20),
			progressbar.OptionSetTheme(progressbar.ThemeASCII),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(false), // the plan's own estimate is in the words
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionClearOnFinish(),
		),
	}
}

// show draws the state of the plan: cell, round, steps, loss, and the time left where it can be told.
func (p *progress) show(at bench.Progress) {
	if p.bar == nil {
		return
	}
	// A terminal that went away is no reason to stop measuring.
	if p.limit > 0 {
		p.bar.ChangeMax64(int64(p.limit))
		_ = p.bar.Set64(min(int64(time.Since(p.began)), int64(p.limit)))
	} else {
		p.bar.ChangeMax(at.RunsTotal * runParts)
		_ = p.bar.Set(at.RunsDone*runParts + at.Step*runParts/max(at.Steps, 1))
	}
	room := 0
	if columns := p.columns(); columns > 0 {
		room = max(1, columns-barColumns)
	}
	p.bar.Describe(describe(at, room))
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// describe puts the progress into words that fit into so many columns, the least important left out first; 0 is no limit.
func describe(at bench.Progress, columns int) string {
	const cell, round, step, loss, left, disturbed = 0, 1, 2, 3, 4, 5
	words := [6]string{cell: at.Cell.String(), round: rounds(at), step: at.Phase}
	if at.Step > 0 {
		words[step] = fmt.Sprintf("step %d/%d", at.Step, at.Steps)
		if !math.IsNaN(at.Loss) { // of which frameworks tell none
			words[loss] = fmt.Sprintf("loss %.4f", at.Loss)
		}
	}
	if at.RemainingKnown && at.Rounds < math.MaxInt32 {
		words[left] = fmt.Sprintf("%v left", at.Remaining.Round(time.Second))
		if at.RemainingRough {
			words[left] = "about " + words[left]
		}
	}
	if at.Disturbed > 0 {
		words[disturbed] = fmt.Sprintf("(%d of %d runs disturbed by other load)", at.Disturbed, at.RunsDone)
	}
	line := func() string { return strings.Join(strings.Fields(strings.Join(words[:], " ")), " ") }
	for _, least := range []int{loss, step, disturbed, round} {
		if columns == 0 || len(line()) <= columns {
			break
		}
		words[least] = ""
	}
	return line()
}

// rounds counts the round, of as many as there will be where that is known.
func rounds(at bench.Progress) string {
	if at.Rounds == math.MaxInt32 {
		return fmt.Sprintf("round %d", at.Round)
	}
	return fmt.Sprintf("round %d/%d", at.Round, at.Rounds)
}
