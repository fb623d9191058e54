package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/record"
)

const politeHello = `{"event":"hello","protocol":1,"version":"9"}` + "\n"

// hearing gives a framework's listener an output in pieces of so many bytes.
func hearing(output string, piece int) (*listener, error) {
	job := testJob()
	ear := newListener(job, "torch", limitsOf(job.Plan), nil)
	p := &preface{ear: ear}
	for len(output) > 0 {
		n := min(piece, len(output))
		if _, err := p.Write([]byte(output[:n])); err != nil {
			return ear, err
		}
		output = output[n:]
	}
	return ear, nil
}

func TestWhatIsPrintedBeforeTheHelloIsPassedOver(t *testing.T) {
	long := strings.Repeat("x", limitsOf(testJob().Plan).lineBytes+1)
	for name, before := range map[string]string{
		"nothing": "", "a warning": "\nhello from sitecustomize\n", "no line's end": "hello from sitecustomize\n\n", "JSON": "{\"event\":\"phase\"}\n[]\n",
		"a line longer than any event": long + "\n", "a hello in a long line": long + politeHello,
	} {
		for _, piece := range []int{1 << 20, 7} {
			ear, err := hearing(before+politeHello+`{"event":"phase","phase":"build"}`+"\n", piece)
			if err != nil || ear.version != "9" || ear.heard.phase != "build" {
				t.Errorf("%s: version %q, phase %q, %v", name, ear.version, ear.heard.phase, err)
			}
			if strings.Contains(before, "sitecustomize") && ear.printed != `"hello from sitecustomize"` {
				t.Errorf("%s: kept is %s", name, ear.printed)
			}
		}
	}
}

func TestAfterTheHelloEveryLineIsAnEvent(t *testing.T) {
	if _, err := hearing("noise\n"+politeHello+"noise\n", 1<<20); err == nil || !strings.Contains(err.Error(), `"noise" is no event`) {
		t.Errorf("error %v", err)
	}
}

func TestAFloodBeforeTheHelloIsABreach(t *testing.T) {
	ear, err := hearing(strings.Repeat(strings.Repeat("y", 1023)+"\n", prefaceBytes>>10+1), 1<<20)
	if err == nil || ear.err == nil || !strings.Contains(err.Error(), "more than 64 MB before its first event") {
		t.Errorf("error %v", err)
	}
}

// The package that is missing is found missing, whatever the interpreter prints as it starts.
func TestAnInterpreterThatPrintsAsItStartsIsStillAnEngine(t *testing.T) {
	python := somePython(t)
	for name, code := range map[string]string{
		"a line": "print('hello from sitecustomize')", "no line's end": "import sys; sys.stdout.write('hello'); sys.stdout.flush()",
		"at its end": "import atexit; atexit.register(print, 'bye')",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "sitecustomize.py"), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "torch.py"), []byte("raise ImportError('a torch that is none')"), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PYTHONPATH", dir)
		p, err := Parse("torch:"+python, Options{})
		if err != nil {
			t.Fatal(err)
		}
		job := conformanceJob(record.Cell{Mode: "fit", Execution: "eager"})
		if run := p.Run(t.Context(), job, nil); !strings.HasPrefix(run.Error, "torch cannot be used: ImportError: a torch that is none") {
			t.Errorf("%s: %s", name, run.Error)
		}
		if found, err := Discover(t.Context(), []string{python}); err != nil || len(found) == 0 || found[0].Err != nil {
			t.Errorf("%s: %v, %v", name, fmt.Sprint(found), err)
		}
	}
}

// somePython is an interpreter of this machine.
func somePython(t *testing.T) string {
	t.Helper()
	path, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output() // what is in $PATH may be a script
	if err != nil {
		t.Skip("there is no python3 here:", err)
	}
	return strings.TrimSpace(string(path))
}
