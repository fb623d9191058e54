package baseline_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fitbench/internal/baseline"
	"fitbench/internal/record"
	"fitbench/internal/verdict"
)

// line is the result's line of a figure of a cell.
func line(t *testing.T, r baseline.Result, cell record.Cell, figure string) baseline.Line {
	t.Helper()
	for _, l := range r.Lines {
		if l.Cell == cell.String() && l.Figure == figure {
			return l
		}
	}
	t.Fatalf("no line of %s of %s: %+v", figure, cell, r)
	return baseline.Line{}
}

func has(r baseline.Result, figure string) bool {
	for _, l := range r.Lines {
		if l.Figure == figure {
			return true
		}
	}
	return false
}

func TestARecordAgainstItselfIsTheSameInEveryFigure(t *testing.T) {
	r := baseline.Check(good(), good(), baseline.Options{})
	if r.Err != nil || r.Verdict != verdict.Same || len(r.Notes) > 0 {
		t.Fatalf("%+v", r)
	}
	if len(r.Lines) != 2*5 {
		t.Errorf("%d lines, want 3 counts, memory and step of 2 cells", len(r.Lines))
	}
	for _, l := range r.Lines {
		if l.Verdict != verdict.Same || l.Change != nil && *l.Change != 0 {
			t.Errorf("%+v", l)
		}
	}
}

func TestTheVerdictOfOneFigureThatChanged(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(*record.Record)
		cell    record.Cell
		figure  string
		verdict verdict.Verdict
	}{
		{"an operation more", each(generator, func(r *record.Run) { *r.OpsPerStep++ }), generator, "operations a step", verdict.Regressed},
		{"an operation fewer", each(generator, func(r *record.Run) { *r.OpsPerStep-- }), generator, "operations a step", verdict.Improved},
		{"a byte of tensors more", each(generator, func(r *record.Run) { *r.TensorBytesPerStep++ }), generator, "tensor bytes a step", verdict.Regressed},
		{"a byte copied where there was none", each(fit, func(r *record.Run) { *r.CopiedBytesPerStep++ }), fit, "bytes copied a step", verdict.Regressed},
		{"a count in one round only", func(rec *record.Record) { *rec.Runs[0].OpsPerStep++ }, fit, "operations a step", verdict.Inconclusive},
		{"a count that is gone", each(fit, func(r *record.Run) { r.OpsPerStep = nil }), fit, "operations a step", verdict.Inconclusive},
		{"memory at the band", each(fit, func(r *record.Run) { *r.PeakRSSBytes = 42e6 }), fit, "peak memory", verdict.Same},
		{"memory over the band", each(fit, func(r *record.Run) { *r.PeakRSSBytes = 42e6 + 1 }), fit, "peak memory", verdict.Regressed},
		{"memory under the band", each(fit, func(r *record.Run) { *r.PeakRSSBytes = 38e6 }), fit, "peak memory", verdict.Improved},
		{"memory that is gone", each(fit, func(r *record.Run) { r.PeakRSSBytes = nil }), fit, "peak memory", verdict.Inconclusive},
		{"10 % slower", slower(fit, 1.10), fit, "step", verdict.Regressed},
		{"10 % quicker", slower(fit, 0.90), fit, "step", verdict.Improved},
		{"3 % slower", slower(fit, 1.03), fit, "step", verdict.Same},
		{"4.8 % slower", slower(fit, 1.048), fit, "step", verdict.Inconclusive},
		{"10 % slower, once", func(rec *record.Record) { *rec.Runs[0].StepMilliseconds *= 1.1 }, fit, "step", verdict.Inconclusive},
		{"20 % slower, but in one round of three twice as quick", each(fit, func(r *record.Run) {
			*r.StepMilliseconds *= []float64{1.2, 0.5, 1.2}[r.Round%3]
		}), fit, "step", verdict.Inconclusive},
		{"disturbed throughout", each(fit, func(r *record.Run) { r.Disturbed = true }), fit, "step", verdict.Inconclusive},
		{"not timed", each(fit, func(r *record.Run) { r.StepMilliseconds = nil }), fit, "step", verdict.Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := baseline.Check(good(), edited(c.edit), baseline.Options{})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if got := line(t, r, c.cell, c.figure); got.Verdict != c.verdict {
				t.Errorf("%+v, want %s", got, c.verdict)
			}
			if r.Verdict != c.verdict {
				t.Errorf("the whole is %s", r.Verdict)
			}
			for _, l := range r.Lines {
				if (l.Cell != c.cell.String() || l.Figure != c.figure) && l.Verdict != verdict.Same {
					t.Errorf("another figure changed: %+v", l)
				}
			}
		})
	}
}

