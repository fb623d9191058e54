package summary_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

var (
	fit       = record.Cell{Mode: "fit", Execution: "compiled"}
	generator = record.Cell{Mode: "generator", Execution: "eager"}
)

// a run of a cell with a step of that many ms; its round is its place in the record.
func runOf(c record.Cell, ms float64) record.Run {
	return record.Run{
		Mode: c.Mode, Execution: c.Execution, Engine: "fitbench", BatchSize: 10, Steps: 5,
		StepMilliseconds: record.Of(ms), OtherCPUPercent: record.Of(1.0),
	}
}

func disturbed(r record.Run) record.Run {
	r.Disturbed = true
	return r
}

// unwatched is a run during which other load could not be measured.
func unwatched(r record.Run) record.Run {
	r.OtherCPUPercent = nil
	return r
}

func failed(r record.Run, err string) record.Run {
	r.Error = err
	return r
}

func recordOf(runs ...record.Run) record.Record {
	for i := range runs {
		runs[i].Round = i + 1
	}
	return record.Record{Plan: record.Plan{Samples: 105, BatchSize: 10, Steps: 5, Rounds: 5, Cells: []record.Cell{fit, generator}}, Runs: runs}
}

// cell is the record's cell; it must be there once.
func cell(t *testing.T, s summary.Summary, name record.Cell) summary.Cell {
	t.Helper()
	var found []summary.Cell
	for _, c := range s.Cells {
		if c.Cell == name {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d cells %s", len(found), name)
	}
	return found[0]
}

func near(t *testing.T, what string, got summary.Value, want float64) {
	t.Helper()
	if !got.OK || !(math.Abs(got.Median-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s is %+v, want %v", what, got, want)
	}
}

func TestDisturbedRunsAreLeftOutWhileThreeUndisturbedRemain(t *testing.T) {
	for _, c := range []struct {
		name       string
		runs       []record.Run
		used       int
		median     float64
		conclusive bool
		warnings   int
	}{
		{"none disturbed", []record.Run{runOf(fit, 28), runOf(fit, 29), runOf(fit, 30), runOf(fit, 31), runOf(fit, 32)}, 5, 30, true, 0},
		{"two of five disturbed", []record.Run{disturbed(runOf(fit, 90)), runOf(fit, 29), runOf(fit, 30), runOf(fit, 31), disturbed(runOf(fit, 80))}, 3, 30, true, 0},
		{"three of five disturbed", []record.Run{disturbed(runOf(fit, 90)), runOf(fit, 2), runOf(fit, 3), disturbed(runOf(fit, 70)), disturbed(runOf(fit, 80))}, 5, 70, false, 1},
		{"one round", []record.Run{runOf(fit, 7)}, 1, 7, true, 0},
		{"one disturbed round", []record.Run{disturbed(runOf(fit, 7))}, 1, 7, false, 1},
		{"two rounds", []record.Run{runOf(fit, 7), runOf(fit, 9)}, 2, 8, true, 0},
		{"unwatched runs", []record.Run{unwatched(runOf(fit, 7)), unwatched(runOf(fit, 9))}, 2, 8, true, 0},
		{"unwatched runs are no undisturbed rounds",
			[]record.Run{unwatched(runOf(fit, 1)), runOf(fit, 2), runOf(fit, 3), disturbed(runOf(fit, 8)), disturbed(runOf(fit, 9))}, 5, 3, false, 1},
		{"rounds far apart", []record.Run{runOf(fit, 10), runOf(fit, 15.1)}, 2, 12.55, true, 0}, // 2.55/12.55 = 20 %
		{"rounds too far apart", []record.Run{runOf(fit, 10), runOf(fit, 20)}, 2, 15, false, 1}, // 5/15 = 33 %
		{"a failed run is no undisturbed round", []record.Run{runOf(fit, 1), runOf(fit, 2), failed(runOf(fit, 3), "x"), disturbed(runOf(fit, 9))}, 3, 2, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := summary.Of(recordOf(c.runs...))
			got := cell(t, s, fit)
			near(t, "median", got.StepMilliseconds, c.median)
			if got.Used != c.used || got.Conclusive != c.conclusive || got.Runs != len(c.runs) || got.StepMilliseconds.N != c.used {
				t.Errorf("got %d of %d used, conclusive %v, N %d; want %d of %d, %v", got.Used, got.Runs, got.Conclusive, got.StepMilliseconds.N, c.used, len(c.runs), c.conclusive)
			}
			if len(s.Warnings) != c.warnings {
				t.Errorf("warnings: %v, want %d", s.Warnings, c.warnings)
			}
		})
	}
}

func TestAWarningNamesItsCellsAndSaysWhatHelps(t *testing.T) {
	for _, c := range []struct {
		name        string
		runs        []record.Run
		starts, has string
	}{
		{"all cells, every round", []record.Run{disturbed(runOf(fit, 1)), disturbed(runOf(generator, 2))}, "all cells: disturbed", "More rounds would not help"},
		{"one cell, one round of two", []record.Run{runOf(fit, 1), disturbed(runOf(fit, 1)), runOf(generator, 2)}, "fit@compiled: disturbed", "or take more --rounds"},
		{"two cells of three", []record.Run{disturbed(runOf(fit, 1)), disturbed(runOf(generator, 2)), runOf(record.Cell{Mode: "fit-windows"}, 1)},
			"fit@compiled, generator@eager: disturbed", "More rounds"},
		{"a spread", []record.Run{runOf(fit, 1), runOf(fit, 2), runOf(generator, 2)}, "fit@compiled: the rounds lie too far apart", "longer runs"},
	} {
		s := summary.Of(recordOf(c.runs...))
		if len(s.Warnings) != 1 {
			t.Fatalf("%s: %+v", c.name, s.Warnings)
		}
		if text := s.Warnings[0].String(); !strings.HasPrefix(text, c.starts) || !strings.Contains(text, c.has) {
			t.Errorf("%s: %q, want %q and %q", c.name, text, c.starts, c.has)
		}
	}
}

func TestFiguresAreApartOnlyBeyondBothSpreads(t *testing.T) {
	value := func(median, spread float64) summary.Value {
		return summary.Value{Median: median, Spread: spread, HasSpread: true, OK: true}
	}
	for _, c := range []struct {
		a, b summary.Value
		want bool
	}{
		{value(10, 0.1), value(12, 0.05), true},                                        // 2 > 1 + 0.6
		{value(10, 0.1), value(12, 0.1), false},                                        // 2 < 1 + 1.2
		{value(12, 0.1), value(10, 0.1), false},                                        // either way round
		{value(10, 0.1), summary.Value{}, false},                                       // not measured
		{summary.Value{Median: 1, OK: true}, summary.Value{Median: 2, OK: true}, true}, // one round each
	} {
		if got := c.a.ApartFrom(c.b); got != c.want {
			t.Errorf("%+v and %+v: %v", c.a, c.b, got)
		}
	}
}

func TestACellThatFailedTwiceRunningIsGivenUp(t *testing.T) {
	twice := []record.Run{failed(runOf(fit, 1), "a"), failed(runOf(fit, 1), "b"), runOf(generator, 2)}
	s := summary.Of(recordOf(twice...))
	if !cell(t, s, fit).GivenUp || cell(t, s, generator).GivenUp {
		t.Errorf("got %+v", s.Cells)
	}
	var texts []string
	for _, f := range s.Failures {
		texts = append(texts, f.String())
	}
	if want := []string{"fit@compiled, round 1: a", "fit@compiled, round 2 (not tried again after two failures): b"}; !slices.Equal(texts, want) {
		t.Errorf("failures %q, want %q", texts, want)
	}
	between := append(slices.Clone(twice[:1]), runOf(fit, 1), failed(runOf(fit, 1), "b"))
	if cell(t, summary.Of(recordOf(between...)), fit).GivenUp {
		t.Error("given up after one failure")
	}
	rec := recordOf(twice...)
	rec.Plan.Rounds = 2
	if cell(t, summary.Of(rec), fit).GivenUp {
		t.Error("given up although no round was left")
	}
}

func TestWorkThatWasInjectedIsWarnedOf(t *testing.T) {
	slow := runOf(fit, 2)
	slow.Injected = "fit@compiled=10%"
	s := summary.Of(recordOf(runOf(fit, 1), slow, runOf(generator, 1)))
	if cell(t, s, fit).Conclusive || !cell(t, s, generator).Conclusive {
		t.Error("a conclusion may rest on times that were added to, or not on others")
	}
	if len(s.Warnings) == 0 || !strings.Contains(s.Warnings[0].String(), "fit@compiled: work was added to these runs on purpose (fit@compiled=10%)") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestFailedRunsAreCountedAndInNoMedian(t *testing.T) {
	s := summary.Of(recordOf(failed(runOf(fit, 100), "out of memory"), runOf(fit, 2), failed(runOf(fit, 100), "out of memory"), failed(runOf(generator, 1), "killed")))
	f, g := cell(t, s, fit), cell(t, s, generator)
	near(t, "median", f.StepMilliseconds, 2)
	if f.Runs != 3 || f.Failed != 2 || f.Used != 1 || !f.Conclusive {
		t.Errorf("fit: %+v", f)
	}
	if g.Failed != 1 || g.Used != 0 || g.Conclusive || g.StepMilliseconds.OK {
		t.Errorf("generator: %+v", g)
	}
	want := []summary.Failure{
		{Cell: fit, Label: "fit@compiled", Rounds: []int{1, 3}, Error: "out of memory"},
		{Cell: generator, Label: "generator@eager", Rounds: []int{4}, Error: "killed"},
	}
	if fmt.Sprint(s.Failures) != fmt.Sprint(want) {
		t.Errorf("failures %v, want %v", s.Failures, want)
	}
}

func TestTimesFitIsTheRatioOfMedians(t *testing.T) {
	s := summary.Of(recordOf(runOf(fit, 2), runOf(fit, 1.8), runOf(fit, 2.2), runOf(generator, 9), runOf(generator, 9), runOf(generator, 8.1)))
	g := cell(t, s, generator)
	near(t, "times fit", g.TimesFit, 4.5)
	// Half the range over the median: 0.2/2 of fit and 0.45/9 of generator.
	if want := 0.1 + 0.05; !g.TimesFit.HasSpread || !(math.Abs(g.TimesFit.Spread-want) <= 1e-12) {
		t.Errorf("spread %+v, want %v", g.TimesFit, want)
	}
	near(t, "fit's own", cell(t, s, fit).TimesFit, 1)
}

func TestTimesFitIsAbsentWithoutFitOfTheSameEngineAndBatchSize(t *testing.T) {
	if c := cell(t, summary.Of(recordOf(runOf(generator, 9))), generator); c.TimesFit.OK {
		t.Errorf("without fit: %+v", c.TimesFit)
	}
	otherEngine, otherBatch := runOf(generator, 9), runOf(generator, 9)
	otherEngine.Engine, otherBatch.BatchSize = "keras", 20
	for _, r := range []record.Run{otherEngine, otherBatch} {
		s := summary.Of(recordOf(runOf(fit, 2), r))
		c, ok := s.Find(r.Engine, r.BatchSize, generator)
		if !ok || !c.StepMilliseconds.OK || c.TimesFit.OK {
			t.Errorf("engine %s, batch %d: found %v, %+v", r.Engine, r.BatchSize, ok, c.TimesFit)
		}
	}
}

func TestEpochTimeIsComputedFromStepsOrMeasured(t *testing.T) {
	s := summary.Of(recordOf(runOf(fit, 2)))
	c := cell(t, s, fit)
	near(t, "computed", c.EpochSeconds, 0.020) // floor(105/10) steps of 2 ms
	if !c.EpochComputed {
		t.Error("not marked as computed")
	}

	whole, cut := runOf(fit, 2), runOf(fit, 2)
	whole.Epochs = []record.Epoch{{WallSeconds: 3}, {WallSeconds: 4}}
	cut.Epochs = whole.Epochs[:1]
	rec := recordOf(whole, cut)
	rec.Plan.Steps, rec.Plan.Epochs = 0, 2
	c = cell(t, summary.Of(rec), fit)
	near(t, "measured", c.EpochSeconds, 7)
	if c.EpochComputed || c.EpochSeconds.N != 1 {
		t.Errorf("got %+v, computed %v", c.EpochSeconds, c.EpochComputed)
	}
}

func TestEachFigureIsTheMedianOfItsOwnField(t *testing.T) {
	r := runOf(generator, 1)
	r.InputWaitSeconds, r.SteadyCPUPercent = record.Of(0.010), record.Of(3.0) // 5 steps: 2 and 4 ms each
	r.StepSeconds, r.Phases.Build = record.Of(0.020), record.Of(5.0)
	r.PeakRSSBytes, r.FeedBytes = record.Of(int64(6)), record.Of(int64(7))
	r.OpsPerStep, r.TensorBytesPerStep, r.CopiedBytesPerStep = record.Of(int64(8)), record.Of(int64(9)), record.Of(int64(10))
	r.StepSplit = &record.StepSplit{Dispatch: 11, Allocation: 12, Casts: 13, Arithmetic: 14}
	r.Loss, r.Accuracy, r.ClassOneShare = record.Of(15.0), record.Of(16.0), record.Of(17.0)
	c := cell(t, summary.Of(recordOf(r)), generator)
	for i, v := range []summary.Value{
		c.StepMilliseconds, c.WaitMeanMilliseconds, c.SteadyCPUPercent, c.ComputeMeanMilliseconds, c.BuildSeconds,
		c.PeakRSSBytes, c.FeedBytes, c.OpsPerStep, c.TensorBytesPerStep, c.CopiedBytesPerStep,
		c.Split.Dispatch, c.Split.Allocation, c.Split.Casts, c.Split.Arithmetic, c.Loss, c.Accuracy, c.ClassOneShare,
	} {
		near(t, fmt.Sprintf("figure %d", i), v, float64(i+1))
		if v.HasSpread {
			t.Errorf("figure %d of one round has a spread", i)
		}
	}
}

func TestWhatNoRunMeasuredIsAbsent(t *testing.T) {
	nan := runOf(generator, math.NaN())
	c := cell(t, summary.Of(recordOf(runOf(fit, 1), nan)), generator)
	for i, v := range []summary.Value{c.StepMilliseconds, c.TimesFit, c.EpochSeconds, c.PeakRSSBytes, c.FeedBytes, c.Split.Casts, c.Loss} {
		if v.OK {
			t.Errorf("figure %d is %+v", i, v)
		}
	}
}

func TestCellsComeInThePlansOrderThenUnplannedOnes(t *testing.T) {
	extra := record.Cell{Mode: "fit-windows", Execution: "compiled"}
	s := summary.Of(recordOf(runOf(extra, 1), runOf(generator, 1)))
	var got []string
	for _, c := range s.Cells {
		got = append(got, fmt.Sprintf("%s %d", c.Cell, c.Runs))
	}
	if want := "[fit@compiled 0 generator@eager 1 fit-windows@compiled 1]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if none := summary.Of(recordOf()); len(none.Cells) != 2 || none.Cells[0].Conclusive {
		t.Errorf("of no runs: %+v", none.Cells)
	}
}

// Another engine of the plan may not be able to do them.
func TestSeveralStepsACallAreACellOnceTheyHaveRun(t *testing.T) {
	several := fit
	several.StepsPerExecution = 16
	one, together := runOf(fit, 2), runOf(fit, 1)
	together.StepsPerExecution, together.Engine = 16, "keras"
	rec := recordOf(one, together)
	rec.Plan.Cells = []record.Cell{fit, several}
	s := summary.Of(rec)
	if _, there := s.Find("fitbench", 10, several); there {
		t.Error("fitbench has the cell")
	}
	c, there := s.Find("keras", 10, several)
	if !there || c.StepMilliseconds.Median != 1 || c.Label != "fit/16@compiled by keras" {
		t.Errorf("there %v: %+v", there, c)
	}
	if one, _ := s.Find("keras", 10, fit); one.Runs != 0 {
		t.Errorf("the run counts as one of fit@compiled: %+v", one)
	}
}

func TestEnginesComeInThePlansOrderWhateverRanFirst(t *testing.T) {
	own, keras := runOf(fit, 2), runOf(fit, 3)
	keras.Engine = "keras:/py"
	for _, engines := range [][]string{{"native", "keras:/py"}, {"keras:/py", "native"}} {
		rec := recordOf(keras, own)
		rec.Plan.Engines = engines
		if first := summary.Of(rec).Cells[0].Engine; (first == "fitbench") != (engines[0] == "native") {
			t.Errorf("%q: %s comes first", engines, first)
		}
	}
}
