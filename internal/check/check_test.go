package check_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fitbench/internal/bench"
	"fitbench/internal/check"
	"fitbench/internal/record"
	"fitbench/internal/verdict"
)

func near(got *float64, want float64) bool {
	return got != nil && math.Abs(*got-want) <= 1e-9*math.Abs(want)
}

// One gate is looked at after 10 rounds, two after 13 for the first time: then it may be same, and a change at the look after that.
func TestVerdictsOfACheck(t *testing.T) {
	const r, i, s, n = verdict.Regressed, verdict.Improved, verdict.Same, verdict.Inconclusive
	for _, c := range []struct {
		name   string
		gates  []string
		edit   func(*record.Run, string, int)
		want   []verdict.Verdict
		whole  verdict.Verdict
		rounds int
	}{
		{"no change", []string{"fit@compiled"}, nil, []verdict.Verdict{s}, s, 10},
		{"head slower", []string{"fit@compiled"}, slower("head", fit, 1.1), []verdict.Verdict{r}, r, 13},
		{"head quicker", []string{"fit@compiled"}, slower("head", fit, 0.9), []verdict.Verdict{i}, i, 13},
		{"one quicker", []string{"fit@compiled", "generator@compiled"}, slower("head", fit, 0.9), []verdict.Verdict{i, s}, i, 16},
		{"one slower, one quicker", []string{"fit@compiled", "generator@compiled"}, func(r *record.Run, role string, n int) {
			slower("head", fit, 0.8)(r, role, n)
			slower("head", generator, 1.2)(r, role, n)
		}, []verdict.Verdict{i, r}, r, 16},
		{"CPU seconds alone", []string{"fit@compiled", "cpu:fit@compiled"}, func(r *record.Run, role string, _ int) {
			if role == "head" {
				*r.UserSeconds = 3
			}
		}, []verdict.Verdict{s, r}, r, 16},
		{"memory alone", []string{"memory:fit@compiled"}, func(r *record.Run, role string, _ int) {
			if role == "head" {
				*r.PeakRSSBytes = 8e6
			}
		}, []verdict.Verdict{r}, r, 13},
		{"twins apart", []string{"fit@compiled", "generator@compiled"}, func(r *record.Run, role string, n int) {
			slower("head", fit, 1.5)(r, role, n)
			slower("twin", fit, 1.2)(r, role, n)
		}, []verdict.Verdict{n, s}, n, 40},
		{"rounds far apart", []string{"fit@compiled"}, func(r *record.Run, role string, n int) {
			if role == "head" && r.Round%2 == 0 {
				*r.StepMilliseconds *= 1.5
			}
		}, []verdict.Verdict{n}, n, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := found(t, &world{edit: c.edit}, nil, c.gates...)
			var got []verdict.Verdict
			for _, g := range f.Gates {
				got = append(got, g.Verdict)
			}
			if !slices.Equal(got, c.want) || f.Verdict != c.whole || f.Rounds != c.rounds {
				t.Errorf("%v, in all %s, after %d rounds; want %v, %s, %d", got, f.Verdict, f.Rounds, c.want, c.whole, c.rounds)
			}
			turns := map[record.Cell]int{} // a cell takes part until the last of its gates is decided
			for _, g := range f.Gates {
				turns[g.Gate.Cell] = max(turns[g.Gate.Cell], g.Pairs)
			}
			runs := 0
			for _, n := range turns {
				runs += 3 * n
			}
			if f.Record.Plan.Rounds != f.Rounds || len(f.Record.Runs) != runs {
				t.Errorf("the record has %d runs in %d rounds, want %d", len(f.Record.Runs), f.Record.Plan.Rounds, runs)
			}
		})
	}
}

