package python

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// evaluate has Python itself say what a tuple is, without importing what the module imports.
const evaluate = `
import ast, json, sys
found = []
for node in ast.parse(sys.stdin.read()).body:
    if isinstance(node, ast.Assign) and node.targets[0].id == sys.argv[1]:
        found = ast.literal_eval(node.value)
print(json.dumps(found))
`

// evaluated is a tuple of an engine's module.
func evaluated(t *testing.T, engine, tuple string) []string {
	t.Helper()
	source, _ := Source(prefix(engine) + "engine")
	cmd := exec.Command(interpreter(t), "-c", evaluate, tuple)
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", engine, err)
	}
	var cells []string
	if err := json.Unmarshal(out, &cells); err != nil {
		t.Fatalf("%s: %v in %q", engine, err, out)
	}
	return cells
}

func TestTheCellsOfAnEngineAreThoseOfItsModule(t *testing.T) {
	for _, engine := range engines {
		want := evaluated(t, engine, "CELLS")
		if got := Cells(engine); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: cells %v, want %v", engine, got, want)
		}
		several := evaluated(t, engine, "SEVERAL")
		if got := Several(engine); !slices.Equal(got, several) || (len(got) == 0) != (engine == "torch") {
			t.Errorf("%s: several steps of %v, want %v", engine, got, several)
		}
		for _, cell := range several {
			if !slices.Contains(want, cell) {
				t.Errorf("%s: several steps of %s, which is none of its cells", engine, cell)
			}
		}
	}
}

func TestAnEngineThatThereIsNotHasNoCells(t *testing.T) {
	if got := Cells("mxnet"); got != nil {
		t.Errorf("cells %v", got)
	}
}
