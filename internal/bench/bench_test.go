package bench_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/bench"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// fakeEngine runs what do says, on equal footing unless that says otherwise.
type fakeEngine struct {
	jobs []engine.Job
	do   func(job engine.Job, run *record.Run, observe func(modes.Event))
}

func (f *fakeEngine) Run(_ context.Context, job engine.Job, observe func(modes.Event)) record.Run {
	f.jobs = append(f.jobs, job)
	run := record.Run{
		Mode: job.Cell.Mode, Execution: job.Cell.Execution, Round: job.Round, Engine: "fake", Kernel: "go",
		Steps: job.Plan.Steps, OrderDigest: "0rder", WeightsDigest: "w" + job.Cell.Execution,
	}
	if f.do != nil {
		f.do(job, &run, observe)
	}
	return run
}

// one is the only engine of a benchmark.
func one(e engine.Engine) []bench.Contender { return []bench.Contender{{Name: "fake", Engine: e}} }

// names are the runs as "fit@compiled 1".
func names(runs []record.Run) []string {
	var names []string
	for _, r := range runs {
		names = append(names, fmt.Sprintf("%s %d", r.Cell(), r.Round))
	}
	return names
}

// plan has these cells in that many rounds of 100 steps.
func plan(rounds int, cells ...string) record.Plan {
	p := record.Plan{Samples: 1000, BatchSize: 10, Steps: 100, Rounds: rounds}
	for _, name := range cells {
		mode, execution, _ := strings.Cut(name, "@")
		p.Cells = append(p.Cells, record.Cell{Mode: mode, Execution: execution})
	}
	return p
}

func TestAnEngineIsNotAskedForWhatItCannotDo(t *testing.T) {
	able, other := &fakeEngine{}, &fakeEngine{}
	can := func(c record.Cell) bool { return c.Mode != "b" }
	rec, err := bench.Run(t.Context(), bench.Options{
		Plan:    plan(1, "a@compiled", "b@compiled"),
		Engines: []bench.Contender{{Name: "able", Engine: able}, {Name: "other", Engine: other, Can: can}},
	})
	if err != nil || len(rec.Runs) != 3 || len(able.jobs) != 2 || len(other.jobs) != 1 || other.jobs[0].Cell.Mode != "a" {
		t.Errorf("%v: %v, of the other engine %d", err, names(rec.Runs), len(other.jobs))
	}
}

func TestRunInterleavesTheRoundsInTheBalancedOrder(t *testing.T) {
	e, p := &fakeEngine{}, plan(2, "a@compiled", "b@compiled", "c@compiled", "d@eager")
	environment := record.Environment{CPUModel: "abacus"}
	got, err := bench.Run(t.Context(), bench.Options{Plan: p, Environment: environment, Engines: one(e), CPUProfile: "folder"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a@compiled 1", "b@compiled 1", "d@eager 1", "c@compiled 1",
		"c@compiled 2", "d@eager 2", "b@compiled 2", "a@compiled 2",
	}
	if !slices.Equal(names(got.Runs), want) {
		t.Errorf("runs %v, want %v", names(got.Runs), want)
	}
	if got.SchemaVersion != 1 || !reflect.DeepEqual(got.Plan, p) || got.Environment != environment {
		t.Errorf("the record does not say what was asked, or where: %+v", got)
	}
	if !reflect.DeepEqual(e.jobs[0], engine.Job{Plan: p, Cell: p.Cells[0], Round: 1, CPUProfile: "folder"}) {
		t.Errorf("job %+v", e.jobs[0])
	}
}

func TestEveryEngineDoesEveryCellAtEverySize(t *testing.T) {
	p := plan(3, "a@eager", "b@eager")
	p.BatchSize, p.BatchSizes, p.SamplesPerRun, p.Engines = 0, []int{5, 50}, 500, []string{"old", "new"}
	engines := map[string]*fakeEngine{"old": {}, "new": {}}
	got, err := bench.Run(t.Context(), bench.Options{Plan: p, Engines: []bench.Contender{
		{Name: "old", Engine: engines["old"]}, {Name: "new", Engine: engines["new"]},
	}})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range got.Runs {
		count[fmt.Sprintf("%s %d %s %d", r.Engine, r.BatchSize, r.Cell(), r.Round)]++
	}
	if len(got.Runs) != 2*2*2*3 || len(count) != len(got.Runs) {
		t.Errorf("%d runs, %d different ones; want 24", len(got.Runs), len(count))
	}
	for name, e := range engines {
		for _, job := range e.jobs {
			if want := map[int]int{5: 100, 50: 20}[job.Plan.BatchSize]; job.Plan.Steps != want || len(job.Plan.Sizes()) != 1 {
				t.Errorf("%s was given %d steps of %d samples", name, job.Plan.Steps, job.Plan.BatchSize)
			}
		}
	}
}

// Of six runs the first two have been done, the second failed; a third is of another size and a fourth of a round too many.
func TestABenchmarkGoesOnWithTheRunsThatAreDone(t *testing.T) {
	p := plan(3, "a@eager", "b@eager")
	first, err := bench.Run(t.Context(), bench.Options{Plan: p, Engines: one(&fakeEngine{})})
	if err != nil {
		t.Fatal(err)
	}
	done := slices.Clone(first.Runs[:4])
	done[1].Error, done[2].BatchSize, done[3].Round = "killed", 11, 4
	done = append(done, done[0])
	e := &fakeEngine{}
	if n := bench.Missing(bench.Options{Plan: p, Engines: one(e), Done: done}); n != 5 {
		t.Errorf("%d runs are missing, want 5", n)
	}
	rest, err := bench.Run(t.Context(), bench.Options{Plan: p, Engines: one(e), Done: done})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.jobs) != 5 || !slices.Equal(names(rest.Runs), names(first.Runs)) {
		t.Errorf("%d runs were done; in all %v, want %v", len(e.jobs), names(rest.Runs), names(first.Runs))
	}
}

