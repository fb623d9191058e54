package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAnEngineIsHeldAgainstTheNativeOne(t *testing.T) {
	code, stdout, stderr := fitbench("verify", "--engine", "native", "--modes", "fit,fit-windows@eager", "--samples", "2000", "--steps", "3", "--batch-size", "8")
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines, want three cells, the series and the sum:\n%s", len(lines), stdout)
	}
	for i, want := range []string{"fit@compiled:", "fit@eager:", "fit-windows@eager:"} {
		wantContains(t, "line", lines[i], "ok    native (", want, "losses of 3 steps   0 ")
	}
	wantContains(t, "the last line", lines[4], "3 checks, all passed; 1 not compared")
}

// fakeEngine is a program that answers every job with that result.
func fakeEngine(t *testing.T, run string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "engine")
	script := "#!/bin/sh\nread -r job\n" +
		`echo '{"event":"hello","protocol":1,"version":"fake"}'` + "\n" +
		`echo '{"event":"result","run":{"mode":"fit","execution":"compiled","round":1,"batch_size":8,"steps":2,"samples_trained":16,` + run + `}}'` + "\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return "exec:'" + path + "'"
}

func verifyFake(t *testing.T, run string) (code int, stdout, stderr string) {
	t.Helper()
	return fitbench("verify", "--engine", fakeEngine(t, run), "--modes", "fit@compiled", "--samples", "2000", "--steps", "2", "--batch-size", "8")
}

func TestAnEngineThatTrainsOtherwiseFails(t *testing.T) {
	code, stdout, stderr := verifyFake(t, `"step_losses":[5,0.5]`)
	if code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "standard output", stdout, "FAIL  exec:", "(fake), fit@compiled: losses of 2 steps", "figure 1", "1 of 1 checks failed")
	wantContains(t, "standard error", stderr, "not every engine")
}

func TestAnEngineWithoutLossesIsWrongUsage(t *testing.T) {
	code, _, stderr := verifyFake(t, `"epochs":[]`)
	if code != exitUsage {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "standard error", stderr, "--engine", "tells no step_losses", "Usage:")
}

func TestWrongUsageOfVerifyWithEngines(t *testing.T) {
	for _, c := range []struct {
		args, says []string
	}{
		{[]string{"--modes", "fit"}, []string{"--engine is needed"}},
		{[]string{"--steps", "20"}, []string{"--engine is needed"}},
		{[]string{"--engine", "native", "folder"}, []string{"folder", "give one of the two"}},
		{[]string{"--engine", "kerras"}, []string{`"kerras"`, "accepted:"}},
		{[]string{"--engine", "native", "--engine", "native"}, []string{"twice"}},
		{[]string{"--engine", "native", "--modes", "fast"}, []string{"--modes", `"fast"`, "it has fit@compiled"}},
		{[]string{"--engine", "native", "--modes", "fit,fit@eager"}, []string{"--modes", "fit@eager", "twice"}},
		{[]string{"--engine", "native", "--steps", "10001"}, []string{"--steps", "from 1 to 10000"}},
		{[]string{"--engine", "native", "--samples", "50"}, []string{"--window", "104", "50"}},
	} {
		code, stdout, stderr := fitbench(append([]string{"verify"}, c.args...)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, standard output %q", c.args, code, stdout)
		}
		wantContains(t, "standard error", stderr, append(c.says, "Usage:")...)
	}
}
