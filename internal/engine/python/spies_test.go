package python

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// seen is what a script of testdata tells of a run: see spied.py and spy_keras.py there.
type seen struct {
	Failure      string
	Steps        int
	Pieces       []int
	OpByOp       bool `json:"op_by_op"`
	PythonSteps  int  `json:"python_steps"`
	Handed       []string
	Waits        int
	Threads      int // 0: not limited
	Compile      map[string]any
	Backend      string // empty for what is not Keras
	Release      []int
	Legacy       bool
	CallbackList bool `json:"callback_list"`
}

// spiedSteps are those of each run, less than an epoch, in pieces of four where there are pieces.
const spiedSteps = 20

// spiedJob is a run of a cell, as in "fit@eager", with one thread.
func spiedJob(t *testing.T, cell string, jit any) map[string]any {
	t.Helper()
	var j map[string]any
	if err := json.Unmarshal([]byte(job), &j); err != nil {
		t.Fatal(err)
	}
	mode, execution, _ := strings.Cut(cell, "@")
	j["cell"] = map[string]any{"mode": mode, "execution": execution}
	maps.Copy(j["plan"].(map[string]any), map[string]any{
		"steps": spiedSteps, "chunk_size": 32, "workers": 1, "queue_size": 10, "threads": 1, "jit_compile": jit,
	})
	return j
}

// spyOn has the interpreter of an engine, named as in FITBENCH_PYTHONS, do the jobs while it is watched.
func spyOn(t *testing.T, spec string, jobs []map[string]any) []seen {
	t.Helper()
	engine, interpreter, found := strings.Cut(spec, ":")
	if !found {
		interpreter = "python3"
	}
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	// -B: nothing is written beside the modules.
	cmd := exec.CommandContext(t.Context(), interpreter, "-B", "testdata/spy_"+strings.TrimSuffix(prefix(engine), "_")+".py", "worker", engine)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var all []seen
	for line := range strings.Lines(string(out)) {
		var s seen
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, s)
	}
	if len(all) != len(jobs) {
		t.Fatalf("%d of %d runs were told\n%s", len(all), len(jobs), said.String())
	}
	return all
}

// handed is what each mode hands over, by engines and then modes: the types of x and y, or of sample numbers. In Keras with the method
// that trains, and whether that shuffles; in PyTorch with what the loader of an array takes the samples by.
func handed() map[string]map[string]string {
	return map[string]map[string]string{
		"keras": {
			"fit": "fit, shuffle True: float32 float32", "fit-windows": "fit, shuffle True: int32 float32",
			"fit-chunked": "fit, shuffle False: float32 float32", "train-on-batch": "train_on_batch: float64 float64",
			"generator": "fit, shuffle False: float64 float64", "fit-sequence": "fit, shuffle True: float64 float64",
			"fit-sequence-unshuffled": "fit, shuffle False: float64 float64",
		},
		"torch": {
			"fit": "RandomSampler float32 int64", "generator": "float64 float64", "train-on-batch": "float64 float64",
			"fit-windows": "int64", "pipeline": "float32 int64", "fit-chunked": "float32 int64",
		},
		"jax": {
			"fit": "int32", "generator": "float64 float64", "train-on-batch": "float64 float64",
			"fit-windows": "int32", "pipeline": "float32 uint8", "fit-chunked": "float32 uint8",
		},
	}
}

// spiedCells are those of an engine whose modes are in the table. (What Keras is fed by tf.data is no array.)
func spiedCells(engine string, table map[string]string) []string {
	return slices.DeleteFunc(Cells(engine), func(cell string) bool {
		mode, _, _ := strings.Cut(cell, "@")
		return table[mode] == ""
	})
}

func TestPythonEnginesRunWhatACellIsNamedAfter(t *testing.T) {
	specs := os.Getenv("FITBENCH_PYTHONS")
	if specs == "" {
		t.Skip("FITBENCH_PYTHONS names no interpreters: a list as in keras:/x/bin/python,torch:/y/bin/python is accepted")
	}
	for spec := range strings.SplitSeq(specs, ",") {
		t.Run(strings.ReplaceAll(spec, "/", "|"), func(t *testing.T) {
			t.Parallel()
			engine, _, _ := strings.Cut(spec, ":")
			table := handed()[strings.TrimSuffix(prefix(engine), "_")]
			cells := spiedCells(engine, table)
			var jobs []map[string]any
			for _, cell := range cells {
				jobs = append(jobs, spiedJob(t, cell, nil))
			}
			jobs = append(jobs, spiedJob(t, "fit@compiled", true), spiedJob(t, "fit@compiled", false))
			all := spyOn(t, spec, jobs)
			for i, cell := range cells {
				mode, execution, _ := strings.Cut(cell, "@")
				for _, wrong := range all[i].wrong(mode, execution, table[mode], strings.HasPrefix(engine, "jax")) {
					t.Errorf("%s: %s; %+v", cell, wrong, all[i])
				}
			}
			if wrong := all[len(cells)].wrongJIT(); wrong != "" {
				t.Errorf("fit@compiled with jit_compile: %s; %+v", wrong, all[len(cells)])
			}
			if wrong := all[len(cells)+1].wrongWithoutJIT(); wrong != "" {
				t.Errorf("fit@compiled with jit_compile=False: %s; %+v", wrong, all[len(cells)+1])
			}
		})
	}
}
