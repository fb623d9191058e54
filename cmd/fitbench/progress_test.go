package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/record"
)

func TestTheProgressLeavesOutWhatDoesNotFit(t *testing.T) {
	at := bench.Progress{
		Cell: record.Cell{Mode: "fit", Execution: "eager"}, Round: 2, Rounds: 5, Step: 30, Steps: 200, Loss: 0.125,
		Phase: "train", Remaining: 61400 * time.Millisecond, RemainingKnown: true,
	}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{0, "fit@eager round 2/5 step 30/200 loss 0.1250 1m1s left"},
		{53, "fit@eager round 2/5 step 30/200 loss 0.1250 1m1s left"},
		{52, "fit@eager round 2/5 step 30/200 1m1s left"},
		{40, "fit@eager round 2/5 1m1s left"},
		{20, "fit@eager 1m1s left"},
		{3, "fit@eager 1m1s left"},
	} {
		if got := describe(at, c.columns); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	at.RemainingRough, at.Disturbed, at.RunsDone = true, 2, 3
	if got, want := describe(at, 0), "fit@eager round 2/5 step 30/200 loss 0.1250 about 1m1s left (2 of 3 runs disturbed by other load)"; got != want {
		t.Errorf("disturbed: %q, want %q", got, want)
	}
	at.Step, at.RemainingKnown, at.Disturbed = 0, false, 0
	if got, want := describe(at, 0), "fit@eager round 2/5 train"; got != want {
		t.Errorf("before the first step: %q, want %q", got, want)
	}
}

func TestALossThatIsNotKnownIsNotShown(t *testing.T) {
	at := bench.Progress{Step: 3, Steps: 9, Loss: math.NaN()}
	if text := describe(at, 0); strings.Contains(text, "loss") {
		t.Error(text)
	}
	if at.Loss = 0.25; !strings.Contains(describe(at, 0), "loss 0.2500") {
		t.Error(describe(at, 0))
	}
}