func TestTheWholeIsAsBadAsItsWorstFigure(t *testing.T) {
	quicker := slower(generator, 0.8)
	for _, c := range []struct {
		edit func(*record.Record)
		want verdict.Verdict
	}{
		{slower(fit, 1), verdict.Improved},
		{slower(fit, 1.048), verdict.Inconclusive},
		{each(fit, func(r *record.Run) { *r.OpsPerStep++ }), verdict.Regressed},
	} {
		if r := baseline.Check(good(), edited(func(rec *record.Record) { quicker(rec); c.edit(rec) }), baseline.Options{}); r.Verdict != c.want {
			t.Errorf("%s, want %s", r.Verdict, c.want)
		}
	}
	bare := edited(all(func(r *record.Run) {
		r.OpsPerStep, r.TensorBytesPerStep, r.CopiedBytesPerStep, r.PeakRSSBytes, r.ReferenceSeconds = nil, nil, nil, nil, nil
	}))
	if r := baseline.Check(bare, bare, baseline.Options{}); r.Verdict != verdict.Inconclusive || len(r.Lines) > 0 {
		t.Errorf("without anything to compare: %+v", r)
	}
}

func TestATimeIsAMultipleOfItsOwnReferenceLoop(t *testing.T) {
	slowMachine := edited(all(func(r *record.Run) { *r.StepMilliseconds *= 1.5; *r.ReferenceSeconds *= 1.5 }))
	r := baseline.Check(good(), slowMachine, baseline.Options{})
	l := line(t, r, fit, "step")
	if r.Verdict != verdict.Same || !(math.Abs(*l.Change) <= 1e-12) {
		t.Errorf("a machine that is slower in both: %+v", l)
	}
	if want := 0.1 * 1.006 / 1e3 / 0.025; l.Base == nil || !(math.Abs(*l.Base-want) <= 1e-12) || l.Unit != "reference loops" {
		t.Errorf("the median is %v %s, want %v", *l.Base, l.Unit, want)
	}
	quickLoop := edited(all(func(r *record.Run) { *r.ReferenceSeconds /= 1.1 }))
	if r := baseline.Check(good(), quickLoop, baseline.Options{}); r.Verdict != verdict.Regressed {
		t.Errorf("a quicker loop alone: %s", r.Verdict)
	}
}

func TestTimesAreNotComparedAcrossMachinesAndTheReasonIsTold(t *testing.T) {
	// The steps are twice as slow: only where times are not compared is that no regression.
	for _, c := range []struct {
		name string
		edit func(*record.Record)
		says string
	}{
		{"CPU model", func(rec *record.Record) { rec.Environment.CPUModel = "Xeon" }, "not the same CPU model (CPU model: AMD EPYC in the baseline, Xeon here)"},
		{"CPU model unknown here", func(rec *record.Record) { rec.Environment.CPUModel = "" }, "not the same CPU model"},
		{"usable cores", func(rec *record.Record) { rec.Environment.UsableCores = 1 }, "not the same usable cores"},
		{"cores online", func(rec *record.Record) { rec.Environment.OnlineCores = 64 }, "not the same cores online"},
		{"kernel", func(rec *record.Record) {
			rec.Environment.Kernel = "go"
			all(func(r *record.Run) { r.Kernel = "go" })(rec)
		}, "not the same kernel"},
		{"threads", func(rec *record.Record) { rec.Plan.Threads = 1 }, "not the same threads"},
		{"Go", func(rec *record.Record) { rec.Environment.Go = "go1.27" }, "not the same Go"},
		{"no loop", all(func(r *record.Run) { r.ReferenceSeconds = nil }), "this run has no reference_seconds"},
		{"one round", rounds(1), "this run has one round only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			head := edited(func(rec *record.Record) { slower(fit, 2)(rec); c.edit(rec) })
			r := baseline.Check(good(), head, baseline.Options{})
			if r.Err != nil || r.Verdict != verdict.Same || has(r, "step") {
				t.Errorf("%+v", r)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "cannot compare times: "+c.says) {
				t.Errorf("notes %q, want %q", notes, c.says)
			}
			back := baseline.Check(head, good(), baseline.Options{}) // the same the other way round
			if back.Err != nil || has(back, "step") {
				t.Errorf("with the two exchanged: %+v", back)
			}
		})
	}
	unknown := edited(func(rec *record.Record) { rec.Environment.CPUModel = "" })
	if r := baseline.Check(unknown, unknown, baseline.Options{}); has(r, "step") || !strings.Contains(strings.Join(r.Notes, "\n"), "CPU model not known") {
		t.Errorf("CPU models that are not known were taken for the same: %+v", r)
	}
}

func TestTooFewRoundsForAnIntervalDecideNothingAboutTimes(t *testing.T) {
	few := edited(func(rec *record.Record) { rounds(3)(rec); slower(fit, 2)(rec) })
	r := baseline.Check(good(), few, baseline.Options{})
	l := line(t, r, fit, "step")
	if l.Verdict != verdict.Inconclusive || l.Low != nil || !strings.Contains(l.Note, "5 against 3 rounds are too few") {
		t.Errorf("%+v", l)
	}
}

