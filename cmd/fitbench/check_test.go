package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// smallCheck is a check of runs that last a moment. Changes below 1,000 % do not matter to it, so that no noise decides.
func smallCheck(args ...string) []string {
	return append([]string{"check", "--samples", "2000", "--batch-size", "8", "--steps", "20", "--min-change", "1000%"}, args...)
}

// found is the JSON form of what a check says.
func found(t *testing.T, stdout string) (verdict string, rec record.Record) {
	t.Helper()
	var c struct {
		Verdict string        `json:"verdict"`
		Record  record.Record `json:"record"`
	}
	if err := json.Unmarshal([]byte(stdout), &c); err != nil {
		t.Fatalf("not a check: %v\n%s", err, stdout)
	}
	return c.Verdict, c.Record
}

func TestABuildIsTheSameAsItself(t *testing.T) {
	code, stdout, stderr := fitbench(smallCheck("--base", "native", "--gate", "fit-windows@compiled", "-o", "json")...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	verdict, rec := found(t, stdout)
	if verdict != "same" || len(rec.Runs) < 30 || len(rec.Runs)%3 != 0 {
		t.Errorf("%s after %d runs; want same after rounds of three", verdict, len(rec.Runs))
	}
	for _, r := range rec.Runs {
		if r.Injected != "" {
			t.Errorf("%s was slowed down", r.Role)
		}
	}
}

func TestASlowdownThatIsInjectedIsFoundAndTold(t *testing.T) {
	args := smallCheck("--base", "native", "--gate", "train-on-batch@compiled", "--min-change", "50%", "--inject-slowdown", "train-on-batch@compiled=1000%", "-o", "json")
	code, stdout, stderr := fitbench(args...)
	verdict, rec := found(t, stdout)
	if code != exitRegressed || verdict != "regressed" {
		t.Fatalf("exit code %d, %s: %s", code, verdict, stderr)
	}
	wantContains(t, "the check", stdout, "on purpose")
	for _, r := range rec.Runs {
		if (r.Injected != "") != (r.Role == record.RoleHead) {
			t.Errorf("injected into %s: %q", r.Role, r.Injected)
		}
	}
}

func TestWhatIsNotDecidedHasAnExitCodeOfItsOwn(t *testing.T) {
	args := smallCheck("--base", "native", "--gate", "fit@compiled", "--max-time", "1ms")
	code, stdout, _ := fitbench(args...)
	if code != exitNotDecided {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the check", stdout, "Verdict: inconclusive", "no verdict fits into --max-time 1ms", "would do")
	if code, _, _ := fitbench(append(args, "--allow-inconclusive")...); code != exitOK {
		t.Errorf("allowed: exit code %d", code)
	}
}

func TestAHeadThatIsBrokenIsAnErrorAndNoVerdict(t *testing.T) {
	script := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho garbage\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := fitbench(smallCheck("--base", "native", "--head", "exec:"+script, "--gate", "fit@compiled")...)
	if code != exitFailed || stdout != "" {
		t.Errorf("exit code %d, standard output %q", code, stdout)
	}
	wantContains(t, "the error", stderr, "garbage")
}

// Without collections the peak memory of runs as short as these hangs on nothing but their work.
func TestABaselineIsKeptAndHeldAgainst(t *testing.T) {
	t.Setenv("GOGC", "off")
	file := filepath.Join(t.TempDir(), "baseline.json")
	quick := func(args ...string) (int, string, string) {
		return fitbench(smallCheck(append([]string{"--baseline", file, "--modes", "fit@compiled,train-on-batch@eager", "--rounds", "6"}, args...)...)...)
	}
	if code, _, stderr := quick("--update-baseline", "--quiet"); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	kept := readRecord(t, file)
	if len(kept.Runs) != 12 || kept.Runs[0].ReferenceSeconds == nil {
		t.Fatalf("the baseline has %d runs", len(kept.Runs))
	}
	code, stdout, stderr := quick("-o", "markdown")
	if code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	wantContains(t, "the check", stdout, "### fitbench check: same", "| figure ", "exact counts")

	if code, stdout, _ := quick("--min-change", "100%", "--inject-slowdown", "kernel=1000%"); code != exitRegressed || !strings.Contains(stdout, "on purpose") {
		t.Errorf("slowed down: exit code %d:\n%s", code, stdout)
	}
	for name, c := range map[string]struct {
		change func(r *record.Record)
		want   string
	}{
		"another order":  {func(r *record.Record) { r.Runs[0].OrderDigest = strings.Repeat("0", 64) }, "baseline"},
		"a failed run":   {func(r *record.Record) { r.Runs[0].Error = "killed" }, "killed"},
		"a newer schema": {func(r *record.Record) { r.SchemaVersion = 99 }, "99"},
		"one round":      {func(r *record.Record) { r.Runs = r.Runs[:1] }, "1 of 6 rounds"},
	} {
		code, stdout, stderr := quick("--baseline", edited(t, file, c.change))
		if code != exitFailed || stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", name, code, stdout)
		}
		if !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %q lacks %q", name, stderr, c.want)
		}
	}
}

