package python

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// evaluate has Python itself say what CELLS is, without importing what the module imports.
const evaluate = `
import ast, json, sys
for node in ast.parse(sys.stdin.read()).body:
    if isinstance(node, ast.Assign) and node.targets[0].id == "CELLS":
        print(json.dumps(ast.literal_eval(node.value)))
`

func TestTheCellsOfAnEngineAreThoseOfItsModule(t *testing.T) {
	python := interpreter(t)
	for _, engine := range engines {
		source, _ := Source(prefix(engine) + "engine")
		cmd := exec.Command(python, "-c", evaluate)
		cmd.Stdin = strings.NewReader(source)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		var want []string
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatalf("%s: %v in %q", engine, err, out)
		}
		if got := Cells(engine); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: cells %v, want %v", engine, got, want)
		}
	}
}

func TestAnEngineThatThereIsNotHasNoCells(t *testing.T) {
	if got := Cells("mxnet"); got != nil {
		t.Errorf("cells %v", got)
	}
}
