package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"fitbench/internal/meter"
)

// asProgram makes the test binary be fitbench: a run starts its own executable again, and the tests of signals need a process.
// Its value "interactive" makes it show progress as if standard error were a terminal.
const asProgram = "FITBENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "":
		os.Setenv(asProgram, "plain")            // for the children of this process
		os.Setenv("GORACE", "atexit_sleep_ms=0") // under the race detector each would wait a second before it ends
		goleak.VerifyTestMain(m)
	case "interactive":
		os.Setenv(asProgram, "plain")
		os.Exit(execute(context.Background(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, interactive: true}))
	default:
		main()
	}
}

// fitbench runs one command line in this process.
func fitbench(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = execute(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err, watchOthers: nobodyElse})
	return code, out.String(), err.String()
}

// nobodyElse has checks believe that they are alone on the machine: tests run beside other tests.
func nobodyElse() func() meter.Disturbance {
	return func() meter.Disturbance { return meter.Disturbance{} }
}

// program is a command line as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=plain")
	return cmd
}

// small is a plan that ends within a second.
func small(args ...string) []string {
	return append([]string{"run", "--samples", "2000", "--batch-size", "8", "--steps", "20", "--rounds", "1"}, args...)
}

func wantContains(t *testing.T, what, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, got)
		}
	}
}
