package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// fake writes a shell script and returns the engine that has it as its interpreter.
func fake(t *testing.T, script string) *Program {
	t.Helper()
	skipWithoutSignals(t) // and no shell
	path := filepath.Join(t.TempDir(), "py thon's \"3\"")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := Parse("keras@jax:"+path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnInterpreterThatIsNoneFailsTheRunInItsOwnWords(t *testing.T) {
	const hello = `echo '{"event":"hello","protocol":1,"version":"Keras 3.15.0"}'; `
	for name, c := range map[string]struct {
		script string
		says   []string
	}{
		"dies at once":      {"echo 'cannot open shared object file' >&2; exit 127", []string{"before its first event", "exit status 127", "cannot open shared object file"}},
		"garbage":           {"echo 'Python was not found'", []string{"before its first event", "ended without a result", `standard output: "Python was not found"`}},
		"silent end":        {"exit 0", []string{"ended without a result"}},
		"killed in import":  {"kill -9 $$", []string{"before its first event", "killed by SIGKILL, usually because memory ran out"}},
		"killed in a phase": {hello + `echo '{"event":"phase","phase":"build","steps":40}'; kill -9 $$`, []string{"in phase build", "killed by SIGKILL, usually because memory ran out"}},
		"crash":             {hello + "kill -SEGV $$", []string{"before its first event", "killed by SIGSEGV"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := fake(t, c.script)
			got := p.Run(t.Context(), testJob(), nil)
			for _, want := range append(c.says, fmt.Sprintf("engine %q", p.Name())) {
				if !strings.Contains(got.Error, want) {
					t.Errorf("error %q lacks %q", got.Error, want)
				}
			}
			if got.Engine != p.Name() || got.Mode != "fit" {
				t.Errorf("the failed run does not say whose it is: %+v", got)
			}
		})
	}
}

func TestAnInterpreterIsHandedTheWorkerAndItsEngine(t *testing.T) {
	p := fake(t, `[ "$1" = -c ] && [ $# = 4 ] && [ "$4" = keras@jax ] && read job && exit 42`)
	if got := p.Run(t.Context(), testJob(), nil); !strings.Contains(got.Error, "exit status 42") {
		t.Errorf("error %q, want the exit status of an interpreter that got what it expected", got.Error)
	}
}

// fit shuffles by itself in a user's program, so its order cannot be asked for; one that is told has to be right.
func TestAFrameworkNeedNotTellItsOrderButNoWrongOne(t *testing.T) {
	c := conformance{program: &Program{framework: "keras"}}
	if err := c.checkOrder(record.Run{}, testDigest); !errors.As(err, new(leftOut)) {
		t.Errorf("%v, want that the rule is left out", err)
	}
	if err := c.checkOrder(record.Run{OrderDigest: strings.Repeat("0", 64)}, testDigest); err == nil || errors.As(err, new(leftOut)) {
		t.Errorf("%v, want an error", err)
	}
	c.program = &Program{}
	if err := c.checkOrder(record.Run{}, testDigest); err == nil || errors.As(err, new(leftOut)) {
		t.Errorf("another program: %v, want an error", err)
	}
}

func TestEveryCellOfAFrameworkIsKnown(t *testing.T) {
	for _, f := range frameworks() {
		names := f.cells()
		cells, err := modes.ParseCells(names, []string{"compiled"})
		if err != nil || len(cells) < 4 {
			t.Errorf("%s knows %v: %v", f.name, names, err)
		}
	}
}

func TestACellThatAnEngineLacksIsRefused(t *testing.T) {
	cell := func(name string) record.Cell {
		mode, execution, _ := strings.Cut(name, "@")
		return record.Cell{Mode: mode, Execution: execution}
	}
	for _, c := range []struct {
		engine, cell string
		want         string // of the error; none where it is empty
	}{
		{"native", "fit@eager", ""},
		{"native", "timeseries-helper@compiled", `engine "native" has no timeseries-helper@compiled; it has fit@compiled, fit@eager, generator@compiled`},
		{"exec:any", "timeseries-helper@compiled", ""},
		{"native:./old", "timeseries-helper@compiled", ""},
		{"keras:/x/python", "timeseries-helper@compiled", ""},
		{"torch", "timeseries-helper@compiled", `engine "torch" has no timeseries-helper@compiled; it has `},
		{"jax:/x/python", "fit-sequence@compiled", `engine "jax:/x/python" has no fit-sequence@compiled; it has `},
	} {
		err := CheckCells([]string{c.engine}, []record.Cell{cell("fit@compiled"), cell(c.cell)})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s, %s: %v; want %q", c.engine, c.cell, err, c.want)
		}
	}
}

func TestFrameworksAreToldFromOtherEngines(t *testing.T) {
	for spec, want := range map[string]bool{
		"keras": true, "keras@jax:/x": true, "tf-keras:p": true, "torch": true, "jax:py": true,
		"native": false, "native:keras": false, "exec:keras": false, "kerasx": false, "": false,
	} {
		if IsFramework(spec) != want {
			t.Errorf("%q: %v", spec, !want)
		}
	}
}
