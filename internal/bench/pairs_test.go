package bench_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// trio is one engine, twice, and another.
func trio(do func(job engine.Job, run *record.Run, observe func(modes.Event))) []bench.Contender {
	base, head := &fakeEngine{do: do}, &fakeEngine{do: do}
	return []bench.Contender{
		{Name: "fake", Role: record.RoleBase, Engine: base}, {Name: "fake", Role: record.RoleTwin, Engine: base},
		{Name: "fake", Role: record.RoleHead, Engine: head},
	}
}

// always judges every turn to count, and all the cells of the pass to be those of the next round too.
func always(more func() bool) func([]record.Run) bench.Next {
	return func(runs []record.Run) bench.Next {
		if !more() {
			return bench.Next{}
		}
		return bench.Next{Cells: cellsOf(runs)}
	}
}

func cellsOf(runs []record.Run) []record.Cell {
	var cells []record.Cell
	for _, r := range runs {
		if !slices.Contains(cells, r.Cell()) {
			cells = append(cells, r.Cell())
		}
	}
	return cells
}

// turns are the runs in threes, as "a@eager 1: base twin head".
func turns(t *testing.T, runs []record.Run) []string {
	t.Helper()
	var all []string
	for i := 0; i+2 < len(runs); i += 3 {
		turn := fmt.Sprintf("%s %d:", runs[i].Cell(), runs[i].Round)
		for _, r := range runs[i : i+3] {
			if r.Cell() != runs[i].Cell() || r.Round != runs[i].Round {
				t.Errorf("%v do not follow on one another", names(runs))
			}
			turn += " " + r.Role
		}
		all = append(all, turn)
	}
	return all
}

func TestTheRunsOfACellFollowOnOneAnotherInEveryOrder(t *testing.T) {
	const rounds = 12
	p, got := plan(rounds, "a@eager", "b@eager"), 0
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: p, MaxRounds: rounds, Engines: trio(nil)}, func(runs []record.Run) bench.Next {
		got++
		if len(turns(t, runs)) != 2 {
			t.Errorf("a round of %d runs, want 6", len(runs))
		}
		return bench.Next{Cells: p.Cells}
	})
	if err != nil || got != rounds || len(rec.Runs) != 6*rounds {
		t.Fatalf("%d rounds of %d, %d runs (%v)", got, rounds, len(rec.Runs), err)
	}
	orders, positions, first := map[string]int{}, map[string]int{}, map[string]int{}
	for i, turn := range turns(t, rec.Runs) {
		where, order, _ := strings.Cut(turn, ":")
		mode, _, _ := strings.Cut(where, " ")
		orders[mode+order]++
		for j, role := range strings.Fields(order) {
			positions[fmt.Sprint(mode, role, j)]++
		}
		if i%2 == 0 {
			first[mode]++
		}
	}
	if len(orders) != 2*6 {
		t.Errorf("%d orders of three roles and two cells, want 12: %v", len(orders), orders)
	}
	for at, n := range positions {
		if n != rounds/3 {
			t.Errorf("%s: %d times, want %d", at, n, rounds/3)
		}
	}
	if first["a@eager"] != rounds/2 {
		t.Errorf("first were %v, want each cell half of the rounds", first)
	}
}

func TestAnOrderIsFollowedByItsReverse(t *testing.T) {
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(0, "a@eager"), MaxRounds: 6, Engines: trio(nil)}, always(func() bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	if first := turns(t, rec.Runs[:3])[0]; first != "a@eager 1: base twin head" {
		t.Errorf("the first turn is %s", first)
	}
	for i := 0; i < 18; i += 6 {
		there, back := rec.Runs[i:i+3], rec.Runs[i+3:i+6]
		for j := range there {
			if there[j].Role != back[2-j].Role {
				t.Errorf("rounds %d and %d: %v", i/3+1, i/3+2, turns(t, rec.Runs[i:i+6]))
			}
		}
	}
}