func TestFiguresAreThoseOfHeadAndBaseAndNotOfTheTwin(t *testing.T) {
	f := found(t, &world{edit: func(r *record.Run, role string, n int) {
		slower("twin", fit, 1.01)(r, role, n)
		slower("head", fit, 1.1)(r, role, n)
	}}, nil, "fit@compiled", "generator@compiled", "memory:fit@compiled")
	g := f.Gates[0]
	if !near(g.Base, 2) || !near(g.Head, 2.2) || !near(g.Estimate, math.Log(1.1)) || !near(g.TwinEstimate, math.Log(1.01)) || g.Pairs != f.Rounds {
		t.Errorf("%+v", g)
	}
	if m := f.Gates[2]; !near(m.Base, 7) || m.Gate.Title() != "fit@compiled, peak memory, MB" {
		t.Errorf("memory %+v", m)
	}
	if len(f.Ratios) != 1 || f.Ratios[0].Cell != generator || !near(&f.Ratios[0].Base, 3) || !near(&f.Ratios[0].Head, 6/2.2) {
		t.Errorf("ratios %+v, want generator's 3 and 2.73 times fit", f.Ratios)
	}
	if without := found(t, &world{}, nil, "generator@compiled"); len(without.Ratios) > 0 {
		t.Errorf("ratios %+v without fit", without.Ratios)
	}
}

// The next look after 10 rounds is the one after 13. There, after 12 rounds, the medians are of the first 10.
func TestMediansAreOverTheRoundsOfTheEstimate(t *testing.T) {
	w := &world{edit: func(r *record.Run, role string, _ int) {
		if r.Disturbed = r.Round == 13; r.Round > 10 {
			*r.StepMilliseconds = 99
		}
		if role == "head" && r.Round%2 == 0 {
			*r.StepMilliseconds *= 2
		}
	}}
	f := found(t, w, func(o *check.Options) { o.MaxTime = 41 * time.Second }, "fit@compiled")
	g := f.Gates[0]
	if f.Rounds != 12 || g.Pairs != 10 || !near(g.Base, 2) || !near(g.Head, 3) {
		t.Errorf("%d rounds, %d pairs, medians %v and %v; want 12, 10, 2 and 3", f.Rounds, g.Pairs, *g.Base, *g.Head)
	}
}

func TestADisturbedTurnIsRepeatedAndDoesNotCount(t *testing.T) {
	calm := found(t, &world{edit: slower("head", fit, 1.1)}, nil, "fit@compiled", "generator@compiled")
	disturbed := 0 // once in every other round
	w := &world{edit: func(r *record.Run, role string, n int) {
		slower("head", fit, 1.1)(r, role, n)
		if role == "twin" && r.Cell() == fit && r.Round%2 == 0 && disturbed < r.Round/2 {
			disturbed++
			r.Disturbed = true
			*r.StepMilliseconds = 1000
		}
	}}
	f := found(t, w, nil, "fit@compiled", "generator@compiled")
	if f.Rounds != calm.Rounds || f.Repeated != 8 || f.Dropped != 0 || f.Verdict != verdict.Regressed {
		t.Fatalf("%d rounds, %d repeated, %d dropped, %s", f.Rounds, f.Repeated, f.Dropped, f.Verdict)
	}
	if len(f.Record.Runs) != len(calm.Record.Runs)+3*8 {
		t.Errorf("%d runs and %d without disturbances: three each are done again", len(f.Record.Runs), len(calm.Record.Runs))
	}
	if g := f.Gates[0]; *g.TwinEstimate != 0 || *g.Estimate != *calm.Gates[0].Estimate {
		t.Errorf("disturbed runs were counted: %+v", g)
	}
}

