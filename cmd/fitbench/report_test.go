package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// keep writes a text into a file of its own.
func keep(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// kept is the record of a small plan with one run, of that seed, in a file.
func kept(t *testing.T, seed uint32) string {
	t.Helper()
	rec := record.Record{
		SchemaVersion: record.SchemaVersion,
		Plan: record.Plan{Samples: 2000, Window: 104, Seed: seed, BatchSize: 8, Steps: 20, Rounds: 1, Threads: 2,
			Cells: []record.Cell{{Mode: "fit", Execution: "compiled"}}},
		Environment: record.Environment{UsableCores: 2, OS: "linux", Arch: "amd64", Go: "go1.26"},
		Runs: []record.Run{{Mode: "fit", Feed: "array", Execution: "compiled", Engine: "fitbench", Threads: 2, Round: 1, BatchSize: 8,
			Steps: 20, StepMilliseconds: record.Of(0.125), OrderDigest: "12", WeightsDigest: "34"}},
	}
	var text bytes.Buffer
	if err := report.JSON(&text, rec); err != nil {
		t.Fatal(err)
	}
	return keep(t, fmt.Sprintf("seed%d.json", seed), text.String())
}

func TestReportShowsAKeptRecordAsRunDid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	for _, format := range report.FormatNames() {
		code, printed, stderr := fitbench(small("--output-file", path, "--modes", "fit,fit-windows", "-o", format)...)
		if code != exitOK || printed == "" {
			t.Fatalf("%s: exit code %d: %s", format, code, stderr)
		}
		code, again, stderr := fitbench("report", path, "-o", format)
		if code != exitOK || stderr != "" {
			t.Errorf("%s: exit code %d, standard error %q", format, code, stderr)
		}
		if again = strings.ReplaceAll(again, path, ""); again != printed { // csv names the file
			t.Errorf("%s: run printed\n%s\nreport\n%s", format, printed, again)
		}
	}
}

func TestARealRecordIsAsTheSchemaSays(t *testing.T) {
	text, err := os.ReadFile("../../docs/record.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--epochs", "1"}, {"--steps", "20", "--threads", "1"}} {
		args = append([]string{"run", "--samples", "2000", "--batch-size", "64", "--rounds", "2", "-o", "json"}, args...)
		_, printed, stderr := fitbench(args...)
		var tree any
		if err := json.Unmarshal([]byte(printed), &tree); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		if err := resolved.Validate(tree); err != nil {
			t.Errorf("%v: %v\n%s", args, err, printed)
		}
	}
}

