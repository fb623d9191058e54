package parity

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// fake is an engine that answers a job as it likes.
type fake func(job engine.Job) record.Run

func (f fake) Run(_ context.Context, job engine.Job, _ func(modes.Event)) record.Run {
	run := f(job)
	run.Mode, run.Execution, run.StepsPerExecution = job.Cell.Mode, job.Cell.Execution, job.Cell.StepsPerExecution
	return run
}

// tells is an engine of version 1 with these losses and the same series.
func tells(losses ...float64) fake {
	return func(engine.Job) record.Run {
		return record.Run{EngineVersion: "Fake 1", StepLosses: losses, SeriesDifference: record.Of(0.0)}
	}
}

func fails(why string) fake {
	return func(engine.Job) record.Run { return record.Run{EngineVersion: "Fake 1", Error: why} }
}

// smallPlan has epochs of three steps.
func smallPlan(steps int) record.Plan {
	return record.Plan{
		Samples: 30, Window: 13, Anomalies: 2, Noise: 0.2, Shift: 0.5, Seed: 4, BatchSize: 10, Steps: steps, Rounds: 1, Threads: 1, Workers: 1, QueueSize: 1,
	}
}

func cells(names ...string) (all []record.Cell) {
	for _, name := range names {
		way, execution, _ := strings.Cut(name, "@")
		mode, several, _ := strings.Cut(way, "/")
		n, _ := strconv.Atoi(several) // 0 for none
		all = append(all, record.Cell{Mode: mode, Execution: execution, StepsPerExecution: n})
	}
	return all
}

