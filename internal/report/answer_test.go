package report_test

import (
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// step sets a cell's step in ms in all rounds alike.
func step(rec record.Record, cell string, ms float64) record.Record {
	return change(rec, cell, func(r *record.Run) { r.StepMilliseconds = &ms })
}

// contains checks a line of the answer for parts; "!x" must not be in it.
func contains(t *testing.T, rec record.Record, title string, parts ...string) {
	t.Helper()
	got := text(report.Answer(rec), title)
	for _, part := range parts {
		forbidden, not := strings.CutPrefix(part, "!")
		if not && strings.Contains(got, forbidden) || !not && !strings.Contains(got, part) {
			t.Errorf("%s: %q, want %q", title, got, part)
		}
	}
	if len(parts) == 0 && got != "" {
		t.Errorf("%s: %q, want no such line", title, got)
	}
}

func TestLeanNamesTheFastestModeWithinATenthOfFit(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	// 462 - 31 = 431, 462 / 31 = 14.9; 0.159 / 0.162 = 0.981, 0.171 / 0.162 = 1.056, 0.174 / 0.162 = 1.074.
	contains(t, rec, "Lean at fit's speed", "fit-windows@compiled: 0.98 x fit, with 431 MB less memory (peak 31 against 462 MB, 15 times less).",
		"Within 1.10 x fit too: train-on-batch@compiled 1.06, generator@compiled 1.07.", "!eager")
	slow := step(rec, "fit-windows@compiled", 0.162*1.1001)
	contains(t, slow, "Lean at fit's speed", "train-on-batch@compiled: 1.06 x fit", "!fit-windows")
}

func TestLeanSaysSoWhereNoModeKeepsTheSpeed(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec = step(step(step(rec, "generator@compiled", 0.324), "train-on-batch@compiled", 0.486), "fit-windows@compiled", 0.162*1.104)
	contains(t, rec, "Lean at fit's speed", "none of those run came within 1.10 x fit: the fastest, fit-windows@compiled, took 1.104 x, with 431 MB")

	doubtful := change(rec, "train-on-batch@compiled", func(r *record.Run) { r.Disturbed = true })
	contains(t, doubtful, "Lean at fit's speed") // it might be the one
}

func TestLeanTellsALeanerModeApartFromTheFastest(t *testing.T) {
	rec := change(recordOf(experiment(64, 1)), "generator@compiled", func(r *record.Run) { r.PeakRSSBytes = record.Of(int64(21e6)) })
	contains(t, rec, "Lean at fit's speed", "fit-windows@compiled: 0.98 x fit", "Leaner still: generator@compiled, 1.07 x fit, with 441 MB less memory")
	same := change(recordOf(experiment(64, 1)), "", func(r *record.Run) { r.PeakRSSBytes = record.Of(int64(30e6)) })
	contains(t, same, "Lean at fit's speed", "with no less memory (peak 30 against 30 MB)", "!Leaner")
}

func TestLeanSaysWhereTheSpreadReachesOverTheLimit(t *testing.T) {
	rec := step(recordOf(experiment(64, 3)), "fit-windows@compiled", 0.162*1.095)
	rec = step(step(rec, "generator@compiled", 1), "train-on-batch@compiled", 1)
	contains(t, rec, "Lean at fit's speed", "fit-windows@compiled: 1.09 x fit", "The spread reaches over 1.10 x: more --rounds")
}

func TestThePartsOfTheGapAddUpToIt(t *testing.T) {
	rec := change(recordOf(experiment(64, 1)), "train-on-batch@eager", func(r *record.Run) {
		r.StepMilliseconds = record.Of(0.7506)
		r.StepSplit = &record.StepSplit{Dispatch: 0.1104, Allocation: 0.2104, Casts: 0.0204, Arithmetic: 0.4}
	})
	// Rounded: 0.751 - 0.171 = 0.580 = 0.110 + 0.210 + 0.020 + 0.240; unrounded the rest is 0.2384.
	contains(t, rec, "Where the gap is", "adds 0.580 ms a step (train-on-batch, 0.751 against 0.171 ms): "+
		"dispatch 0.110, allocation 0.210, casts 0.020, unfused arithmetic 0.240.", "It dispatches 142 operations and allocates 3.1 MB of tensors a step.")
	large := change(step(step(recordOf(experiment(8096, 1)), "train-on-batch@compiled", 257), "train-on-batch@eager", 463), "train-on-batch@eager",
		func(r *record.Run) {
			r.StepSplit = &record.StepSplit{Dispatch: 0.24, Allocation: 5.1, Casts: 12.32, Arithmetic: 400}
		})
	contains(t, large, "Where the gap is", "adds 206.0 ms a step", "dispatch 0.2, allocation 5.1, casts 12.3, unfused arithmetic 188.4.")
}

func TestANegativeRestOfTheGapIsExplained(t *testing.T) {
	rec := change(recordOf(experiment(64, 1)), "train-on-batch@eager", func(r *record.Run) {
		r.StepSplit = &record.StepSplit{Dispatch: 0.4, Allocation: 0.2, Casts: 0.02, Arithmetic: 0.1}
	})
	contains(t, rec, "Where the gap is", "dispatch 0.400, allocation 0.200, casts 0.020, unfused arithmetic -0.041 (its arithmetic took that much less")
}

func TestAGapWithinTheSpreadIsNoGap(t *testing.T) {
	rec := change(recordOf(experiment(64, 3)), "train-on-batch@eager", func(r *record.Run) { // 0.170 to 0.174, compiled 0.169 to 0.173
		r.StepMilliseconds = record.Of(0.172 + 0.002*float64(r.Round-2))
	})
	contains(t, rec, "Where the gap is", "no gap", "0.1720 against 0.1710 ms")
	contains(t, rec, "At your step time")
	contains(t, step(recordOf(experiment(64, 1)), "train-on-batch@eager", 0.1), "Where the gap is", "faster than the compiled one here, by 0.0710 ms")
	contains(t, step(recordOf(experiment(64, 1)), "train-on-batch@eager", 0.1), "At your step time")
}

func TestTheGapIsOfOneModeUnderBothExecutions(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[2], p.Cells[4])), "Where the gap is")
	contains(t, recordOf(only(p, p.Cells[0], record.Cell{Mode: "fit", Execution: "eager"})), "Where the gap is", "(fit, 0.748 against 0.162 ms)")
	contains(t, recordOf(only(p, p.Cells[1:3]...)), "Where the gap is", "(generator, 0.752 against 0.174 ms)")
}

