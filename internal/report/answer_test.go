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

const leanLine = "Lean at fit's speed"

func TestLeanNamesTheFastestModeWithinATenthOfFitAndSaysWhyNotTheOthers(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	// 462 / 31 = 14.9; 0.159 / 0.162 = 0.981, 0.171 / 0.162 = 1.056, 0.174 / 0.162 = 1.074.
	contains(t, rec, leanLine, "fit-windows@compiled: 0.98 x fit, with 1/15 of its memory (peak 31 against 462 MB).",
		"Slower than that, but within 1.10 x fit: train-on-batch@compiled 1.06 x (31 MB), generator@compiled 1.07 x (33 MB).",
		"Slower: train-on-batch@eager 4.63 x (40 MB), generator@eager 4.64 x (41 MB).", "One round: how sure is not known")
	slow := step(rec, "fit-windows@compiled", 0.162*1.104)
	contains(t, slow, leanLine, "train-on-batch@compiled: 1.06 x fit", "Slower: fit-windows@compiled 1.104 x (31 MB)")
}

func TestLeanSaysSoWhereNoModeKeepsTheSpeed(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec = step(step(step(rec, "generator@compiled", 0.324), "train-on-batch@compiled", 0.486), "fit-windows@compiled", 0.162*1.104)
	contains(t, rec, leanLine, "none of those run came within 1.10 x fit. Slower: fit-windows@compiled 1.104 x (31 MB), generator@compiled 2.00 x")

	doubtful := change(rec, "train-on-batch@compiled", func(r *record.Run) { r.Disturbed = true })
	contains(t, doubtful, leanLine,
		"none of those run is sure to keep", "Not judged, see the warning: train-on-batch@compiled.") // it might be the one
}

func TestModesWithinTheSpreadOfTheFastestAreTiesTheLeanestFirst(t *testing.T) {
	rec := step(recordOf(experiment(64, 5)), "train-on-batch@compiled", 0.160) // fit-windows is 0.156 to 0.162
	rec = change(rec, "train-on-batch@compiled", func(r *record.Run) { r.PeakRSSBytes = record.Of(int64(21e6)) })
	contains(t, rec, leanLine, "train-on-batch@compiled: 0.99 x fit, with 1/22 of its memory (peak 21 against 462 MB). "+
		"As fast within the spread of the rounds: fit-windows@compiled 0.98 x (31 MB).", "!One round")
	alike := change(rec, "train-on-batch@compiled", func(r *record.Run) { r.PeakRSSBytes = record.Of(int64(30e6)) })
	contains(t, alike, leanLine, "fit-windows@compiled: 0.98 x fit") // 30 and 31 MB are about the same: the faster first
}

func TestMemoryIsComparedInBothDirectionsWithEnoughDigits(t *testing.T) {
	for _, c := range []struct {
		fit, lean float64 // MB
		want      string
	}{
		{462, 31, "with 1/15 of its memory (peak 31 against 462 MB)"},
		{20.1, 10.5, "with 52 % of its memory (peak 10.5 against 20.1 MB)"},
		{11.4, 10.5, "with 92 % of its memory (peak 10.5 against 11.4 MB)"},
		{462, 440, "with about the same memory (peak 440 against 462 MB)"},
		{440, 462, "with about the same memory (peak 462 against 440 MB)"},
		{440, 470, "with more memory (peak 470 against 440 MB)"},
	} {
		p := experiment(64, 3)
		rec := recordOf(only(p, p.Cells[0], p.Cells[5]))
		set := func(cell string, mb float64) {
			change(rec, cell, func(r *record.Run) { r.PeakRSSBytes = record.Of(int64(mb * 1e6)) })
		}
		set("fit@compiled", c.fit)
		set("fit-windows@compiled", c.lean)
		contains(t, rec, leanLine, "fit-windows@compiled: 0.98 x fit, "+c.want+".")
	}
}

func TestLeanIsUndecidedWhereTheSpreadReachesOverTheLimit(t *testing.T) {
	for _, ms := range []float64{0.162 * 1.095, 0.162 * 1.105} { // the spread is 1 % of fit
		rec := step(recordOf(experiment(64, 3)), "fit-windows@compiled", ms)
		rec = step(step(rec, "generator@compiled", 1), "train-on-batch@compiled", 1)
		contains(t, rec, leanLine, "none of those run is sure", "Undecided, since the spread of the rounds reaches over 1.10 x: fit-windows@compiled 1.",
			"Slower: train-on-batch@eager")
	}
}

