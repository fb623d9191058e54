package baseline_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/baseline"
	"fitbench/internal/record"
	"fitbench/internal/verdict"
)

func TestABaselineThatIsNoneIsAnErrorAndNoPass(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*record.Record)
		says []string
	}{
		{"another schema", func(rec *record.Record) { rec.SchemaVersion = 2 }, []string{"schema_version is 2", "1 is accepted"}},
		{"nothing", func(rec *record.Record) { *rec = record.Record{} }, []string{"schema_version is 0"}},
		{"no runs", func(rec *record.Record) { rec.Runs = nil }, []string{"no runs"}},
		{"no cells", func(rec *record.Record) { rec.Plan.Cells = nil }, []string{"names no cells"}},
		{"no batch size", func(rec *record.Record) { rec.Plan.BatchSize = 0 }, []string{"batch size 0", "at least 1"}},
		{"a NaN", func(rec *record.Record) { rec.Runs[3].StepMilliseconds = nan() }, []string{"runs[3].step_milliseconds is NaN"}},
		{"an infinity", func(rec *record.Record) { rec.Runs[9].ReferenceSeconds = record.Of(math.Inf(1)) }, []string{"runs[9].reference_seconds is +Inf"}},
		{"a NaN in a part", func(rec *record.Record) { rec.Runs[1].StepSplit = &record.StepSplit{Casts: math.NaN()} },
			[]string{"runs[1].step_split_milliseconds.casts is NaN"}},
		{"a NaN in the plan", func(rec *record.Record) { rec.Plan.Noise = math.NaN() }, []string{"plan.noise is NaN"}},
		{"a step of no time", func(rec *record.Record) { rec.Runs[0].StepMilliseconds = record.Of(0.0) }, []string{"runs[0].step_milliseconds is 0"}},
		{"a loop of negative time", func(rec *record.Record) { rec.Runs[0].ReferenceSeconds = record.Of(-0.1) }, []string{"runs[0].reference_seconds is -0.1"}},
		{"a negative count", func(rec *record.Record) { rec.Runs[0].OpsPerStep = record.Of(int64(-1)) }, []string{"runs[0].ops_per_step is -1"}},
		{"a failed run", func(rec *record.Record) { rec.Runs[0].Error = "out of memory" }, []string{"failed runs", "fit@compiled, round 1: out of memory"}},
		{"one run only", func(rec *record.Record) { rec.Runs = rec.Runs[:1] }, []string{"1 of 5 rounds of fit@compiled", "interrupted"}},
		{"a run twice", func(rec *record.Record) { rec.Runs = append(rec.Runs, rec.Runs[3]) }, []string{"holds round", "at batch size 64 twice"}},
		{"the last run missing", func(rec *record.Record) { rec.Runs = rec.Runs[:9] }, []string{"4 of 5 rounds of generator@eager"}},
		{"a batch size missing", func(rec *record.Record) { rec.Plan.BatchSize, rec.Plan.BatchSizes = 0, []int{64, 128} }, []string{"0 of 5 rounds", "batch size 128"}},
		{"a command to be run", func(rec *record.Record) { rec.Plan.Engines = []string{"exec:rm x"} }, []string{"exec:rm x", "which programs are started"}},
		{"runs of a check of two engines", func(rec *record.Record) { rec.Runs[0].Role = "head" }, []string{"a check of two engines"}},
		{"runs of different orders", func(rec *record.Record) { rec.Runs[0].OrderDigest = "other" }, []string{"differ in their order of samples"}},
		{"a digest missing", func(rec *record.Record) { rec.Runs[0].WeightsDigest = "" }, []string{"differ in their final weights"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := edited(c.edit)
			err := baseline.Validate(bad)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range c.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
			for subject, r := range map[string]baseline.Result{
				"baseline: ": baseline.Check(bad, good(), baseline.Options{}),
				"this run: ": baseline.Check(good(), bad, baseline.Options{}),
				"":           baseline.Check(bad, bad, baseline.Options{}),
			} {
				if r.Err == nil || r.Verdict != baseline.Invalid || !strings.HasPrefix(r.Err.Error(), subject) {
					t.Errorf("%q: %+v", subject, r)
				}
			}
		})
	}
	if err := baseline.Validate(good()); err != nil {
		t.Errorf("a good one: %v", err)
	}
	if err := baseline.Validate(edited(rounds(1))); err != nil {
		t.Errorf("one round is enough for all but times: %v", err)
	}
}