// Of the second round b does not count, twice.
func TestWhatDoesNotCountIsDoneAgainAloneInTheSameOrder(t *testing.T) {
	passes, p := 0, plan(0, "a@eager", "b@eager")
	b := record.Cell{Mode: "b", Execution: "eager"}
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: p, Engines: trio(nil)}, func([]record.Run) bench.Next {
		switch passes++; passes {
		case 2, 3:
			return bench.Next{Again: []record.Cell{b}, Cells: p.Cells}
		case 5:
			return bench.Next{}
		}
		return bench.Next{Cells: p.Cells}
	})
	if err != nil {
		t.Fatal(err)
	}
	got := turns(t, rec.Runs)
	if len(got) != 8 || rec.Plan.Rounds != 3 {
		t.Fatalf("%d rounds, turns %q", rec.Plan.Rounds, got)
	}
	of := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, "b@eager 2:") })
	if of < 2 || of > 3 || got[4] != got[of] || got[5] != got[of] || !strings.Contains(got[6], "3:") || !strings.Contains(got[7], "3:") {
		t.Errorf("turns %q", got)
	}
}

func TestARoundIsOfTheCellsThatAreStillOfUse(t *testing.T) {
	passes, p := 0, plan(0, "a@eager", "b@eager", "c@eager")
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: p, Engines: trio(nil)}, func([]record.Run) bench.Next {
		passes++
		return bench.Next{Cells: p.Cells[:3-passes]}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, turn := range turns(t, rec.Runs) {
		where, _, _ := strings.Cut(turn, ":")
		got = append(got, where)
	}
	slices.Sort(got)
	if want := []string{"a@eager 1", "a@eager 2", "a@eager 3", "b@eager 1", "b@eager 2", "c@eager 1"}; !slices.Equal(got, want) {
		t.Errorf("turns %q, want %q", got, want)
	}
}

func TestTheRecordSaysHowManyRoundsThereWere(t *testing.T) {
	rounds := 0
	var saved []int
	o := bench.Options{Plan: plan(7, "a@eager"), Engines: trio(func(job engine.Job, _ *record.Run, _ func(modes.Event)) {
		if job.Plan.Rounds != job.Round {
			t.Errorf("round %d of %d", job.Round, job.Plan.Rounds)
		}
	}), Save: func(rec record.Record) error {
		saved = append(saved, rec.Plan.Rounds)
		return nil
	}}
	rec, err := bench.Pairs(t.Context(), o, always(func() bool { rounds++; return rounds < 2 }))
	if err != nil || rounds != 2 || len(rec.Runs) != 6 || rec.Runs[5].Round != 2 || rec.Plan.Rounds != 2 {
		t.Errorf("%d rounds, %d in the plan, %d runs (%v)", rounds, rec.Plan.Rounds, len(rec.Runs), err)
	}
	if !slices.Equal(saved, []int{1, 1, 1, 2, 2, 2}) {
		t.Errorf("saved were %v rounds", saved)
	}
	for _, r := range rec.Runs {
		if r.Engine != "fake" || r.Role == "" {
			t.Errorf("a run of %q in the role %q", r.Engine, r.Role)
		}
	}
}

// The first run of each turn tells for itself; in the second turn others used a fifth of a core.
func TestRunsTooShortToTellAreJudgedByTheWholeTurn(t *testing.T) {
	passes, own := 0, 0
	watch := func() func() meter.Disturbance {
		return func() meter.Disturbance {
			passes++
			return meter.Disturbance{OtherCPUPercent: record.Of(float64(10 * passes)), StealPercent: record.Of(1.0)}
		}
	}
	var saved record.Record
	_, err := bench.Pairs(t.Context(), bench.Options{
		Plan: plan(1, "a@eager"), WatchOthers: watch,
		Engines: trio(func(_ engine.Job, run *record.Run, _ func(modes.Event)) {
			if own++; own%3 == 1 {
				run.OtherCPUPercent = record.Of(3.0)
			}
		}),
		Save: func(r record.Record) error {
			saved.Runs = slices.Clone(r.Runs)
			return nil
		},
	}, always(func() bool { return passes < 2 }))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range saved.Runs {
		steal := "-"
		if r.StealPercent != nil {
			steal = fmt.Sprint(*r.StealPercent)
		}
		got = append(got, fmt.Sprint(*r.OtherCPUPercent, " ", steal, " ", r.Disturbed))
	}
	want := []string{"3 - false", "10 1 false", "10 1 false", "3 - false", "20 1 true", "20 1 true"}
	if !slices.Equal(got, want) {
		t.Errorf("saved were the runs %q, want %q", got, want)
	}
}

