package python

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// interpreter is a Python of this machine. No framework is needed, and no package.
func interpreter(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		// What is in $PATH may be a script that looks for an interpreter each time.
		if path, err := exec.Command(name, "-c", "import sys; print(sys.executable)").Output(); err == nil {
			return strings.TrimSpace(string(path))
		}
	}
	t.Skip("there is no python3 and no python in $PATH")
	return ""
}

// conversation is what a worker wrote, its lines of JSON apart.
type conversation struct {
	events []map[string]any
	stderr string
	err    error
}

// converse runs the worker with a made-up module in torch's place, and tells it the job.
func converse(t *testing.T, python, module, job string) conversation {
	t.Helper()
	sources := carried(t, Arguments("torch")[2])
	maps.DeleteFunc(sources, func(name, _ string) bool { return !strings.HasPrefix(name, core) })
	sources["torch_engine"] = module
	cmd := exec.Command(python, arguments(sources, "torch")...)
	cmd.Dir = strangersFolder(t)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(stdin, job) // a worker may end before it has read it
	found := conversation{err: cmd.Wait(), stderr: stderr.String()}
	for line := range strings.Lines(strings.TrimPrefix(stdout.String(), "\n")) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Errorf("standard output has %q: %v", line, err)
		}
		found.events = append(found.events, event)
	}
	return found
}

// strangersFolder has modules by the names of the standard library's, as a user's folder may have.
func strangersFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"json", "zlib", "base64", "hashlib", "worker_main", "torch_engine"} {
		if err := os.WriteFile(filepath.Join(dir, name+".py"), []byte("raise SystemExit('a stranger was imported')"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const job = `{"protocol":1,"plan":{"samples":203,"window":104,"anomalies":9,"noise":0.2,"shift":0.5,"seed":0,"batch_size":8,"steps":40,"rounds":3,"threads":1},` +
	`"cell":{"mode":"fit","execution":"eager"},"round":2}` + "\n"

// madeUp trains 25 steps, an epoch, and what is left of 40; the pieces may be replaced.
const madeUp = `
import os
print("a warning of a library")
os.system("echo another of a program")
CELLS = (
    "fit@eager",
)

def describe(name):
    return name + " 1.5"

def train(clock):
    import worker_clock
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    while True:
        clock.phase("shuffle")
        clock.begin_epoch()
        try:
            for _ in range(25):
                clock.step_ended()
        except worker_clock.Done:
            clock.end_epoch(0.25, 0.75)
            raise
        clock.end_epoch(0.5, 0.5)
`

func (c conversation) last() map[string]any {
	if len(c.events) == 0 {
		return nil
	}
	run, _ := c.events[len(c.events)-1]["run"].(map[string]any)
	return run
}

func TestAMadeUpEngineDoesAWholeRun(t *testing.T) {
	c := converse(t, interpreter(t), madeUp, job)
	if c.err != nil || len(c.events) < 3 {
		t.Fatalf("%v, %d events; standard error: %s", c.err, len(c.events), c.stderr)
	}
	hello, run := c.events[0], c.last()
	if version, _ := hello["version"].(string); hello["event"] != "hello" || !strings.HasPrefix(version, "torch 1.5, Python 3.") {
		t.Errorf("hello %v", hello)
	}
	for field, want := range map[string]any{
		"mode": "fit", "execution": "eager", "round": 2.0, "batch_size": 8.0, "threads": 1.0,
		"steps": 40.0, "samples_trained": 320.0, "steady_steps": 20.0, "loss": 0.25, "accuracy": 0.75, "error": nil,
	} {
		if run[field] != want {
			t.Errorf("%s is %v, want %v", field, run[field], want)
		}
	}
	if epochs, _ := run["epochs"].([]any); len(epochs) != 2 {
		t.Errorf("epochs %v, want 2", run["epochs"])
	}
	if !strings.Contains(c.stderr, "a warning of a library") || !strings.Contains(c.stderr, "another of a program") {
		t.Errorf("what the engine prints is not on standard error: %q", c.stderr)
	}
}

func TestAnEngineThatFailsSaysWhy(t *testing.T) {
	python := interpreter(t)
	for name, c := range map[string]struct {
		old, new string
		want     string
	}{
		"no package": {"import os\n", "import os, no_such_package\n",
			"torch cannot be used: ModuleNotFoundError: No module named 'no_such_package'"},
		"a package that is broken":        {"    return name", "    raise OSError('libcudart.so: no such file')\n    return name", "torch cannot be used: OSError: libcudart.so: no such file"},
		"a package that ends the process": {"    return name", "    raise SystemExit(3)\n    return name", "torch cannot be used: SystemExit: 3"},
		"another cell":                    {`"fit@eager"`, `"fit@compiled"`, "fit@eager is not among what this engine knows: fit@compiled"},
		"training that fails":             {"range(25)", "range(1 // 0)", "ZeroDivisionError: "},
		"a fault of many lines":           {"range(25)", `int("\nno number\nat all")`, "ValueError: invalid literal"},
		"no memory":                       {"range(25)", "bytearray(1 << 62)", "out of memory"},
		"training that ends too early":    {"while True", "for _ in (1,)", "training ended after 25 of 40 steps"},
		"a loss that is none":             {"step_ended()", "step_ended(); clock.losses.append(float('nan'))", "loss 1 of the run is nan"},
	} {
		t.Run(name, func(t *testing.T) {
			got := converse(t, python, strings.ReplaceAll(madeUp, c.old, c.new), job)
			text, _ := got.last()["error"].(string)
			if got.err == nil || !strings.Contains(text, c.want) || got.events[0]["event"] != "hello" {
				t.Errorf("%v, error %q; want %q; standard error: %s", got.err, text, c.want, got.stderr)
			}
		})
	}
}

func TestWhatIsMissingComesWithTheCommandThatAddsIt(t *testing.T) {
	python := interpreter(t)
	got := converse(t, python, "import no_such_package", job)
	text, _ := got.last()["error"].(string)
	if probed := probe(t, python); probed != "" && !strings.HasSuffix(text, "; missing: "+probed) {
		t.Errorf("error %q, want %q at its end", text, probed)
	}
}

// probe is what the interpreter says of torch when it is asked for what it lacks; empty where it has it.
func probe(t *testing.T, python string) string {
	t.Helper()
	program, _ := Source("worker_probe")
	out, err := exec.Command(python, "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var found struct {
		Executable string
		Engines    []struct{ Name, Missing string }
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	for _, e := range found.Engines {
		if e.Name == "torch" && e.Missing != "" {
			if !strings.Contains(e.Missing, " -m pip install torch") {
				t.Errorf("the command for torch is %q", e.Missing)
			}
			return e.Missing
		}
	}
	return ""
}

func TestAWorkerRefusesAJobOfAnotherProtocol(t *testing.T) {
	const want = "the job is of protocol 2; this program speaks 1"
	got := converse(t, interpreter(t), madeUp, strings.Replace(job, `"protocol":1`, `"protocol":2`, 1))
	if got.err == nil || len(got.events) != 0 || !strings.Contains(got.stderr, want) {
		t.Errorf("%v, events %v, standard error %q; want %q", got.err, got.events, got.stderr, want)
	}
}