func TestWorkAddedOnPurposeIsRefusedInTheBaselineOnly(t *testing.T) {
	injected := edited(func(rec *record.Record) { rec.Runs[2].Injected = "fit@compiled=10%" })
	if err := baseline.Validate(injected); err == nil || !strings.Contains(err.Error(), "fit@compiled=10%") {
		t.Errorf("as a baseline: %v", err)
	}
	if r := baseline.Check(injected, good(), baseline.Options{}); r.Verdict != baseline.Invalid {
		t.Errorf("as a baseline: %s", r.Verdict)
	}
	if r := baseline.Check(good(), injected, baseline.Options{}); r.Err != nil || r.Verdict != verdict.Same {
		t.Errorf("in this run: %+v", r)
	}
}

func TestAnotherPlanIsAnErrorThatNamesTheFields(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*record.Record)
		says []string
	}{
		{"samples and seed", func(rec *record.Record) { rec.Plan.Samples, rec.Plan.Seed = 131072, 1 }, []string{"samples is 65536 there and 131072 here", "seed is 0 there and 1 here"}},
		{"epochs", func(rec *record.Record) { rec.Plan.Steps, rec.Plan.Epochs = 0, 2 }, []string{"steps is 300 there and unset here", "epochs is unset there and 2 here"}},
		{"batch size", func(rec *record.Record) {
			rec.Plan.BatchSize = 32
			all(func(r *record.Run) { r.BatchSize = 32 })(rec)
		}, []string{"batch size is 64 there and 32 here"}},
		{"noise", func(rec *record.Record) { rec.Plan.Noise = 0.1 }, []string{"noise is 0.2 there and 0.1 here"}},
		{"modes", func(rec *record.Record) {
			rec.Plan.Cells = rec.Plan.Cells[:1]
			rec.Runs = slices.DeleteFunc(rec.Runs, func(r record.Run) bool { return r.Cell() != fit })
		}, []string{"modes is fit@compiled, generator@eager there and fit@compiled here"}},
	} {
		r := baseline.Check(good(), edited(c.edit), baseline.Options{})
		if r.Err == nil || r.Verdict != baseline.Invalid {
			t.Errorf("%s: %+v", c.name, r)
			continue
		}
		for _, want := range append(c.says, "another plan", "--update-baseline") {
			if !strings.Contains(r.Err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.name, r.Err, want)
			}
		}
	}
	otherTurns := edited(func(rec *record.Record) { rec.Plan.Cells = []record.Cell{generator, fit} })
	if r := baseline.Check(good(), otherTurns, baseline.Options{}); r.Verdict != verdict.Same {
		t.Errorf("cells in another order: %+v", r)
	}
	if r := baseline.Check(good(), edited(all(func(r *record.Run) { r.Engine = "other" })), baseline.Options{}); r.Err == nil {
		t.Errorf("another engine: %+v", r)
	}
}

func TestOtherWorkThanTheBaselinesIsAnError(t *testing.T) {
	order := all(func(r *record.Run) { r.OrderDigest = "fedcba9876543210" })
	weights := each(fit, func(r *record.Run) { r.WeightsDigest = "other weights" })
	const notSame = "not the same work as the baseline"
	for _, c := range []struct {
		name string
		edit func(*record.Record)
		says string // empty: no error
	}{
		{"order", order, "order of samples of fit@compiled: digest 0123456789ab there, fedcba987654 here"},
		{"order on another machine", func(rec *record.Record) {
			order(rec)
			rec.Environment.Arch, rec.Environment.Go, rec.Environment.CPUModel = "arm64", "go1.27", "M1"
		}, "order of samples"},
		{"weights", weights, "final weights of fit@compiled: digest weights of c there, other weight here"},
		{"weights on another CPU", func(rec *record.Record) { weights(rec); rec.Environment.CPUModel = "Xeon" }, "final weights"},
		{"weights under another kernel", func(rec *record.Record) { weights(rec); rec.Environment.Kernel = "avx512" }, ""},
		{"weights of runs under another kernel", func(rec *record.Record) { weights(rec); all(func(r *record.Run) { r.Kernel = "avx512" })(rec) }, ""},
		{"weights of another architecture", func(rec *record.Record) { weights(rec); rec.Environment.Arch = "arm64" }, ""},
		{"weights under another Go", func(rec *record.Record) { weights(rec); rec.Environment.Go = "go1.27" }, ""},
	} {
		r := baseline.Check(good(), edited(c.edit), baseline.Options{})
		if c.says == "" {
			if r.Err != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "cannot compare final weights") {
				t.Errorf("%s: %+v", c.name, r)
			}
			continue
		}
		if r.Err == nil || r.Verdict != baseline.Invalid {
			t.Errorf("%s: %+v", c.name, r)
			continue
		}
		for _, want := range []string{notSame, c.says, "--update-baseline"} {
			if !strings.Contains(r.Err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.name, r.Err, want)
			}
		}
	}
}