func TestWhatIsDisturbedAtTheEndIsNotCalledRepeated(t *testing.T) {
	w := &world{edit: func(r *record.Run, _ string, _ int) { r.Disturbed = true }}
	f := found(t, w, func(o *check.Options) { o.MaxTime = 40 * time.Second }, "fit@compiled")
	// A turn takes 3 s, ten undisturbed ones 30: after five in vain there is no time for them any more.
	if f.Rounds != 0 || f.Repeated != 3 || f.Dropped != 1 || f.Verdict != verdict.Inconclusive || f.Gates[0].Base != nil {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(f.Report("a", "b").How, "3 turns of a mode disturbed and repeated, 1 turn of a mode disturbed and not counted") {
		t.Error(f.Report("a", "b").How)
	}
}

// Two gates of 3 s a turn: the look after 13 rounds takes 78 s, and 3 s more for the one turn that is repeated.
func TestOnlyTheTurnsThatAreMissingAreWaitedFor(t *testing.T) {
	for seconds, want := range map[int]int{80: 3, 81: 13} {
		w := &world{edit: func(r *record.Run, _ string, n int) { r.Disturbed = n == 1 }}
		f := found(t, w, func(o *check.Options) { o.MaxTime = time.Duration(seconds) * time.Second }, "fit@compiled", "generator@compiled")
		if f.Rounds != want {
			t.Errorf("%d s: %d rounds, want %d", seconds, f.Rounds, want)
		}
	}
}

func TestWhereOtherLoadIsNotMeasuredNothingIsClaimed(t *testing.T) {
	w := &world{edit: func(r *record.Run, role string, _ int) {
		if role == "head" && r.Round < 4 {
			r.OtherCPUPercent = nil
		}
	}}
	f := found(t, w, nil, "fit@compiled", "generator@compiled")
	c := f.Report("native:./old", "native")
	if f.Unwatched != 3 || !strings.Contains(c.How, "not known for 3 rounds") || strings.Contains(c.How, "none disturbed") {
		t.Errorf("%d unwatched: %s", f.Unwatched, c.How)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "3 rounds") {
		t.Errorf("warnings %q", c.Warnings)
	}
	if how := found(t, &world{}, nil, "fit@compiled").Report("a", "b").How; !strings.Contains(how, "none disturbed") {
		t.Error(how)
	}
}

func TestACheckEndsWhereTheNextLookIsOutOfReach(t *testing.T) {
	apart := func(r *record.Run, role string, _ int) {
		if role == "head" {
			*r.StepMilliseconds *= math.Exp(0.04 + 0.3*math.Sin(float64(r.Round))) // 4 % slower, or 30 % either way
		}
	}
	for _, c := range []struct {
		seconds, rounds, pairs int
		says                   string
	}{
		{9, 1, 0, "no verdict fits into --max-time 9s: the first takes 10 rounds, about 30s in all; --max-time 37s"},   // at once
		{29, 3, 0, "no verdict fits into --max-time 29s: the first takes 10 rounds, about 30s in all; --max-time 37s"}, // once the pace is known
		{30, 10, 10, "not decided within --max-time 30s: verdicts are passed next after 13 rounds, which take about 39s in all"},
		{38, 10, 10, "after 13 rounds"},
		{39, 13, 13, "after 16 rounds"},
		{180, 50, 50, "after 63 rounds, which take about 3m9s in all; --max-time 4m0s"},
		{1200, 400, 400, "not decided after 400 rounds, the last time that verdicts are passed: the change is too near to 5 %"},
	} {
		f := found(t, &world{edit: apart}, func(o *check.Options) { o.MaxTime = time.Duration(c.seconds) * time.Second }, "fit@compiled")
		if f.Rounds != c.rounds || f.Verdict != verdict.Inconclusive || (f.Gates[0].Interval != nil) != (c.pairs > 0) {
			t.Errorf("%d s: %d rounds, %s; want %d", c.seconds, f.Rounds, f.Verdict, c.rounds)
		}
		if w := f.Report("a", "b").Warnings; len(w) != 1 || !strings.Contains(w[0], c.says) {
			t.Errorf("%d s: %q, want %q", c.seconds, w, c.says)
		}
	}
}

func TestWhatKeepsACheckFromItsVerdict(t *testing.T) {
	onRun := func(at int, edit func(r *record.Run)) func(*record.Run, string, int) {
		return func(r *record.Run, _ string, n int) {
			if n == at {
				edit(r)
			}
		}
	}
	ofHead := func(edit func(r *record.Run)) func(*record.Run, string, int) {
		return func(r *record.Run, role string, _ int) {
			if role == "head" {
				edit(r)
			}
		}
	}
	for _, c := range []struct {
		name   string
		inject string
		edit   func(*record.Run, string, int)
		says   string
		runs   int
	}{
		{"a run fails", "", onRun(8, func(r *record.Run) { r.Error = "killed" }), "a run failed, so that nothing can be told: ", 8},
		{"head lacks a figure", "", ofHead(func(r *record.Run) { r.UserSeconds = nil }), "gate cpu:fit@compiled: the run of head has no such figure (CPU seconds)", 6},
		{"a figure of 0", "", onRun(9, func(r *record.Run) { *r.StepMilliseconds = 0 }), "must be a finite number above 0", 12},
		{"head trains on other samples", "", ofHead(func(r *record.Run) { r.OrderDigest = "other" }), "order of samples", 6},
		{"head does not add the work", "kernel=10%", ofHead(func(r *record.Run) { r.Injected = "" }), "does not say that it was", 6},
		{"head adds the work to one of two", "kernel=10%", ofHead(func(r *record.Run) {
			if r.Cell() == generator {
				r.Injected = ""
			}
		}), "(kernel=10%), and its run of generator@compiled does not say", 6},
		{"head adds it once", "fit@compiled=10%", func(r *record.Run, _ string, n int) {
			if n > 6 {
				r.Injected = ""
			}
		}, "its run of fit@compiled", 12},
	} {
		w := &world{edit: c.edit}
		o := optionsOf(t, w, "fit@compiled", "cpu:fit@compiled", "generator@compiled")
		o.Inject = c.inject
		f, err := check.Run(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), c.says) || f.Verdict != "" {
			t.Errorf("%s: %v, verdict %q; want %q", c.name, err, f.Verdict, c.says)
		}
		if len(f.Record.Runs) != c.runs {
			t.Errorf("%s: %d runs, want %d", c.name, len(f.Record.Runs), c.runs)
		}
	}
}

