package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keptRecord runs a small benchmark and returns the file of its record.
func keptRecord(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	code, _, stderr := fitbench(small(append([]string{"--output-file", path, "--modes", "fit-windows@compiled"}, args...)...)...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return path
}

func TestCompareHoldsRecordsAgainstTheFirst(t *testing.T) {
	dir := t.TempDir()
	base, other := keptRecord(t, dir, "base.json"), keptRecord(t, dir, "other.json", "--seed", "1")
	code, stdout, stderr := fitbench("compare", base, other, base)
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, standard error %q", code, stderr)
	}
	wantContains(t, "the comparison", stdout, "B against A", "fit-windows@compiled", "peak memory", "seed", "order of samples (not the same seed)",
		"A and C are the same file")
}

func TestCompareNamesTheFileThatIsNoRecord(t *testing.T) {
	dir := t.TempDir()
	good := keptRecord(t, dir, "good.json")
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"empty.json":   "",
		"cut.json":     string(whole[:len(whole)/2]),
		"foreign.json": `{"name": "x"}`,
		"newer.json":   strings.Replace(string(whole), `"schema_version": 1`, `"schema_version": 99`, 1),
		"nan.json":     strings.Replace(string(whole), `"noise": 0.2`, `"noise": NaN`, 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, says string }{
		{"empty.json", "empty"}, {"cut.json", "cut short"}, {"foreign.json", "schema_version"}, {"newer.json", "99"}, {"nan.json", "NaN"},
		{"missing.json", "missing.json"}, {"", "directory"}, {"good.json/x", "good.json/x"},
	} {
		path := filepath.Join(dir, c.name)
		for _, args := range [][]string{{"compare", good, path}, {"compare", path, good}} {
			code, stdout, stderr := fitbench(args...)
			if code != exitFailed || stdout != "" {
				t.Errorf("%v: exit code %d, standard output %q", args, code, stdout)
			}
			wantContains(t, "standard error", stderr, path, c.says)
		}
	}
}

func TestCompareTakesTwoFilesAtLeast(t *testing.T) {
	for _, args := range [][]string{{"compare"}, {"compare", "a.json"}} {
		code, stdout, stderr := fitbench(args...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, standard output %q", args, code, stdout)
		}
		wantContains(t, "standard error", stderr, "two or more", "Usage:")
	}
}

func TestCompareOntoAFullDeviceIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	path := keptRecord(t, t.TempDir(), "a.json")
	cmd := program(t, "compare", path, path)
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &told
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("%v, want exit code %d", err, exitFailed)
	}
	wantContains(t, "standard error", told.String(), "no space left")
}
