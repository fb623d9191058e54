package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fitbench/internal/engine"
)

func TestEnginesListsEveryFormAlsoWhereThereIsNoPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VIRTUAL_ENV", "")
	code, stdout, stderr := fitbench("engines")
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	wantContains(t, "the list", stdout, "native ", "native:PATH ", "exec:COMMAND ", "docs/protocol.md",
		"keras[@BACKEND][:PYTHON] ", "tf-keras[:PYTHON] ", "torch[:PYTHON] ", "jax[:PYTHON] ", " usable core", "no Python was found; --python PATH names one")
}

// python writes an interpreter that answers with that when it is asked what it has.
func python(t *testing.T, answer string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+answer+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEnginesListsWhatEachInterpreterHas(t *testing.T) {
	good := python(t, `{"version": "3.12.3", "prefix": "/x", "executable": "", "engines": [`+
		`{"name": "keras", "versions": "Keras 3.15.0", "missing": "/x/python -m pip install tensorflow-cpu", "backend": "tensorflow", "backend_by": "default"}, `+
		`{"name": "keras@jax", "versions": "Keras 3.15.0, JAX 0.9.1", "missing": ""}, `+
		`{"name": "torch", "versions": "", "missing": "/x/python -m pip install torch"}]}`)
	old, broken := python(t, `{"version": "2.7.18", "prefix": "/x", "executable": ""}`), python(t, "")
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VIRTUAL_ENV", "")
	code, stdout, stderr := fitbench("engines", "--python", good, "--python", old, "--python", broken, "--python", "none-such")
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	_, list, _ := strings.Cut(stdout, "usable core")
	_, list, _ = strings.Cut(list, "\n")
	want := `
` + good + ` is Python 3.12.3
  keras      Keras 3.15.0, backend tensorflow (default), missing: /x/python -m pip install tensorflow-cpu
  keras@jax  Keras 3.15.0, JAX 0.9.1
  torch      missing: /x/python -m pip install torch

` + old + ` cannot be used: it is Python 2.7.18; 3.7 or later is accepted

` + broken + ` cannot be used: it answers "", which no Python does

none-such cannot be started: executable file not found in $PATH
`
	if list != want {
		t.Errorf("the list is\n%s\nwant\n%s", list, want)
	}
}

func TestEnginesTestPassesThisProgram(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"native"}, {"native:" + exe}, {"exec:'" + exe + "' worker"}, {"--cell", "fit-windows@compiled", "native"},
	} {
		code, stdout, stderr := fitbench(append([]string{"engines", "test"}, args...)...)
		if code != exitOK || stderr != "" || strings.Count(stdout, "pass  ") != 12 || strings.Contains(stdout, "FAIL") {
			t.Errorf("%v: exit code %d, standard error %q, output:\n%s", args, code, stderr, stdout)
		}
	}
}

func TestEnginesTestFailsAProgramThatDoesNotSpeakTheProtocol(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	code, stdout, stderr := fitbench("engines", "test", `exec:sh -c 'echo "{}"'`)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	wantContains(t, "standard output", stdout,
		"FAIL  the first line is a hello of protocol 1: before its first event it broke the protocol and was ended", "not tried, since there was no hello")
	wantContains(t, "standard error", stderr, "does not keep every rule")
	if strings.Contains(stdout, "pass") || strings.Count(stdout, "\n") != 12 {
		t.Errorf("standard output:\n%s", stdout)
	}
}

func TestARuleThatIsLeftOutNeitherPassesNorFails(t *testing.T) {
	var out strings.Builder
	if err := printCheck(&out, engine.Check{Rule: "the order is kept", Left: "it is not told"}); err != nil || out.String() != "--    the order is kept: it is not told\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestWrongUseOfEnginesNamesTheValueAndWhatIsAccepted(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args, says []string
	}{
		{[]string{"list"}, []string{`"list"`}},
		{[]string{"test"}, []string{"0 arguments", "one engine"}},
		{[]string{"test", "exec:python3", "my.py"}, []string{"2 arguments", "in quotes"}},
		{[]string{"test", "tensorflow"}, []string{`"tensorflow"`, "native:PATH", "exec:COMMAND", "tf-keras[:PYTHON]"}},
		{[]string{"test", "keras@mxnet"}, []string{`"mxnet"`, "tensorflow, torch, jax"}},
		{[]string{"test", "jax:" + filepath.Join(dir, "missing")}, []string{"missing"}},
		{[]string{"test", "--cell", "fit-sequence@compiled", "native"}, []string{"--cell", `"native" has no fit-sequence@compiled`, "fit-windows@eager"}},
		{[]string{"test", "native:" + filepath.Join(dir, "missing")}, []string{"missing"}},
		{[]string{"test", "native:" + dir}, []string{dir}},
		{[]string{"test", "exec:'"}, []string{"not closed"}},
		{[]string{"test", "--cell", "fast", "native"}, []string{"--cell fast", "fit-windows"}},
		{[]string{"test", "--cell", "fit", "native"}, []string{"--cell fit", "fit@compiled"}},
	} {
		code, stdout, stderr := fitbench(append([]string{"engines"}, c.args...)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, want %d; standard output %q", c.args, code, exitUsage, stdout)
		}
		wantContains(t, "standard error", stderr, append(c.says, "Usage:")...)
	}
}