func TestAnAddedCostIsShownAtAnotherStepTime(t *testing.T) {
	// 0.750 / 0.171 = 4.386; (3 + 0.579) / 3 = 1.193.
	contains(t, recordOf(experiment(64, 1)), "At your step time", "0.579 ms make the step here 4.39 x as long, and a step of 3 ms 1.19 x.")
}

func TestWorkersCanWinAtMostTheBuildingOfABatch(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "More workers", "building a batch takes 0.0090 ms of the 0.750 ms a step of train-on-batch@eager (1.2 %)",
		"generator@eager, with 1 worker, waits 0.0010 ms a step")
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[3])), "More workers", "0.171 ms a step of train-on-batch@compiled (5.3 %)", "!generator")
	p.Workers = 4
	contains(t, recordOf(only(p, p.Cells[1])), "More workers", "generator@compiled, with 4 workers, waits 0.0030 ms a step for its batch: more workers can win at most that.")
	contains(t, recordOf(only(p, p.Cells[0])), "More workers")
}

func TestOneTimeIsAShareOfOneEpoch(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "One time", "took 0.243 s, 9.1 % of one epoch; it holds 437 MB") // 16,396 steps of 0.162 ms are 2.656 s
	p.Steps, p.Epochs = 0, 10
	contains(t, recordOf(p), "One time", "took 0.243 s, 9.1 % of one epoch")
}

func TestFitOpByOpIsComparedWhereItWasRun(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "Against fit op by op")
	p.Cells = append(p.Cells, record.Cell{Mode: "fit", Execution: "eager"})
	contains(t, recordOf(p), "Against fit op by op", "fit takes 0.748 ms a step; against that generator 1.01 x, train-on-batch 1.00 x.")
}