func TestReportReadsStandardInput(t *testing.T) {
	text, err := os.ReadFile(kept(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	code := execute(context.Background(), []string{"report", "-", kept(t, 2), "-o", "csv"}, streams{in: bytes.NewReader(text), out: &out, err: &told})
	if code != exitOK || told.Len() > 0 {
		t.Errorf("exit code %d: %s", code, told.String())
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[1], "-,") || !strings.Contains(lines[2], "seed2.json,") {
		t.Errorf("got\n%s", out.String())
	}
}

func TestReportRefusesWhatIsNoRecordAndNamesTheFile(t *testing.T) {
	good := kept(t, 1)
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(old, new string) string {
		if !strings.Contains(string(text), old) {
			t.Fatalf("the record has no %s", old)
		}
		return keep(t, "changed.json", strings.Replace(string(text), old, new, 1))
	}
	for _, c := range []struct {
		name, file string
		says       []string
	}{
		{"missing", filepath.Join(t.TempDir(), "gone.json"), []string{"gone.json", "no such file"}},
		{"a directory", t.TempDir(), []string{"is a directory"}},
		{"below a regular file", good + "/a.json", []string{"seed1.json/a.json", "not a directory"}},
		{"empty", keep(t, "void.json", ""), []string{"void.json", "empty"}},
		{"cut short", keep(t, "cut.json", string(text[:len(text)/2])), []string{"cut.json", "cut short", "byte"}},
		{"other JSON", keep(t, "package.json", `{"name": "x", "version": "1.0.0"}`), []string{"package.json", "not a record of fitbench"}},
		{"no JSON", keep(t, "a.csv", "a,b\n1,2\n"), []string{"a.csv", "not JSON"}},
		{"a newer version", changed(`"schema_version": 1`, `"schema_version": 7`), []string{"schema_version is 7", "reads up to 1", "a newer fitbench is needed"}},
		{"NaN", changed(`0.125`, `NaN`), []string{"changed.json", "NaN at byte", "JSON has no such number"}},
		{"infinity", changed(`0.125`, `-Infinity`), []string{"Infinity at byte", "JSON has no such number"}},
		{"beyond all numbers", changed(`0.125`, `1e999`), []string{"1e999", "step_milliseconds"}},
		{"no batch size", changed(`"batch_size": 8`, `"batch_size": 0`), []string{"plan.batch_size 0"}},
	} {
		for _, format := range report.FormatNames() {
			code, stdout, stderr := fitbench("report", c.file, "-o", format)
			if code != exitFailed || stdout != "" || strings.Contains(stderr, "Usage:") {
				t.Errorf("%s as %s: exit code %d, standard output %q", c.name, format, code, stdout)
			}
			wantContains(t, c.name, stderr, c.says...)
		}
	}
}

func TestReportTellsOfEveryFileThatCannotBeReadAndWritesNothing(t *testing.T) {
	code, stdout, stderr := fitbench("report", keep(t, "void.json", ""), kept(t, 1), keep(t, "list.json", "[]"))
	if code != exitFailed || stdout != "" {
		t.Errorf("exit code %d, standard output %q", code, stdout)
	}
	wantContains(t, "standard error", stderr, "void.json", "list.json")
}

func TestWrongUsageOfReport(t *testing.T) {
	a, b := kept(t, 1), kept(t, 2)
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"no file", nil, []string{"FILE"}},
		{"standard input twice", []string{"-", "-"}, []string{"standard input", "once"}},
		{"two records in JSON", []string{a, b, "-o", "json"}, []string{"-o json", "2 files", "one record"}},
		{"unknown format", []string{a, "-o", "yaml"}, []string{`"yaml"`, "table", "csv", "markdown", "benchfmt"}},
		{"output into the record", []string{a, "-o", "csv", "--output-file", a}, []string{"--output-file", "are the same file"}},
		{"output into another name of the record", []string{a, "-o", "csv", "--output-file", filepath.Dir(a) + "/./" + filepath.Base(a)}, []string{"are the same file"}},
		{"picture and output in one", []string{a, "--plot", a + ".svg", "--output-file", a + ".svg"}, []string{"--plot", "--output-file", "are the same file"}},
		{"picture of two", []string{a, b, "--plot", a + ".svg"}, []string{"--plot", "one record", "2 files"}},
		{"an empty name", []string{a, "--output-file", ""}, []string{"--output-file", "not an empty one"}},
		{"output into a folder", []string{a, "--output-file", t.TempDir()}, []string{"--output-file", "folder"}},
		{"output below a file", []string{a, "--output-file", a + "/x"}, []string{"--output-file", "not a directory"}},
	} {
		code, stdout, stderr := fitbench(append([]string{"report"}, c.args...)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", c.name, code, stdout)
		}
		wantContains(t, c.name, stderr, append(c.says, "Usage:")...)
	}
	if again, err := os.ReadFile(a); err != nil || !bytes.Contains(again, []byte("schema_version")) {
		t.Errorf("the record is gone: %v", err)
	}
}

func TestReportWritesAFileAsAWhole(t *testing.T) {
	path := keep(t, "out.csv", "old")
	code, stdout, stderr := fitbench("report", kept(t, 1), kept(t, 2), "-o", "csv", "--output-file", path)
	if code != exitOK || stdout != "" || stderr != "" {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("the file holds %s, %v", text, err)
	}
	code, _, _ = fitbench("report", keep(t, "void.json", ""), "--output-file", path)
	if text, err := os.ReadFile(path); code != exitFailed || err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("after a failure, exit code %d, the file holds %s, %v", code, text, err)
	}
}

func TestReportOnAFullDeviceIsAnError(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	for _, format := range report.FormatNames() {
		code, _, stderr := fitbench("report", kept(t, 1), "-o", format, "--output-file", "/dev/full")
		if code != exitFailed {
			t.Errorf("%s: exit code %d", format, code)
		}
		wantContains(t, format, stderr, "/dev/full", "no space left")

		cmd := program(t, "report", kept(t, 1), "-o", format)
		out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		cmd.Stdout, cmd.Stderr = out, &told
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(told.String(), "no space left") {
			t.Errorf("%s to a full standard output: %v, %q", format, err, told.String())
		}
		out.Close()
	}
}
