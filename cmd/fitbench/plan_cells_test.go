package main

import (
	"encoding/json"
	"strings"
	"testing"

	"fitbench/internal/record"
)

func cellsOf(p record.Plan) string {
	var names []string
	for _, c := range p.Cells {
		names = append(names, c.String())
	}
	return strings.Join(names, " ")
}

func TestTheDefaultModesAreThoseThatEveryEngineHas(t *testing.T) {
	const grid = "fit@compiled generator@compiled generator@eager train-on-batch@compiled train-on-batch@eager fit-windows@compiled"
	const compiled = "fit@compiled generator@compiled train-on-batch@compiled fit-windows@compiled"
	for args, want := range map[string]string{
		"":                                                  grid,
		"--engine native --engine exec:x":                   grid,
		"--engine keras":                                    compiled,
		"--engine native --engine keras@jax:/py":            compiled,
		"--engine keras --executions eager":                 strings.ReplaceAll(compiled, "compiled", "eager"),
		"--engine keras --modes generator":                  "generator@compiled generator@eager",
		"--engine keras --modes fit,pipeline":               "fit@compiled fit@eager pipeline@compiled",
		"--engine keras --modes timeseries-helper@compiled": "timeseries-helper@compiled",
		"--engine exec:x --engine native:./x --modes fit-sequence@compiled": "fit-sequence@compiled",
		"--engine torch":                 strings.ReplaceAll(compiled, "compiled", "eager"),
		"--engine torch --engine native": compiled,
	} {
		if got := cellsOf(planOf(t, strings.Fields(args)...)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// train-on-batch is one step a call everywhere, native and torch are so in all modes.
func TestCellsAreThereForEachNumberOfStepsACallThatAnEngineCan(t *testing.T) {
	for args, want := range map[string]string{
		"--engine keras --modes fit@compiled,train-on-batch@compiled --steps-per-execution 1,16":     "fit@compiled fit/16@compiled train-on-batch@compiled",
		"--engine keras --modes fit,train-on-batch@compiled --steps-per-execution 16":                "fit/16@compiled fit@eager train-on-batch@compiled",
		"--engine keras --engine native --modes fit@compiled --steps-per-execution 4,16":             "fit@compiled fit/4@compiled fit/16@compiled",
		"--engine keras@torch --engine jax --modes fit@compiled --steps-per-execution 2":             "fit@compiled fit/2@compiled",
		"--engine jax:/py --modes fit-windows@compiled,fit-chunked@compiled --steps-per-execution 2": "fit-windows/2@compiled fit-chunked@compiled",
		"--engine exec:x --modes fit@eager --steps-per-execution 2":                                  "fit/2@eager",
		"--engine keras --modes fit@compiled --steps-per-execution 1":                                "fit@compiled",
	} {
		if got := cellsOf(planOf(t, strings.Fields(args)...)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestFrameworksAreMeasuredInFewerStepsAndRoundsWhereNoneAreGiven(t *testing.T) {
	for args, want := range map[string][3]int{ // steps, epochs, rounds
		"":                                        {2000, 0, 5},
		"--engine exec:x":                         {2000, 0, 5},
		"--engine native --engine jax":            {300, 0, 4},
		"--engine keras --steps 2000":             {2000, 0, 4},
		"--engine keras --rounds 5":               {300, 0, 5},
		"--engine keras --epochs 2":               {0, 2, 1},
		"--engine torch:/py --steps 7 --rounds 9": {7, 0, 9},
	} {
		if p := planOf(t, strings.Fields(args)...); [3]int{p.Steps, p.Epochs, p.Rounds} != want {
			t.Errorf("%s: %d steps, %d epochs, %d rounds; want %v", args, p.Steps, p.Epochs, p.Rounds, want)
		}
	}
}

func TestOnlyKerasIsToldOfJITCompile(t *testing.T) {
	for args, want := range map[string]string{
		"--engine keras": "null", "--engine keras --jit-compile": "true", "--engine tf-keras --engine native --jit-compile=false": "false",
	} {
		if got, err := json.Marshal(planOf(t, strings.Fields(args)...).JITCompile); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", args, got, err, want)
		}
	}
}

func TestACellThatAnEngineLacksIsWrongUsageBeforeAnythingRuns(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--modes", "fit@compiled,timeseries-helper@compiled"},
		{"run", "--engine", "keras", "--engine", "native", "--modes", "timeseries-helper@compiled"},
		{"sweep", "--modes", "timeseries-helper@compiled"},
		{"check", "--base", "keras", "--gate", "timeseries-helper@compiled"},
		{"check", "--baseline", "any", "--modes", "timeseries-helper@compiled"},
	} {
		code, stdout, stderr := fitbench(args...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, want %d; standard output %q", args, code, exitUsage, stdout)
		}
		wantContains(t, "standard error", stderr, `engine "native" has no timeseries-helper@compiled; it has fit@compiled, fit@eager`, "Usage:")
	}
}

func TestAFrameworkWithoutAPythonIsWrongUsage(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VIRTUAL_ENV", "")
	for spec, want := range map[string]string{
		"keras": "no Python was found: python3, python", "jax:python3": "python3 cannot be started", "torch:/none/bin/python": "no such file",
	} {
		code, stdout, stderr := fitbench("run", "--engine", spec)
		if code != exitUsage || stdout != "" {
			t.Errorf("%s: exit code %d, want %d; standard output %q", spec, code, exitUsage, stdout)
		}
		wantContains(t, "standard error", stderr, "--engine: engine \""+spec+"\"", want, "Usage:")
	}
}

func TestWhatNobodyAskedForByNameIsLeftOutWhereAnEngineLacksIt(t *testing.T) {
	f := planFlags{engines: []string{"keras", "torch"}}
	fit, helper := record.Cell{Mode: "fit", Execution: "compiled"}, record.Cell{Mode: "timeseries-helper", Execution: "compiled"}
	left, err := f.common([]record.Cell{helper, fit})
	if err != nil || cellsOf(record.Plan{Cells: left}) != "fit@compiled" {
		t.Errorf("%v, %v; want fit@compiled alone", left, err)
	}
	if left, err := f.common([]record.Cell{helper}); err == nil || !strings.Contains(err.Error(), `engine "torch" has no timeseries-helper@compiled`) {
		t.Errorf("%v, %v; want an error where nothing is left", left, err)
	}
}
