package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrongUsageNamesTheFlagTheValueAndWhatIsAccepted(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"batch size 0", []string{"--batch-size", "0"}, []string{"--batch-size", `"0"`, "from 1 to"}},
		{"batch size negative", []string{"--batch-size", "-5"}, []string{"--batch-size", `"-5"`, "from 1 to"}},
		{"batch size in e notation", []string{"--batch-size", "1e3"}, []string{"--batch-size", `"1e3"`, "whole number"}},
		{"batch size above the samples", []string{"--batch-size", "3000", "--samples", "2000"}, []string{"--batch-size", "3000", "--samples", "2000"}},
		{"window above the samples", []string{"--window", "300", "--samples", "200"}, []string{"--window", "300", "200"}},
		{"window too short for kernel and pool", []string{"--window", "11"}, []string{"--window", "11", "kernel 9", "pool 4", "12"}},
		{"more anomalies than samples", []string{"--anomalies", "2001", "--samples", "2000"}, []string{"--anomalies", "2001", "2000"}},
		{"noise NaN", []string{"--noise", "NaN"}, []string{"--noise", `"NaN"`, "finite"}},
		{"noise infinite", []string{"--noise", "+Inf"}, []string{"--noise", `"+Inf"`, "finite"}},
		{"noise negative", []string{"--noise", "-0.1"}, []string{"--noise", `"-0.1"`, "0 or larger"}},
		{"shift NaN", []string{"--shift", "nan"}, []string{"--shift", `"nan"`, "finite"}},
		{"unknown mode", []string{"--modes", "fit,fast"}, []string{`"fast"`, "fit-windows", "train-on-batch"}},
		{"unknown execution in a mode", []string{"--modes", "fit@fast"}, []string{"fast", "compiled", "eager"}},
		{"unknown execution", []string{"--modes", "fit", "--executions", "fast"}, []string{"fast", "compiled", "eager"}},
		{"the same pair twice", []string{"--modes", "fit,fit@compiled"}, []string{"fit@compiled", "twice"}},
		{"modes with a line break", []string{"--modes", "fit\ngenerator"}, []string{"--modes", "fit-windows"}},
		{"no modes", []string{"--modes", ""}, []string{"fit-windows"}},
		{"no executions", []string{"--modes", "fit", "--executions", ""}, []string{"compiled", "eager"}},
		{"steps 0", []string{"--steps", "0"}, []string{"--steps", `"0"`, "from 1 to"}},
		{"epochs 0", []string{"--epochs", "0"}, []string{"--epochs", `"0"`, "from 1 to"}},
		{"steps with epochs", []string{"--steps", "10", "--epochs", "2"}, []string{"--steps 10", "--epochs 2"}},
		{"epochs beyond counting", []string{"--epochs", "2147483647"}, []string{"--epochs", "2147483647", "1 to"}},
		{"rounds 0", []string{"--rounds", "0"}, []string{"--rounds", `"0"`}},
		{"kernel that is not there", []string{"--kernel", "neon"}, []string{"--kernel", `"neon"`, "auto", "go"}},
		{"workers 0", []string{"--workers", "0"}, []string{"--workers", `"0"`, "from 1 to"}},
		{"queue size 0", []string{"--queue-size", "0"}, []string{"--queue-size", `"0"`, "from 1 to"}},
		{"chunk size 0", []string{"--chunk-size", "0"}, []string{"--chunk-size", `"0"`, "from 1 to"}},
		{"several steps in one call of the native engine", []string{"--steps-per-execution", "16"}, []string{"--steps-per-execution 16", "--engine keras"}},
		{"several steps in one call of train-on-batch", []string{"--engine", "keras", "--modes", "train-on-batch", "--steps-per-execution", "1,16"}, []string{"--steps-per-execution 1,16", "train-on-batch"}},
		{"steps per execution twice", []string{"--engine", "keras", "--steps-per-execution", "4,16,4"}, []string{"--steps-per-execution", "4 is there twice"}},
		{"XLA perhaps", []string{"--engine", "keras", "--jit-compile=maybe"}, []string{`"maybe"`, "--jit-compile", "true and false are accepted"}},
		{"an execution as long as the run", []string{"--engine", "keras", "--steps-per-execution", "1,76"}, []string{"--steps-per-execution 76", "300 steps; 304 are needed"}},
		{"XLA for the native engine", []string{"--jit-compile"}, []string{"--jit-compile", "--engine keras"}},
		{"steps per execution 0", []string{"--engine", "keras", "--steps-per-execution", "0"}, []string{"--steps-per-execution", `"0"`, "from 1 to"}},
		{"threads 0", []string{"--threads", "0"}, []string{"--threads", `"0"`, "from 1 to"}},
		{"seed -1", []string{"--seed", "-1"}, []string{"--seed", `"-1"`, "4294967295"}},
		{"seed 2^32", []string{"--seed", "4294967296"}, []string{"--seed", "4294967296", "4294967295"}},
		{"samples -1", []string{"--samples", "-1"}, []string{"--samples", `"-1"`, "2147483647"}},
		{"samples 2^31", []string{"--samples", "2147483648"}, []string{"--samples", "2147483648", "2147483647"}},
		{"output format", []string{"-o", "yaml"}, []string{"--output", `"yaml"`, "table", "json"}},
		{"output file in a missing folder", []string{"--output-file", plain + "-missing/out.json"}, []string{"--output-file", "missing"}},
		{"output file below a regular file", []string{"--output-file", plain + "/out.json"}, []string{"--output-file", "plain"}},
		{"output file is a folder", []string{"--output-file", filepath.Dir(plain)}, []string{"--output-file", "folder"}},
		{"unknown flag", []string{"--fast"}, []string{"--fast"}},
		{"argument", []string{"fit"}, []string{`"fit"`, "flags only"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := fitbench(append([]string{"run"}, c.args...)...)
			if code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			if stdout != "" {
				t.Errorf("standard output holds %q", stdout)
			}
			wantContains(t, "standard error", stderr, append(c.says, "Usage:")...)
		})
	}
}

func TestAnUnknownCommandIsWrongUsage(t *testing.T) {
	code, _, stderr := fitbench("rnu")
	if code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	wantContains(t, "standard error", stderr, `"rnu"`, "Usage:")
}

func TestHelpGoesToStandardOutput(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"run", "--help"}} {
		code, stdout, stderr := fitbench(args...)
		if code != exitOK || stderr != "" {
			t.Errorf("%v: exit code %d, standard error %q", args, code, stderr)
		}
		wantContains(t, "help", stdout, "Usage:")
	}
}
