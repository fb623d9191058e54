package bench_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// trio are three engines.
func trio(do func(job engine.Job, run *record.Run, observe func(modes.Event))) []bench.Contender {
	var all []bench.Contender
	for _, name := range []string{"base", "twin", "head"} {
		all = append(all, bench.Contender{Name: name, Engine: &fakeEngine{do: do}})
	}
	return all
}

func TestTheRunsOfACellFollowOnOneAnotherInEveryOrder(t *testing.T) {
	const rounds = 12
	p, got := plan(rounds, "a@eager", "b@eager"), 0
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: p, Engines: trio(nil)}, func(runs []record.Run) bool {
		got++
		if len(runs) != 6 {
			t.Errorf("a round of %d runs, want 6", len(runs))
		}
		for i := 0; i < len(runs); i += 3 {
			if runs[i].Cell() != runs[i+1].Cell() || runs[i].Cell() != runs[i+2].Cell() {
				t.Errorf("round %d: %v do not follow on one another", got, names(runs))
			}
		}
		return true
	})
	if err != nil || got != rounds || len(rec.Runs) != 6*rounds {
		t.Fatalf("%d rounds of %d, %d runs (%v)", got, rounds, len(rec.Runs), err)
	}
	orders, positions := map[string]int{}, map[string]int{}
	for i := 0; i < len(rec.Runs); i += 3 {
		order := ""
		for j, r := range rec.Runs[i : i+3] {
			order += r.Engine + " "
			positions[fmt.Sprint(r.Cell(), r.Engine, j)]++
		}
		orders[rec.Runs[i].Mode+": "+order]++
	}
	if len(orders) != 2*6 {
		t.Errorf("%d orders of three engines and two cells, want 12: %v", len(orders), orders)
	}
	for at, n := range positions {
		if n != rounds/3 {
			t.Errorf("%s: %d times, want %d", at, n, rounds/3)
		}
	}
}

func TestPairsEndWhereItIsEnough(t *testing.T) {
	rounds := 0
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(100, "a@eager"), Engines: trio(nil)}, func([]record.Run) bool {
		rounds++
		return rounds < 4
	})
	if err != nil || rounds != 4 || len(rec.Runs) != 12 || rec.Runs[11].Round != 4 {
		t.Errorf("%d rounds, %d runs (%v)", rounds, len(rec.Runs), err)
	}
}

func TestAFailedRunEndsThePairs(t *testing.T) {
	runs := 0
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(100, "a@eager"), Engines: trio(func(_ engine.Job, run *record.Run, _ func(modes.Event)) {
		if runs++; runs == 5 {
			run.Error = "broken"
		}
	})}, func([]record.Run) bool { return true })
	if err != nil || len(rec.Runs) != 5 || rec.Runs[4].Error != "broken" {
		t.Errorf("%d runs (%v)", len(rec.Runs), err)
	}
}

func TestPairsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := bench.Pairs(ctx, bench.Options{Plan: plan(100, "a@eager"), Engines: trio(nil)}, func([]record.Run) bool {
		cancel()
		return true
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