func TestInputOrModelIsToldByTheMeans(t *testing.T) {
	p := experiment(64, 3)
	contains(t, recordOf(p), "Input or model", "in train-on-batch, on average, building a batch takes 0.0090 ms and the step 0.162 ms compiled, "+
		"0.0090 ms and 0.741 ms eager: the input is 5.3 % and 1.2 % of the whole, and the model is the slow part.", "!One round")
	input := change(recordOf(p), "train-on-batch@compiled", func(r *record.Run) { r.InputWaitSeconds = record.Of(2.0) }) // 1 ms a step
	contains(t, input, "Input or model", "1.00 ms and the step 0.162 ms compiled", "the input is 86 % and 1.2 %",
		"compiled the input is the slow part, eager the model is the slow part.")
	even := change(recordOf(only(p, p.Cells[3])), "", func(r *record.Run) { r.InputWaitSeconds = record.Of(*r.StepSeconds * 1.001) })
	contains(t, even, "Input or model", "neither is the slow part beyond the spread of the rounds")
	contains(t, recordOf(only(p, p.Cells[1])), "Input or model", "in generator, on average, waiting for a batch from 1 worker takes 0.0030 ms")
	contains(t, recordOf(only(p, p.Cells[0])), "Input or model")
}

func TestTheEagerStepIsTheSlowPartOnlyWhereTheFeedsCostLittle(t *testing.T) {
	rec := recordOf(experiment(64, 3)) // 1.074 and a spread of 2 % of fit are within 1.10
	contains(t, rec, "Feed or step", "under the compiled step the lean feeds are as fast as fit (0.98 to 1.07 x), "+
		"under the eager one (op by op) they take 4.63 to 4.64 x: the eager step, not the feed, is the slow part.")
	contains(t, step(recordOf(experiment(64, 3)), "generator@compiled", 0.200), "Feed or step", "the lean feeds take 0.98 to 1.23 x fit")
	contains(t, step(recordOf(experiment(64, 3)), "generator@compiled", 0.400), "Feed or step") // 0.24 of 0.58 ms is the feed's
	contains(t, step(recordOf(experiment(64, 3)), "train-on-batch@eager", 0.175), "Feed or step")
	contains(t, change(recordOf(experiment(64, 3)), "generator@eager", func(r *record.Run) { r.Disturbed = true }), "Feed or step")
}

func TestThePartsOfTheGapAddUpToIt(t *testing.T) {
	rec := change(recordOf(experiment(64, 1)), "train-on-batch@eager", func(r *record.Run) {
		r.StepMilliseconds = record.Of(0.7506)
		r.StepSplit = &record.StepSplit{Dispatch: 0.1104, Allocation: 0.2104, Casts: 0.0204, Arithmetic: 0.4}
	})
	// Rounded: 0.751 - 0.171 = 0.580 = 0.110 + 0.210 + 0.020 + 0.240; unrounded the rest is 0.2384.
	contains(t, rec, "Where the gap is", "adds 0.580 ms a step (train-on-batch, 0.751 against 0.171 ms): "+
		"of the eager step, dispatch 0.110, allocation 0.210, casts and copies 0.020; the rest 0.240 (all else that differs: ",
		"An eager step dispatches 142 operations and allocates 3.1 MB of tensors; moving and converting writes 0.40 MB of them.")
	large := step(step(recordOf(experiment(8096, 1)), "train-on-batch@compiled", 257), "train-on-batch@eager", 463)
	large = change(large, "train-on-batch@eager", func(r *record.Run) {
		r.StepSplit = &record.StepSplit{Dispatch: 0.24, Allocation: 5.1, Casts: 12.32, Arithmetic: 400}
	})
	contains(t, large, "Where the gap is", "adds 206.0 ms a step", "dispatch 0.2, allocation 5.1, casts and copies 12.3; the rest 188.4 (")
}

func TestTheRestOfTheGapNamesTheCPULoadOnlyWhereItIsLower(t *testing.T) {
	const words = "work spread less evenly over the threads: CPU load 128 against 179 %)"
	contains(t, recordOf(experiment(64, 3)), "Where the gap is", words)
	for name, load := range map[string]*float64{"unmeasured": nil, "equal": record.Of(179.0), "higher": record.Of(190.0)} {
		t.Run(name, func(t *testing.T) {
			rec := change(recordOf(experiment(64, 3)), "train-on-batch@eager", func(r *record.Run) { r.SteadyCPUPercent = load })
			contains(t, rec, "Where the gap is", "arithmetic that is not fused)", "!CPU load")
		})
	}
}

func TestANegativeRestOfTheGapIsExplained(t *testing.T) {
	rec := change(recordOf(experiment(64, 1)), "train-on-batch@eager", func(r *record.Run) {
		r.StepSplit = &record.StepSplit{Dispatch: 0.4, Allocation: 0.2, Casts: 0.02, Arithmetic: 0.1}
	})
	contains(t, rec, "Where the gap is", "the rest -0.041 (without these parts it takes that much less than the whole compiled step)")
}