func TestHeadMayArriveAtOtherWeights(t *testing.T) {
	w := &world{edit: func(r *record.Run, role string, _ int) {
		if role == "head" {
			r.WeightsDigest = "other"
		}
	}}
	if f := found(t, w, func(o *check.Options) { o.Base.Name = "fitbench" }, "fit@compiled"); f.Verdict != verdict.Same {
		t.Error(f.Verdict)
	}
}

func TestWorkIsAddedToHeadAlone(t *testing.T) {
	f := found(t, &world{}, func(o *check.Options) { o.Inject = "fit@compiled=10%" }, "fit@compiled", "generator@compiled")
	for _, r := range f.Record.Runs {
		if want := r.Role == "head" && r.Cell() == fit; (r.Injected != "") != want {
			t.Errorf("%s of %s: %q", r.Cell(), r.Role, r.Injected)
		}
	}
	if w := f.Report("a", "b").Warnings; len(w) != 1 || !strings.Contains(w[0], "added to head on purpose (fit@compiled=10%)") {
		t.Errorf("warnings %q", w)
	}
}

func TestWhatCannotBeCheckedIsToldBeforeAnythingRuns(t *testing.T) {
	for want, change := range map[string]func(*check.Options){
		"0 gates":        func(o *check.Options) { o.Gates = nil },
		"least change 0": func(o *check.Options) { o.MinChange = 0 },
		`"generator@compiled=10%" is for a mode that is not run`: func(o *check.Options) { o.Inject = "generator@compiled=10%" },
		"as in fit@compiled=10%":                                 func(o *check.Options) { o.Inject = "fit" },
	} {
		w := &world{}
		o := optionsOf(t, w, "fit@compiled")
		change(&o)
		if _, err := check.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) || w.runs > 0 {
			t.Errorf("%v after %d runs, want %q", err, w.runs, want)
		}
	}
}

func TestARecordThatCannotBeSavedIsAnError(t *testing.T) {
	o := optionsOf(t, &world{}, "fit@compiled")
	o.Save = func(record.Record) error { return errors.New("full") }
	if _, err := check.Run(t.Context(), o); !errors.As(err, new(*bench.SaveError)) {
		t.Error(err)
	}
}

func TestTheRecordNamesEnginesAndRoles(t *testing.T) {
	f := found(t, &world{}, nil, "fit@compiled")
	names := map[string]string{"base": "native:./old", "twin": "native:./old", "head": "fitbench"}
	for _, r := range f.Record.Runs {
		if names[r.Role] != r.Engine {
			t.Errorf("%s is %s", r.Role, r.Engine)
		}
	}
}