// The loop takes 1 s, then 2 s and so on: 1.5 around the first run, 3.5 around the second.
func TestTheReferenceIsTimedAroundEachRun(t *testing.T) {
	times := 0.0
	got, err := bench.Run(t.Context(), bench.Options{Plan: plan(1, "a@eager", "b@eager"), Engines: one(&fakeEngine{}), Reference: func() float64 {
		times++
		return times
	}})
	if err != nil || *got.Runs[0].ReferenceSeconds != 1.5 || *got.Runs[1].ReferenceSeconds != 3.5 {
		t.Errorf("%v, %v (%v)", *got.Runs[0].ReferenceSeconds, *got.Runs[1].ReferenceSeconds, err)
	}
}

func TestAFailedRunIsKeptAndEndsNothing(t *testing.T) {
	e := &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if job.Cell.Mode == "a" && job.Round == 1 {
			run.Error, run.OrderDigest = "killed", "other"
		}
	}}
	got, err := bench.Run(t.Context(), bench.Options{Plan: plan(2, "a@eager", "b@eager"), Engines: one(e)})
	if err != nil || !slices.Equal(names(got.Runs), []string{"a@eager 1", "b@eager 1", "b@eager 2", "a@eager 2"}) || got.Runs[0].Error != "killed" {
		t.Errorf("runs %v, first error %q, error %v", names(got.Runs), got.Runs[0].Error, err)
	}
}

func TestACellThatFailsTwiceRunningIsGivenUp(t *testing.T) {
	fails := map[string][]int{"a": {1, 2}, "b": {1, 3}}
	e := &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if slices.Contains(fails[job.Cell.Mode], job.Round) {
			run.Error = "no memory"
		}
	}}
	var last bench.Progress
	got, err := bench.Run(t.Context(), bench.Options{
		Plan: plan(4, "a@eager", "b@eager"), Engines: one(e), Observe: func(p bench.Progress) { last = p },
	})
	want := []string{"a@eager 1", "b@eager 1", "b@eager 2", "a@eager 2", "b@eager 3", "b@eager 4"}
	if err != nil || !slices.Equal(names(got.Runs), want) {
		t.Errorf("runs %v, %v; want %v", names(got.Runs), err, want)
	}
	if last.RunsDone != 6 || last.RunsTotal != 6 {
		t.Errorf("at the end %d of %d runs are done, want 6 of 6", last.RunsDone, last.RunsTotal)
	}
}