// lines compares one engine's cells with native losses, and returns what was told.
func lines(t *testing.T, plan record.Plan, native, other fake, names ...string) ([]string, Summary) {
	t.Helper()
	var told []string
	summary, err := Run(t.Context(), Options{
		Plan: plan, Native: native, Contenders: []Contender{{"other", other, cells(names...)}},
		Tell: func(l Line) {
			var text strings.Builder
			if err := l.Print(&text); err != nil {
				t.Error(err)
			}
			told = append(told, text.String())
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return told, summary
}

func TestLossesAreComparedStepByStep(t *testing.T) {
	const series = "ok    other (Fake 1), series:       anomalies, classes and orders equal, values   0         tolerance 1e-12, absolute\n"
	for name, c := range map[string]struct {
		losses []float64
		want   string
	}{
		"equal":  {[]float64{0.75, 0.5}, "ok    other (Fake 1), fit@compiled: losses of 2 steps   0         tolerance 0.0005, absolute\n"},
		"within": {[]float64{0.75, 0.5001}, "ok    other (Fake 1), fit@compiled: losses of 2 steps   0.0001    tolerance 0.0005, absolute\n"},
		"beyond": {[]float64{0.7494, 0.5}, "FAIL  other (Fake 1), fit@compiled: losses of 2 steps   0.0006    tolerance 0.0005, absolute; the first beyond it is figure 1\n"},
		"no number": {[]float64{0.75, math.NaN()},
			"FAIL  other (Fake 1), fit@compiled: losses of 2 steps   NaN       tolerance 0.0005, absolute; the first beyond it is figure 2\n"},
		"too few": {[]float64{0.75}, "FAIL  other (Fake 1), fit@compiled: 1 losses; 2 steps have as many\n"},
	} {
		told, summary := lines(t, smallPlan(2), tells(0.75, 0.5), tells(c.losses...), "fit@compiled")
		if !slices.Equal(told, []string{c.want, series}) {
			t.Errorf("%s: told %q", name, told)
		}
		if passes := strings.HasPrefix(c.want, "ok"); summary.OK() != passes {
			t.Errorf("%s: %+v", name, summary)
		}
	}
}

// The tolerance itself is within it; the next larger number is not.
func TestTheToleranceIsTheLargestDifferenceThatPasses(t *testing.T) {
	for difference, want := range map[float64]int{LossTolerance: 0, math.Nextafter(LossTolerance, 1): 2} {
		if largest, first := differ([]float64{1, difference, 0}, []float64{1, 0, 0}, LossTolerance); largest != difference || first != want {
			t.Errorf("%v: largest %v, first beyond %d, want %d", difference, largest, first, want)
		}
	}
}

func TestAFigureThatIsNoneStaysTheLargestDifference(t *testing.T) {
	if largest, first := differ([]float64{math.NaN(), 9}, []float64{1, 0}, 1); !math.IsNaN(largest) || first != 1 {
		t.Errorf("largest %v, first beyond %d", largest, first)
	}
	if largest, first := differ([]float64{2, math.NaN()}, []float64{0, 0}, 1); !math.IsNaN(largest) || first != 1 {
		t.Errorf("largest %v, first beyond %d", largest, first)
	}
}

func TestWhatCannotBeComparedOrFailedSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		error, want string
		outcome     Outcome
	}{
		"no order": {"cannot be ordered: its buffer shuffles", "--    other (Fake 1), fit@compiled: cannot be ordered: its buffer shuffles\n", NotCompared},
		"no order, by an exception": {"ValueError: cannot be ordered: its buffer shuffles",
			"--    other (Fake 1), fit@compiled: cannot be ordered: its buffer shuffles\n", NotCompared},
		"failed": {"out of memory", "FAIL  other (Fake 1), fit@compiled: out of memory\n", Failed},
	} {
		told, summary := lines(t, smallPlan(2), tells(0.75, 0.5), fails(c.error), "fit@compiled")
		if told[0] != c.want {
			t.Errorf("%s: told %q, want %q", name, told[0], c.want)
		}
		if failed := c.outcome == Failed; summary.OK() || (summary.Failed == 1) != failed {
			t.Errorf("%s: %+v", name, summary)
		}
	}
}

func TestAnEngineThatCannotBeUsedIsToldOnce(t *testing.T) {
	told, summary := lines(t, smallPlan(2), tells(0.75, 0.5), fails("keras cannot be used: no module"), "fit@compiled", "generator@compiled")
	if len(told) != 1 || told[0] != "FAIL  other (Fake 1), keras cannot be used: no module\n" || summary.OK() {
		t.Errorf("told %q, %+v", told, summary)
	}
}

func TestASeriesBeyondItsToleranceFails(t *testing.T) {
	for _, c := range []struct {
		difference float64
		want       string
	}{{1e-12, "ok"}, {1.1e-12, "FAIL"}, {math.NaN(), "FAIL"}} {
		other := fake(func(job engine.Job) record.Run {
			run := record.Run{StepLosses: []float64{0.75, 0.5}, SeriesDifference: record.Of(0.0)}
			if job.Cell.Mode == "fit" { // the largest of all runs counts
				run.SeriesDifference = &c.difference
			}
			return run
		})
		told, _ := lines(t, smallPlan(2), tells(0.75, 0.5), other, "fit@compiled", "generator@compiled")
		if len(told) != 3 || !strings.HasPrefix(told[2], c.want+" ") {
			t.Errorf("%v: told %q", c.difference, told)
		}
	}
}

// By hand: epochs of three steps, executions of two. 1, 2 | 3 and 4, 5 | end.
func TestRunningMeansAreTakenAtTheEndsOfExecutions(t *testing.T) {
	got := atBoundaries([]float64{1, 2, 3, 4, 6}, 3, 2)
	if want := []float64{1.5, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("means %v, want %v", got, want)
	}
	plan := smallPlan(5)
	told, _ := lines(t, plan, tells(1, 2, 3, 4, 6), tells(1.5, 2, 5), "fit/2@compiled")
	if !strings.HasPrefix(told[0], "ok    other (Fake 1), fit/2@compiled: mean losses after 3 executions of 2 steps   0 ") {
		t.Errorf("told %q", told)
	}
	told, _ = lines(t, plan, tells(1, 2, 3, 4, 6), tells(1, 2, 3, 4, 6), "train-on-batch@compiled") // a mode that runs one at a time
	if !strings.Contains(told[0], "losses of 5 steps   0 ") {
		t.Errorf("told %q", told)
	}
	told, _ = lines(t, plan, tells(1, 2, 3, 4, 6), tells(1.5, 2), "fit/2@compiled")
	if !strings.Contains(told[0], "FAIL") || !strings.Contains(told[0], "2 losses; 5 steps have as many, or 3 means") {
		t.Errorf("told %q", told)
	}
}

func TestEachExecutionIsHeldAgainstItsOwnNativeRunDoneOnce(t *testing.T) {
	byExecution := map[string][]float64{"compiled": {1, 2}, "eager": {3, 4}}
	var asked []string
	native := fake(func(job engine.Job) record.Run {
		asked = append(asked, job.Cell.Execution)
		return record.Run{StepLosses: byExecution[job.Cell.Execution]}
	})
	other := fake(func(job engine.Job) record.Run { return record.Run{StepLosses: byExecution[job.Cell.Execution]} })
	_, summary := lines(t, smallPlan(2), native, other, "fit@compiled", "fit@eager", "generator@compiled", "generator@eager")
	if summary != (Summary{Passed: 4, NotCompared: 1, Losses: 4}) || !slices.Equal(asked, []string{"compiled", "eager"}) {
		t.Errorf("%+v, native runs %q", summary, asked)
	}
}

func TestJobsAskForLossesAndBringTheNativeData(t *testing.T) {
	var job engine.Job
	plan := smallPlan(5) // two epochs
	plan.Engines, plan.Rounds = []string{"other"}, 5
	var sizes []int64
	lines(t, plan, tells(1, 2, 3, 4, 5), func(j engine.Job) record.Run {
		job = j
		for _, path := range []string{j.Series, j.Anomalies, j.Labels, j.Orders} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, info.Size())
		}
		return record.Run{StepLosses: []float64{1, 2, 3, 4, 5}}
	}, "fit@eager")
	if !job.Parity || job.Plan.Engines != nil || !slices.Equal(job.Plan.Cells, cells("fit@eager")) || job.Round != 1 || job.Plan.Rounds != 1 {
		t.Errorf("job %+v", job)
	}
	// 128 bytes of header each: 30 float64, 2 int32, 30 bytes, 2 x 30 int32.
	if want := []int64{128 + 240, 128 + 8, 128 + 30, 128 + 240}; !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
	if _, err := os.Stat(job.Series); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", job.Series, err)
	}
}