func TestReportedRatiosStandOnlyBesideTheSameExperiment(t *testing.T) {
	small := "1.00 / 4.55 / 4.88 (407 / 1,852 / 1,985 s for 10 epochs, on another machine and another runtime)"
	large := "1.00 / 1.81 / 2.00 (99 / 179 / 198 s for 10 epochs, on another machine and another runtime)"
	contains(t, recordOf(experiment(64, 1)), "As TensorFlow 2.0.0", "1.00 / 4.64 / 4.63 here", small)
	contains(t, recordOf(experiment(8096, 1)), "As TensorFlow 2.0.0", "1.00 / 4.64 / 4.63 here", large)
	contains(t, recordOf(experiment(128, 1)), "As TensorFlow 2.0.0", "1.00 / 4.64 / 4.63 here", "!Reported")
	for name, edit := range map[string]func(p *record.Plan){
		"samples":   func(p *record.Plan) { p.Samples-- },
		"window":    func(p *record.Plan) { p.Window-- },
		"anomalies": func(p *record.Plan) { p.Anomalies-- },
		"noise":     func(p *record.Plan) { p.Noise = 0.3 },
		"shift":     func(p *record.Plan) { p.Shift = 0.4 },
		"seed":      func(p *record.Plan) { p.Seed = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			p := experiment(64, 1)
			edit(&p)
			contains(t, recordOf(p), "As TensorFlow 2.0.0", "1.00 / 4.64 / 4.63 here", "!Reported")
		})
	}
	p := experiment(64, 1)
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[4])), "As TensorFlow 2.0.0",
		"fit compiled, train-on-batch op by op: 1.00 / 4.63 here.", "1.00 / 4.88 (407 / 1,985 s")
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[1])), "As TensorFlow 2.0.0")
}

func TestNothingIsConcludedFromADisturbedReference(t *testing.T) {
	rec := change(recordOf(experiment(64, 5)), "fit@compiled", func(r *record.Run) { r.Disturbed = true })
	if got := titles(report.Answer(rec)); got != "Where the gap is, More workers, At your step time, Loss, Noise, Warning" {
		t.Errorf("lines: %s", got)
	}
	contains(t, rec, "Warning", "fit@compiled: disturbed runs", "--rounds")
	all := change(recordOf(experiment(64, 5)), "", func(r *record.Run) { r.Disturbed = true })
	if got := titles(report.Answer(all)); got != "Loss, Noise, Warning" {
		t.Errorf("lines: %s", got)
	}
}

func TestDisturbedRunsThatAreLeftOutCostNoConclusion(t *testing.T) {
	rec := change(recordOf(experiment(64, 5)), "fit@compiled", func(r *record.Run) {
		if r.Round > 3 {
			r.Disturbed, r.StepMilliseconds = true, record.Of(99.0)
		}
	})
	contains(t, rec, "Lean at fit's speed", "fit-windows@compiled")
	contains(t, rec, "Noise", "2 of 30 runs disturbed and left out: good enough")
	contains(t, rec, "Warning")
}

func TestNoiseSaysWhatToDo(t *testing.T) {
	contains(t, recordOf(experiment(64, 1)), "Noise", "spread unknown", "without a second round there is no spread, take more with --rounds")
	wide := change(recordOf(experiment(64, 3)), "generator@eager", func(r *record.Run) { *r.StepMilliseconds *= float64(10+r.Round) / 12 })
	contains(t, wide, "Noise", "to 9.3 %", "a spread over 5.0 % is wide", "!good enough")
	blind := change(recordOf(experiment(64, 3)), "", func(r *record.Run) { r.StealPercent, r.OtherCPUPercent = nil, nil })
	contains(t, blind, "Noise", "steal not measured, others' CPU not measured", "!good enough")
	contains(t, change(recordOf(experiment(64, 3)), "", func(r *record.Run) { r.Error = "x" }), "Noise")
}

func TestAccuracyIsOnlyShownBesideTheShareOfClassOne(t *testing.T) {
	// 1,042,942 of the experiment's 1,049,344 windows are of class 1: 99.39 %.
	contains(t, recordOf(experiment(64, 1)), "Loss", "compiled 0.031234, eager 0.031237 (difference 3.0e-06)", "accuracy 99.39 %, but 99.39 % of the windows are class 1")
	p := experiment(64, 1)
	p.Seed = 7
	contains(t, recordOf(p), "Loss", "compiled 0.031234", "!accuracy")
	told := change(recordOf(p), "", func(r *record.Run) { r.ClassOneShare = record.Of(0.5) })
	contains(t, told, "Loss", "accuracy 99.39 %, but 50.00 % of the windows are class 1")
}