func TestAnInterruptionKeepsTheFinishedRunsAndReturnsItsCause(t *testing.T) {
	cause := errors.New("SIGTERM")
	for _, c := range []struct {
		rule string
		do   func(run *record.Run)
		want int
	}{
		{"the unfinished run is dropped", func(run *record.Run) { run.Error = "interrupted" }, 2},
		{"a run that finished all the same is kept", func(*record.Run) {}, 3},
	} {
		t.Run(c.rule, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			e := &fakeEngine{}
			e.do = func(_ engine.Job, run *record.Run, _ func(modes.Event)) {
				if len(e.jobs) == 3 {
					cancel(cause)
					c.do(run)
				}
			}
			saves := 0
			got, err := bench.Run(ctx, bench.Options{
				Plan: plan(5, "a@eager", "b@eager"), Engines: one(e), Save: func(record.Record) error { saves++; return nil },
			})
			if err != cause || len(got.Runs) != c.want || len(e.jobs) != 3 || saves != c.want {
				t.Errorf("%d runs of %d jobs in %d saves, error %v; want %d of 3 and the cause", len(got.Runs), len(e.jobs), saves, err, c.want)
			}
		})
	}
}

func TestNothingIsRunUnderACancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := &fakeEngine{}
	if got, err := bench.Run(ctx, bench.Options{Plan: plan(1, "a@eager"), Engines: one(e)}); !errors.Is(err, context.Canceled) || len(got.Runs)+len(e.jobs) != 0 {
		t.Errorf("error %v, %d jobs", err, len(e.jobs))
	}
}

func TestTheRecordIsSavedAfterEachRun(t *testing.T) {
	var saved []string
	_, err := bench.Run(t.Context(), bench.Options{Plan: plan(2, "a@eager", "b@eager"), Engines: one(&fakeEngine{}), Save: func(r record.Record) error {
		saved = append(saved, strings.Join(names(r.Runs), ","))
		return nil
	}})
	want := []string{
		"a@eager 1", "a@eager 1,b@eager 1", "a@eager 1,b@eager 1,b@eager 2", "a@eager 1,b@eager 1,b@eager 2,a@eager 2",
	}
	if err != nil || !slices.Equal(saved, want) {
		t.Errorf("saved %q, %v; want %q", saved, err, want)
	}
}

func TestARecordThatCannotBeSavedEndsTheBenchmark(t *testing.T) {
	full := errors.New("no space left on device")
	e := &fakeEngine{}
	got, err := bench.Run(t.Context(), bench.Options{Plan: plan(2, "a@eager", "b@eager"), Engines: one(e), Save: func(r record.Record) error {
		if len(r.Runs) == 2 {
			return full
		}
		return nil
	}})
	var failure *bench.SaveError
	if !errors.As(err, &failure) || !errors.Is(err, full) || len(e.jobs) != 2 || len(got.Runs) != 2 {
		t.Errorf("error %v after %d jobs with %d runs; want a SaveError after 2 with both", err, len(e.jobs), len(got.Runs))
	}
}

func TestUnequalFootingIsAnErrorOfItsOwn(t *testing.T) {
	e := &fakeEngine{do: func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		if job.Cell.Mode == "b" && job.Round == 2 {
			run.OrderDigest = "another"
		}
	}}
	got, err := bench.Run(t.Context(), bench.Options{Plan: plan(2, "a@eager", "b@eager"), Engines: one(e)})
	var unequal *bench.FootingError
	if !errors.As(err, &unequal) || len(unequal.Differences) != 1 || !strings.Contains(err.Error(), "another in b@eager round 2") || len(got.Runs) != 4 {
		t.Errorf("error %v with %d runs", err, len(got.Runs))
	}
}

func TestAnInterruptionDoesNotHideAnUnequalFooting(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("SIGINT")
	e := &fakeEngine{}
	e.do = func(job engine.Job, run *record.Run, _ func(modes.Event)) {
		run.OrderDigest = job.Cell.Mode
		if len(e.jobs) == 3 {
			cancel(cause)
			run.Error = "interrupted"
		}
	}
	_, err := bench.Run(ctx, bench.Options{Plan: plan(2, "a@eager", "b@eager"), Engines: one(e)})
	var unequal *bench.FootingError
	if !errors.Is(err, cause) || !errors.As(err, &unequal) {
		t.Errorf("error %v", err)
	}
}