func TestWhatIsKeptOfACheckIsTrueAndCanBeReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "check.json")
	args := smallCheck("--base", "native", "--gate", "fit@compiled,generator@compiled", "--max-time", "1ms", "--output-file", file, "--quiet")
	code, stdout, stderr := fitbench(args...)
	if code != exitNotDecided {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	wantContains(t, "without words", stdout, "no verdict fits into", "Verdict: inconclusive")
	if strings.Contains(stdout, "Hodges-Lehmann") {
		t.Errorf("words without end:\n%s", stdout)
	}
	rec := readRecord(t, file)
	if rec.Plan.Rounds != 1 || rec.Plan.Engines != nil || len(rec.Runs) != 6 {
		t.Errorf("%d rounds, engines %q, %d runs", rec.Plan.Rounds, rec.Plan.Engines, len(rec.Runs))
	}
	roles := map[string]int{}
	for _, r := range rec.Runs {
		if r.Engine != "fitbench" {
			t.Errorf("engine %q", r.Engine)
		}
		roles[r.Role]++
	}
	if roles["base"] != 2 || roles["twin"] != 2 || roles["head"] != 2 {
		t.Errorf("roles %v", roles)
	}
	code, stdout, stderr = fitbench("report", file)
	if code != exitOK {
		t.Fatalf("report: exit code %d: %s", code, stderr)
	}
	wantContains(t, "the report", stdout, "engine fitbench (base), batch 8", "engine fitbench (twin), batch 8", "engine fitbench (head), batch 8")
	if strings.Contains(stdout, "interrupted") {
		t.Errorf("the report:\n%s", stdout)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fitbench(append(args, "--base", "native:"+exe)...)
	if rec := readRecord(t, file); !slices.Equal(rec.Plan.Engines, []string{"native:" + exe, "native"}) {
		t.Errorf("engines %q", rec.Plan.Engines)
	}
	if _, _, stderr := fitbench(smallCheck("--baseline", file)...); !strings.Contains(stderr, "which programs are started") {
		t.Errorf("as a baseline: %s", stderr)
	}
}

// The plan is not the default one, which would be another than the baseline's.
func TestThePlanOfTheBaselineIsRunWhereNoneIsGiven(t *testing.T) {
	t.Setenv("GOGC", "off")
	file := keptBaseline(t)
	code, stdout, stderr := fitbench("check", "--baseline", file, "--min-change", "1000%", "--output-file", filepath.Join(t.TempDir(), "x.json"))
	if code != exitOK {
		t.Errorf("exit code %d: %s\n%s", code, stderr, stdout)
	}
	kept := filepath.Join(t.TempDir(), "none.json")
	other := smallCheck("--baseline", file, "--samples", "3000", "--output-file", kept)
	if code, _, stderr := fitbench(other...); code != exitFailed || !strings.Contains(stderr, "another plan") {
		t.Errorf("another plan: exit code %d: %s", code, stderr)
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("another plan was measured before it was refused")
	}
}

// keptBaseline is one of six runs of one mode.
func keptBaseline(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "baseline.json")
	if code, _, stderr := fitbench(smallCheck("--baseline", file, "--modes", "fit@compiled", "--rounds", "6", "--update-baseline", "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return file
}

// edited is a kept record with a change.
func edited(t *testing.T, file string, change func(r *record.Record)) string {
	t.Helper()
	rec := readRecord(t, file)
	change(&rec)
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "edited.json")
	if err := os.WriteFile(bad, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return bad
}

func TestABaselineThatDecidesNothingHasTheExitCodeOfThat(t *testing.T) {
	file := edited(t, keptBaseline(t), func(r *record.Record) { *r.Runs[0].OpsPerStep++ })
	code, stdout, _ := fitbench("check", "--baseline", file, "--min-change", "1000%", "--quiet")
	if code != exitNotDecided {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
	wantContains(t, "the check", stdout, "the rounds do not agree", "Verdict: inconclusive")
	if code, _, _ := fitbench("check", "--baseline", file, "--min-change", "1000%", "--allow-inconclusive"); code != exitOK {
		t.Errorf("allowed: exit code %d", code)
	}
}

func TestTimesThatAreNotComparedAreToldInEveryForm(t *testing.T) {
	t.Setenv("GOGC", "off")
	file := edited(t, keptBaseline(t), func(r *record.Record) { r.Environment.CPUModel = "abacus" })
	for _, args := range [][]string{{"--quiet"}, {"-o", "markdown"}, {"-o", "json"}} {
		code, stdout, stderr := fitbench(append([]string{"check", "--baseline", file, "--min-change", "1000%"}, args...)...)
		if code != exitOK {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
		wantContains(t, strings.Join(args, " "), stdout, "cannot compare times: not the same CPU model")
		if !strings.Contains(stdout, "same, times not compared") && !strings.Contains(stdout, `"not_compared"`) {
			t.Errorf("%v: the verdict seems to be of times too:\n%s", args, stdout)
		}
	}
}

func TestPlansOfBaselinesThatCannotBeRunAreErrors(t *testing.T) {
	file := keptBaseline(t)
	for want, change := range map[string]func(r *record.Record){
		"which programs are started": func(r *record.Record) { r.Plan.Engines = []string{"exec:touch /tmp/x"} },
		"batch size is 4000":         func(r *record.Record) { r.Plan.BatchSize, r.Runs = 4000, ofBatch(r.Runs, 4000) },
		"threads":                    func(r *record.Record) { r.Plan.Threads = 0 },
		`"nap@compiled" names no known mode`: func(r *record.Record) {
			r.Plan.Cells[0].Mode = "nap"
			for i := range r.Runs {
				r.Runs[i].Mode = "nap"
			}
		},
	} {
		code, stdout, stderr := fitbench("check", "--baseline", edited(t, file, change))
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d: %q, want %q", code, stderr, want)
		}
	}
}

// ofBatch are the runs as if of another batch size.
func ofBatch(runs []record.Run, size int) []record.Run {
	for i := range runs {
		runs[i].BatchSize = size
	}
	return runs
}

func TestABaselineThatCannotBeUsedIsNotWritten(t *testing.T) {
	file := keptBaseline(t)
	rec := readRecord(t, file)
	rec.Runs[0].Injected = "kernel=10%"
	missing := filepath.Join(t.TempDir(), "b.json")
	var out bytes.Buffer
	if err := writeBaseline(missing, rec, streams{out: &out, err: &out}, false); err == nil || !strings.Contains(err.Error(), "cannot be a baseline") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(missing); err == nil || out.Len() > 0 {
		t.Errorf("it was written: %s", &out)
	}
}

// A check of the default plan takes a minute: the error comes before it.
func TestAFolderInWhichNoBaselineCanBeKeptIsToldBeforehand(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "missing", "b.json"), t.TempDir()} {
		began := time.Now()
		code, _, stderr := fitbench("check", "--baseline", path, "--update-baseline", "--samples", "1000000", "--steps", "100000")
		if code != exitUsage || !strings.Contains(stderr, path) {
			t.Errorf("exit code %d after %v: %s", code, time.Since(began), stderr)
		}
	}
}

func TestOnlyVerdictsThatAreKnownToPassPass(t *testing.T) {
	for verdict, want := range map[string]int{"same": 0, "improved": 0, "regressed": 3, "inconclusive": 4, "not compared": 1, "invalid": 1, "": 1} {
		err := checkOptions{}.conclude(report.CheckResult{Verdict: verdict}, streams{out: io.Discard})
		code := exitFailed
		if told := silent(0); err == nil {
			code = exitOK
		} else if errors.As(err, &told) {
			code = int(told)
		}
		if code != want {
			t.Errorf("%q: exit code %d, want %d", verdict, code, want)
		}
	}
}

func TestABaselineThatIsNoneIsAnError(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"empty": "", "foreign": `{"a": 1}`, "cut": `{"schema_version": 1, "plan": {`, "not JSON": "hello"} {
		file := filepath.Join(folder, "x.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := fitbench(smallCheck("--baseline", file)...); code != exitFailed || !strings.Contains(stderr, file) {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
	}
	for _, file := range []string{filepath.Join(folder, "missing"), folder, filepath.Join(folder, "x.json", "below")} {
		if code, _, stderr := fitbench(smallCheck("--baseline", file)...); code != exitFailed || !strings.Contains(stderr, file) {
			t.Errorf("%s: exit code %d: %s", file, code, stderr)
		}
	}
}

func TestWrongUsesOfCheck(t *testing.T) {
	for want, args := range map[string][]string{
		"--base or --baseline":           {},
		"give one of the two":            {"--base", "native", "--baseline", "x"},
		"belong to --base":               {"--baseline", "x", "--gate", "fit@compiled"},
		"belongs to --baseline":          {"--base", "native", "--update-baseline"},
		"the gates say what is run":      {"--base", "native", "--modes", "fit"},
		"must not be slowed down":        {"--baseline", "x", "--update-baseline", "--inject-slowdown", "kernel=1%"},
		"for a mode that is not run":     {"--base", "native", "--gate", "fit@compiled", "--inject-slowdown", "generator@compiled=10%"},
		"are the same file":              {"--baseline", "x", "--output-file", "./x"},
		"as in fit@compiled=10%":         {"--base", "native", "--inject-slowdown", "fit=10%"},
		"a mode with its execution":      {"--base", "native", "--gate", "fit"},
		"is given twice":                 {"--base", "native", "--gate", "fit@eager,fit@eager"},
		"each gate is accepted once":     {"--base", "native", "--gate", "fit@eager", "--gate", "fit@eager"},
		"1 to 5 are accepted":            {"--base", "native", "--gate", "fit@eager,fit@compiled,cpu:fit@eager,memory:fit@eager,cpu:fit@compiled,memory:fit@compiled"},
		"no such file":                   {"--base", "native:/nowhere/fitbench"},
		"accepted: native, native:PATH":  {"--base", "tensorflow"},
		"a change above 0 %":             {"--base", "native", "--min-change", "0"},
		"a duration above 0 is accepted": {"--base", "native", "--max-time", "-1s"},
	} {
		code, _, stderr := fitbench(append([]string{"check"}, args...)...)
		if code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
		wantContains(t, strings.Join(args, " "), stderr, want)
	}
}