// Turns of three runs are too short to tell, two are not; the others use 3 % of a core, and 30 % from the beginning of the fourth turn on.
// What the fourth is blamed for, the fifth alone is too short to tell again.
func TestTurnsTooShortToTellAreJudgedTogetherWithThoseBefore(t *testing.T) {
	runs := 0
	watch := func() func() meter.Disturbance {
		since := runs
		return func() meter.Disturbance {
			switch {
			case runs-since < 6:
				return meter.Disturbance{}
			case runs > 9 && since < 12:
				return meter.Disturbance{OtherCPUPercent: record.Of(30.0)}
			}
			return meter.Disturbance{OtherCPUPercent: record.Of(3.0)}
		}
	}
	rec, err := bench.Pairs(t.Context(), bench.Options{
		Plan: plan(1, "a@eager"), WatchOthers: watch,
		Engines: trio(func(engine.Job, *record.Run, func(modes.Event)) { runs++ }),
	}, always(func() bool { return runs < 18 }))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := 0; i < len(rec.Runs); i += 3 {
		r := rec.Runs[i]
		if r.OtherCPUPercent == nil {
			got = append(got, "-")
			continue
		}
		got = append(got, fmt.Sprint(*r.OtherCPUPercent, r.Disturbed))
	}
	if want := []string{"-", "3 false", "3 false", "30 true", "-", "3 false"}; !slices.Equal(got, want) {
		t.Errorf("the turns tell %q, want %q", got, want)
	}
}

// The first of two turns is too short to tell, both together are not.
func TestTheFirstTurnsOfAPassAreJudgedTogetherWithThoseBehind(t *testing.T) {
	runs := 0
	watch := func() func() meter.Disturbance {
		since := runs
		return func() meter.Disturbance {
			if runs-since < 6 {
				return meter.Disturbance{}
			}
			return meter.Disturbance{OtherCPUPercent: record.Of(3.0)}
		}
	}
	_, err := bench.Pairs(t.Context(), bench.Options{
		Plan: plan(1, "a@eager", "b@eager"), WatchOthers: watch,
		Engines: trio(func(engine.Job, *record.Run, func(modes.Event)) { runs++ }),
	}, func(pass []record.Run) bench.Next {
		if len(pass) != 6 {
			t.Errorf("a pass of %d runs, want 6", len(pass))
		}
		for i, r := range pass {
			if r.OtherCPUPercent == nil {
				t.Errorf("run %d of the pass does not tell what others did", i+1)
			}
		}
		return bench.Next{}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFailedRunEndsThePairs(t *testing.T) {
	runs := 0
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(0, "a@eager"), Engines: trio(func(_ engine.Job, run *record.Run, _ func(modes.Event)) {
		if runs++; runs == 5 {
			run.Error = "broken"
		}
	})}, always(func() bool { return true }))
	if err != nil || len(rec.Runs) != 5 || rec.Runs[4].Error != "broken" {
		t.Errorf("%d runs (%v)", len(rec.Runs), err)
	}
}

func TestAnUnequalFootingEndsThePairsAtOnce(t *testing.T) {
	judged, engines := 0, trio(nil)
	engines[2].Engine = &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if run.WeightsDigest = "other"; job.Round == 2 {
			run.OrderDigest = "other"
		}
	}}
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(0, "a@eager"), Engines: engines}, always(func() bool { judged++; return true }))
	if !errors.As(err, new(*bench.FootingError)) || len(rec.Runs) != 6 || judged != 1 {
		t.Errorf("%d runs, %d rounds judged (%v)", len(rec.Runs), judged, err)
	}
}

func TestRoundsThatDifferFromTheFirstEndThePairs(t *testing.T) {
	rec, err := bench.Pairs(t.Context(), bench.Options{Plan: plan(0, "a@eager"), MaxRounds: 9, Engines: trio(func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if job.Round == 3 {
			run.OrderDigest = "other"
		}
	})}, always(func() bool { return true }))
	if !errors.As(err, new(*bench.FootingError)) || len(rec.Runs) != 9 {
		t.Errorf("%d runs (%v)", len(rec.Runs), err)
	}
}

func TestPairsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rec, err := bench.Pairs(ctx, bench.Options{Plan: plan(0, "a@eager"), Engines: trio(nil)}, always(func() bool {
		cancel()
		return true
	}))
	if !errors.Is(err, context.Canceled) || rec.Plan.Rounds != 1 {
		t.Errorf("%d rounds (%v)", rec.Plan.Rounds, err)
	}
}
