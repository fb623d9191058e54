package main

import (
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
		"":                                       grid,
		"--engine native --engine exec:x":        grid,
		"--engine keras":                         compiled,
		"--engine native --engine keras@jax:/py": compiled,
		"--engine keras --executions eager":      strings.ReplaceAll(compiled, "compiled", "eager"),
		"--engine keras --modes generator":       "generator@compiled generator@eager",
		"--engine keras --modes timeseries-helper@compiled":                 "timeseries-helper@compiled",
		"--engine exec:x --engine native:./x --modes fit-sequence@compiled": "fit-sequence@compiled",
	} {
		if got := cellsOf(planOf(t, strings.Fields(args)...)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
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