func TestWithoutLossesNothingCanBeCompared(t *testing.T) {
	run := func(native, other fake) error {
		_, err := Run(t.Context(), Options{
			Plan: smallPlan(2), Native: native, Tell: func(Line) {}, Contenders: []Contender{{"other", other, cells("fit@compiled")}},
		})
		return err
	}
	if none := new(NoLossesError); !errors.As(run(tells(1, 2), tells()), &none) || none.Engine != "other" {
		t.Errorf("error %v", run(tells(1, 2), tells()))
	}
	for want, native := range map[string]fake{"failed: no memory": fails("no memory"), "told 1 losses of 2 steps": tells(1)} {
		if err := run(native, tells(1, 2)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestAnInterruptionEndsTheComparisonWithItsCause(t *testing.T) {
	stopped := errors.New("Ctrl-C")
	for _, during := range []string{"native", "other"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := func(who string) fake {
			return func(engine.Job) record.Run {
				if who == during {
					cancel(stopped)
				}
				return record.Run{StepLosses: []float64{1, 2}}
			}
		}
		_, err := Run(ctx, Options{
			Plan: smallPlan(2), Native: stop("native"), Contenders: []Contender{{"other", stop("other"), cells("fit@compiled")}},
			Tell: func(l Line) { t.Errorf("%s: told %q", during, l.Text) },
		})
		if err != stopped {
			t.Errorf("%s: error %v", during, err)
		}
	}
}

func TestTheLastLineCounts(t *testing.T) {
	for want, s := range map[string]Summary{
		"7 checks, all passed":                 {Passed: 7, Losses: 6},
		"7 checks, all passed; 2 not compared": {Passed: 7, NotCompared: 2, Losses: 1},
		"1 of 7 checks failed; 2 not compared": {Passed: 6, Failed: 1, NotCompared: 2, Losses: 5},
		"nothing was compared; 1 not compared": {Passed: 1, NotCompared: 1}, // the series alone
		"nothing was compared; 3 not compared": {NotCompared: 3},
	} {
		if s.String() != want || s.OK() != strings.HasPrefix(want, "7 checks") {
			t.Errorf("%+v: %q, OK %v", s, s, s.OK())
		}
	}
}