// Of six times each may be wrong in 1/6 % of checks on either side: five rounds against five have 1/252 (Mann-Whitney), six have 1/924.
func TestTheMoreTimesTheWiderTheirIntervals(t *testing.T) {
	cells := func(n, rounds int) func(*record.Record) {
		return func(rec *record.Record) {
			rec.Plan.Rounds, rec.Plan.Cells, rec.Runs = rounds, nil, nil
			for i := range n {
				c := record.Cell{Mode: fmt.Sprint("m", i), Execution: "compiled"}
				rec.Plan.Cells = append(rec.Plan.Cells, c)
				for round := range rounds {
					r := good().Runs[0]
					r.Mode, r.Round = c.Mode, round+1
					rec.Runs = append(rec.Runs, r)
				}
			}
		}
	}
	for _, c := range []struct {
		cells, rounds int
		want          verdict.Verdict
		note          string
	}{
		{2, 5, verdict.Same, ""},
		{6, 5, verdict.Inconclusive, "5 against 5 rounds are too few for an interval at 99.6667 %"},
		{6, 6, verdict.Same, ""},
		{1, 4, verdict.Inconclusive, "4 against 4 rounds are too few for an interval at 98 %"},
	} {
		rec := edited(cells(c.cells, c.rounds))
		r := baseline.Check(rec, rec, baseline.Options{})
		if r.Err != nil || r.Verdict != c.want {
			t.Fatalf("%d cells, %d rounds: %+v", c.cells, c.rounds, r)
		}
		if l := line(t, r, rec.Plan.Cells[0], "step"); l.Note != c.note {
			t.Errorf("%d cells, %d rounds: %q", c.cells, c.rounds, l.Note)
		}
	}
}

func TestTheSmallestChangeThatCountsIsAnOption(t *testing.T) {
	head := edited(slower(fit, 1.10))
	if r := baseline.Check(good(), head, baseline.Options{MinChange: 0.2}); r.Verdict != verdict.Same {
		t.Errorf("10 %% with a limit of 20 %%: %s", r.Verdict)
	}
}

func TestMemoryAndTensorsAreNotComparedUnderAnotherSetting(t *testing.T) {
	for name, edit := range map[string]func(*record.Record){
		"threads": func(rec *record.Record) { rec.Plan.Threads = 8 },
		"GOGC":    func(rec *record.Record) { rec.Environment.GOGC = "400" },
		"kernel":  func(rec *record.Record) { rec.Environment.Kernel = "go" },
		"OS":      func(rec *record.Record) { rec.Environment.OS = "darwin" },
	} {
		head := edited(func(rec *record.Record) {
			edit(rec)
			all(func(r *record.Run) { *r.PeakRSSBytes *= 2 })(rec)
		})
		r := baseline.Check(good(), head, baseline.Options{})
		if r.Err != nil || has(r, "peak memory") || !strings.Contains(strings.Join(r.Notes, "\n"), "cannot compare peak memory: not the same "+name) {
			t.Errorf("%s: %+v", name, r)
		}
		if !has(r, "operations a step") || has(r, "tensor bytes a step") != (name != "kernel") {
			t.Errorf("%s: counts %+v", name, r.Lines)
		}
	}
}

func TestRatiosAreShownAndNotJudged(t *testing.T) {
	// No time is compared, and generator's step in times fit is twice what it was.
	head := edited(func(rec *record.Record) { slower(generator, 2)(rec); rec.Environment.CPUModel = "Xeon" })
	r := baseline.Check(good(), head, baseline.Options{})
	if r.Verdict != verdict.Same || len(r.Ratios) != 1 || r.Ratios[0].Cell != generator.String() {
		t.Fatalf("%+v", r)
	}
	if got := r.Ratios[0]; !(math.Abs(got.Base.Median-3) <= 1e-12) || !(math.Abs(got.Head.Median-6) <= 1e-12) {
		t.Errorf("%+v, want 3 and 6", got)
	}
}

func TestABaselineThatCanGiveNoTimesSaysWhy(t *testing.T) {
	if doubts := baseline.Doubts(good()); len(doubts) > 0 {
		t.Errorf("a good record: %q", doubts)
	}
	disturbed := edited(each(generator, func(r *record.Run) { r.Disturbed = true }))
	once := edited(func(rec *record.Record) {
		rec.Plan.Rounds = 1
		rec.Runs = rec.Runs[:2]
	})
	for want, rec := range map[string]record.Record{"disturbed by other load, so that times of generator@": disturbed, "take more --rounds": once} {
		if doubts := baseline.Doubts(rec); len(doubts) != 1 || !strings.Contains(doubts[0], want) {
			t.Errorf("%q, want one with %q", doubts, want)
		}
	}
}
