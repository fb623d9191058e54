package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestEnginesListsEveryForm(t *testing.T) {
	code, stdout, stderr := fitbench("engines")
	if code != exitOK || stderr != "" || strings.Count(stdout, "\n") != 3 {
		t.Errorf("exit code %d, standard error %q, output:\n%s", code, stderr, stdout)
	}
	wantContains(t, "the list", stdout, "native ", "native:PATH ", "exec:COMMAND ", "docs/protocol.md")
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

func TestWrongUseOfEnginesNamesTheValueAndWhatIsAccepted(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args, says []string
	}{
		{[]string{"list"}, []string{`"list"`}},
		{[]string{"test"}, []string{"0 arguments", "one engine"}},
		{[]string{"test", "exec:python3", "my.py"}, []string{"2 arguments", "in quotes"}},
		{[]string{"test", "keras"}, []string{`"keras"`, "native:PATH", "exec:COMMAND"}},
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
