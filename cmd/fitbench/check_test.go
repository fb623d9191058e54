package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/record"
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
			t.Errorf("%s was slowed down", r.Engine)
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
		if (r.Injected != "") != (r.Engine == "head") {
			t.Errorf("injected into %s: %q", r.Engine, r.Injected)
		}
	}
}

func TestWhatIsNotDecidedHasAnExitCodeOfItsOwn(t *testing.T) {
	args := smallCheck("--base", "native", "--gate", "fit@compiled", "--max-time", "1ms")
	code, stdout, _ := fitbench(args...)
	if code != exitNotDecided {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the check", stdout, "Verdict: inconclusive", "not decided within --max-time")
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
	wantContains(t, "the check", stdout, "### fitbench check: same", "| figure |", "exact counts")

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
		changed := readRecord(t, file)
		c.change(&changed)
		text, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		bad := filepath.Join(t.TempDir(), "bad.json")
		if err := os.WriteFile(bad, text, 0o644); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := quick("--baseline", bad)
		if code != exitFailed || stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", name, code, stdout)
		}
		if !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %q lacks %q", name, stderr, c.want)
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
		"as in fit@compiled=10%":         {"--base", "native", "--inject-slowdown", "fit=10%"},
		"a mode with its execution":      {"--base", "native", "--gate", "fit"},
		"is given twice":                 {"--base", "native", "--gate", "fit@eager,fit@eager"},
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

func TestGatesAreFiguresOfCells(t *testing.T) {
	gates, err := parseGates([]string{"fit@compiled", "cpu:fit@compiled", " memory:generator@eager"})
	if err != nil || len(gates) != 3 || gates[1].title != "CPU seconds" || gates[2].name != "memory:generator@eager" {
		t.Fatalf("%+v, %v", gates, err)
	}
	if cells := cellsOf(gates); len(cells) != 2 {
		t.Errorf("cells %v, want fit@compiled and generator@eager once each", cells)
	}
	run := record.Run{
		StepMilliseconds: record.Of(3.0), UserSeconds: record.Of(1.0), SystemSeconds: record.Of(0.5), PeakRSSBytes: record.Of(int64(7e6)),
	}
	for i, want := range []float64{3, 1.5, 7} {
		if got := gates[i].of(run); got == nil || *got != want {
			t.Errorf("%s is %v, want %v", gates[i].name, got, want)
		}
		if got := gates[i].of(record.Run{}); got != nil {
			t.Errorf("%s is %v where nothing was measured", gates[i].name, *got)
		}
	}
}