func TestAGapWithinTheSpreadIsUndecided(t *testing.T) {
	rec := change(recordOf(experiment(64, 3)), "train-on-batch@eager", func(r *record.Run) { // 0.170 to 0.174, compiled 0.169 to 0.173
		r.StepMilliseconds = record.Of(0.172 + 0.002*float64(r.Round-2))
	})
	contains(t, rec, "Where the gap is", "undecided", "within the spread of the rounds", "0.1720 against 0.1710 ms", "142 operations")
	contains(t, rec, "At your step time")
	faster := step(recordOf(experiment(64, 1)), "train-on-batch@eager", 0.1)
	contains(t, faster, "Where the gap is", "faster than the compiled one here, by 0.0710 ms")
	contains(t, faster, "At your step time")
}

func TestTheGapIsOfOneModeUnderBothExecutions(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[2], p.Cells[4])), "Where the gap is")
	eagerFit := only(p, p.Cells[0], record.Cell{Mode: "fit", Execution: "eager"})
	contains(t, recordOf(eagerFit), "Where the gap is", "(fit, 0.748 against 0.162 ms)")
	contains(t, recordOf(only(p, p.Cells[1:3]...)), "Where the gap is", "(generator, 0.752 against 0.174 ms)")
}

func TestAnAddedCostIsShownAtAnotherStepTime(t *testing.T) {
	// (3 + 0.110 + 0.210) / 3 = 1.107; (3 + 0.579) / 3 = 1.193.
	contains(t, recordOf(experiment(64, 1)), "At your step time", "a step of 3 ms would take 1.11 x with dispatch and allocation alone (0.320 ms;",
		"1.19 x with the whole gap of 0.579 ms, as far as it did not grow with the model")
	whole := change(recordOf(experiment(64, 1)), "", func(r *record.Run) { r.StepSplit = nil })
	contains(t, whole, "At your step time", "a step of 3 ms would take 1.19 x with the whole gap", "!dispatch")
	long := step(step(recordOf(experiment(64, 1)), "train-on-batch@compiled", 3), "train-on-batch@eager", 4)
	contains(t, long, "At your step time")
}

func TestWorkersCanWinAtMostTheMeanWaitForABatch(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "More workers", "in train-on-batch 0.0090 ms of 0.171 ms compiled (5.3 %), 0.0090 ms of 0.750 ms eager (1.2 %);",
		"in generator, which has 1 worker already, 0.0030 ms of 0.174 ms compiled (1.7 %), 0.0010 ms of 0.752 ms eager (0.1 %).")
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[3])), "More workers", "0.171 ms compiled (5.3 %)", "!generator", "!eager")
	p.Workers = 4
	contains(t, recordOf(only(p, p.Cells[1])), "More workers", "can win at most the mean wait for a batch: in generator, which has 4 workers already")
	contains(t, recordOf(only(p, p.Cells[0])), "More workers")
	// Rare long waits are in the mean and not in the median: 200 s / 2,000 steps = 100 ms of 100.741 ms.
	rare := change(recordOf(experiment(64, 1)), "train-on-batch@eager", func(r *record.Run) { r.InputWaitSeconds = record.Of(200.0) })
	contains(t, rare, "More workers", "100 ms of 101 ms eager (99 %)")
}

func TestOneTimeIsAShareOfOneEpoch(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "One time", "took 0.243 s, 9.1 % of one epoch; it holds 437 MB") // 16,396 steps of 0.162 ms are 2.656 s
	p.Steps, p.Epochs = 0, 10
	contains(t, recordOf(p), "One time", "took 0.243 s, 9.1 % of one epoch")
}

func TestEagerFitIsComparedWhereItWasRun(t *testing.T) {
	p := experiment(64, 1)
	contains(t, recordOf(p), "Against eager fit")
	p.Cells = append(p.Cells, record.Cell{Mode: "fit", Execution: "eager"})
	contains(t, recordOf(p), "Against eager fit", "fit takes 0.748 ms a step; against that generator 1.01 x, train-on-batch 1.00 x.")
	p.Rounds = 3
	contains(t, recordOf(p), "Against eager fit", "generator 1.01 x (within the spread of the rounds)")
}

func TestReportedRatiosStandOnlyBesideTheSameExperiment(t *testing.T) {
	small := "1.00 / 4.55 / 4.88 (407 / 1,852 / 1,985 s for 10 epochs, on another machine and another runtime)"
	large := "1.00 / 1.81 / 2.00 (99 / 179 / 198 s for 10 epochs, on another machine and another runtime)"
	contains(t, recordOf(experiment(64, 1)), "As TensorFlow 2.0.0", "1.00 / 4.64 / 4.63 here", small, "The causes differ")
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
		"fit compiled, train-on-batch eager: 1.00 / 4.63 here.", "1.00 / 4.88 (407 / 1,985 s")
	contains(t, recordOf(only(p, p.Cells[0], p.Cells[1])), "As TensorFlow 2.0.0")
}

