package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/record"
)

// smallSweep is a sweep of a few runs that last a moment.
func smallSweep(args ...string) []string {
	return append([]string{
		"sweep", "--samples", "2000", "--batch-sizes", "4..16x2", "--steps", "40", "--samples-per-run", "320", "--rounds", "1",
		"--modes", "fit@compiled,train-on-batch@eager",
	}, args...)
}

func TestASweepRunsEveryModeAtEverySize(t *testing.T) {
	code, stdout, stderr := fitbench(smallSweep("-o", "json")...)
	if code != exitOK {
		t.Fatalf("exit code %d, standard error %q", code, stderr)
	}
	wantContains(t, "standard error", stderr, "6 runs, about")
	steps := map[int]int{}
	rec := decode(t, stdout)
	for _, r := range rec.Runs {
		steps[r.BatchSize] = r.Steps
	}
	if len(rec.Runs) != 6 || steps[4] != 40 || steps[8] != 40 || steps[16] != 20 {
		t.Errorf("%d runs with steps by size %v; want 6 runs of 40, 40 and 20", len(rec.Runs), steps)
	}
}

func TestASweepsTableHasACostModelOfEachMode(t *testing.T) {
	code, stdout, _ := fitbench(smallSweep()...)
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the table", stdout, "ms a step at batch size", "times fit", "CPU load", "fit@compiled", "train-on-batch@eager", "batch 4 / 8 / 16")
}

func TestASweepGoesOnWhereItWasKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	if code, _, stderr := fitbench(smallSweep("--output-file", file, "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	before := readRecord(t, file)
	code, _, stderr := fitbench(smallSweep("--resume", file, "--rounds", "2")...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	wantContains(t, "standard error", stderr, "6 runs, about")
	after := readRecord(t, file)
	if len(before.Runs) != 6 || len(after.Runs) != 12 || after.Plan.Rounds != 2 || *after.Runs[0].WallSeconds != *before.Runs[0].WallSeconds {
		t.Errorf("%d runs became %d in %d rounds", len(before.Runs), len(after.Runs), after.Plan.Rounds)
	}
}

func TestASweepDoesNotGoOnWithAnotherPlan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	if code, _, stderr := fitbench(smallSweep("--output-file", file, "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--seed", "7"}, "seed is 0, asked for is 7"},
		{[]string{"--batch-sizes", "4,8"}, "batch_sizes is [4,8,16], asked for is [4,8]"},
		{[]string{"--output-file", file + "2"}, "give one of the two"},
		{[]string{"--threads", "3"}, "threads is"},
	} {
		code, _, stderr := fitbench(smallSweep(append([]string{"--resume", file}, c.args...)...)...)
		if code != exitUsage {
			t.Errorf("%v: exit code %d", c.args, code)
		}
		wantContains(t, "the error", stderr, c.want)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(kept) {
		t.Errorf("the kept record has changed (%v)", err)
	}
	if code, _, stderr := fitbench(smallSweep("--resume", file+"-missing")...); code != exitFailed {
		t.Errorf("a missing file: exit code %d: %s", code, stderr)
	}
}

// Two rounds of which one run failed: it alone is missing, and no fewer rounds are accepted.
func TestASweepLosesNoRunThatWasKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	if code, _, stderr := fitbench(smallSweep("--rounds", "2", "--output-file", file, "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	kept := readRecord(t, file)
	kept.Runs[3].Error = "killed"
	writeRecord(t, file, kept)
	code, _, stderr := fitbench(smallSweep("--resume", file, "--rounds", "1")...)
	if code != exitUsage {
		t.Errorf("fewer rounds: exit code %d", code)
	}
	wantContains(t, "the error", stderr, "runs of 2 rounds, which would be lost")
	if code, _, stderr = fitbench(smallSweep("--resume", file, "--rounds", "2")...); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	wantContains(t, "standard error", stderr, "1 run, about")
	if after := readRecord(t, file); len(after.Runs) != 12 || after.Runs[11].Error != "" {
		t.Errorf("%d runs, want 12 without an error", len(after.Runs))
	}
}

func TestASweepDoesNotGoOnOnAnotherMachine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	if code, _, stderr := fitbench(smallSweep("--output-file", file, "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	kept := readRecord(t, file)
	kept.Environment.CPUModel = "Abacus"
	writeRecord(t, file, kept)
	code, _, stderr := fitbench(smallSweep("--resume", file)...)
	if code != exitUsage {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the error", stderr, "another machine or build", "Abacus")
}

func TestASweepDoesNotGoOnWithRunsThatAreNotItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	if code, _, stderr := fitbench(smallSweep("--output-file", file, "--quiet")...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	kept := readRecord(t, file)
	for want, change := range map[string]func(r *record.Run){
		"is not in its plan":              func(r *record.Run) { r.Mode = "zzz" },
		"at batch 17":                     func(r *record.Run) { r.BatchSize = 17 },
		"in round 7":                      func(r *record.Run) { r.Round = 7 },
		"by other":                        func(r *record.Run) { r.Engine = "other" },
		"is there twice":                  func(r *record.Run) { *r = kept.Runs[1] },
		"work added \"kernel=10%\"":       func(r *record.Run) { r.Injected = "kernel=10%" },
		"7 threads":                       func(r *record.Run) { r.Threads = 7 },
		"runs[0].step_milliseconds is -1": func(r *record.Run) { r.StepMilliseconds = record.Of(-1.0) },
	} {
		changed := kept
		changed.Runs = append([]record.Run(nil), kept.Runs...)
		change(&changed.Runs[0])
		writeRecord(t, file, changed)
		code, _, stderr := fitbench(smallSweep("--resume", file)...)
		if code != exitFailed || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %q; want %q", code, stderr, want)
		}
		if after := readRecord(t, file); len(after.Runs) != len(kept.Runs) {
			t.Errorf("%s: the file has %d runs now", want, len(after.Runs))
		}
	}
}

func writeRecord(t *testing.T, file string, rec record.Record) {
	t.Helper()
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestASweepThatFitsNoRoundIntoItsTimeIsRefused(t *testing.T) {
	code, _, stderr := fitbench(smallSweep("--max-time", "1ns")...)
	if code != exitUsage {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the error", stderr, "--max-time 1ns", "one more round of 6 runs")
}

func TestReportedShowsTheReportedFigures(t *testing.T) {
	code, stdout, _ := fitbench("reported")
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the page", stdout, "1,985 s", "860 %", "two points")
}