func TestNothingIsConcludedFromADisturbedReference(t *testing.T) {
	rec := change(recordOf(experiment(64, 5)), "fit@compiled", func(r *record.Run) { r.Disturbed = true })
	if got := titles(report.Answer(rec)); got != "Input or model, Where the gap is, More workers, At your step time, Memory, Loss, Noise, Warning" {
		t.Errorf("lines: %s", got)
	}
	contains(t, rec, "Warning", "fit@compiled: disturbed", "More rounds would not help")
	contains(t, rec, "Noise", "too much for conclusions about the time of fit@compiled, see the warning")
	contains(t, rec, "Memory", "beside fit@compiled, train-on-batch@compiled took 1/15 of its memory (peak 31 against 462 MB)", "array holds 437 MB")
	all := change(recordOf(experiment(64, 5)), "", func(r *record.Run) { r.Disturbed = true })
	if got := titles(report.Answer(all)); got != "Memory, Operations, Loss, Noise, Warning" {
		t.Errorf("lines: %s", got)
	}
	contains(t, all, "Operations", "dispatches 142 operations")
	contains(t, all, "Noise", "too much for any conclusion about time, see the warning")
	contains(t, all, "Warning", "all cells: disturbed", "!@")
}

func TestNothingIsConcludedFromRoundsThatLieFarApart(t *testing.T) {
	rec := change(recordOf(experiment(64, 5)), "fit@compiled", func(r *record.Run) { *r.StepMilliseconds *= 1 + 0.13*float64(r.Round-3) })
	contains(t, rec, leanLine)
	contains(t, rec, "Warning", "fit@compiled: the rounds lie too far apart (a spread over 25 %)")
	contains(t, rec, "Noise", "0 of 30 runs disturbed: too much for conclusions about the time of fit@compiled")
}

func TestRunsOfWhichOtherLoadIsUnknownAreNoUndisturbedRuns(t *testing.T) {
	rec := change(recordOf(experiment(64, 3)), "fit@compiled", func(r *record.Run) {
		r.WallSeconds, r.OtherCPUPercent, r.StealPercent = record.Of(0.2), nil, nil
	})
	contains(t, rec, "Noise", "steal at most 0 % of a core in 15 of 18 runs",
		"0 of 15 runs disturbed, not known for 3 of 18 runs (too short to tell: take more --steps)",
		"what is concluded holds only if the runs not known were undisturbed", "!good enough")
	long := change(rec, "fit@compiled", func(r *record.Run) { r.WallSeconds = record.Of(2.0) })
	contains(t, long, "Noise", "not known for 3 of 18 runs (this system does not tell)")
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
	contains(t, recordOf(experiment(64, 1)), "Noise", "spread unknown", "one round has no spread", "take more --rounds")
	wide := change(recordOf(experiment(64, 3)), "generator@eager", func(r *record.Run) { *r.StepMilliseconds *= float64(10+r.Round) / 12 })
	contains(t, wide, "Noise", "to 9.3 %", "a spread over 5.0 % is wide", "!good enough")
	blind := change(recordOf(experiment(64, 3)), "", func(r *record.Run) { r.StealPercent, r.OtherCPUPercent = nil, nil })
	contains(t, blind, "Noise", "steal not measured, others' CPU not measured", "disturbed or not, not known for 18 of 18 runs", "!good enough")
	contains(t, change(recordOf(experiment(64, 3)), "", func(r *record.Run) { r.Error = "x" }), "Noise")
}

func TestAccuracyIsOnlyShownBesideTheShareOfClassOne(t *testing.T) {
	// 1,042,942 of the experiment's 1,049,344 windows are of class 1: 99.39 %.
	contains(t, recordOf(experiment(64, 1)), "Loss", "mean over the 2,000 steps: compiled 0.031234, eager 0.031237 (difference 3.0e-06)",
		"accuracy 99.39 %, where always answering class 1 is right for 99.39 % of all windows")
	untold := change(recordOf(experiment(64, 1)), "", func(r *record.Run) { r.ClassOneShare = nil })
	contains(t, untold, "Loss", "compiled 0.031234", "!accuracy")
}

func TestLossSaysWhichStepsItIsTheMeanOf(t *testing.T) {
	p := experiment(64, 1)
	p.Samples = 640 // 10 steps an epoch
	for _, c := range []struct {
		steps, epochs int
		want          string
	}{
		{7, 0, "mean over the 7 steps: "}, {10, 0, "mean over the last epoch: "}, {40, 0, "mean over the last epoch: "},
		{43, 0, "mean over the last 3 steps, an epoch cut short: "}, {0, 2, "mean over the last epoch: "},
	} {
		p.Steps, p.Epochs = c.steps, c.epochs
		contains(t, recordOf(p), "Loss", c.want)
	}
}
