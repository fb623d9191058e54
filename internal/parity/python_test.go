package parity

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/record"
)

// pythonsVariable names the engines that the tests of Python take, as in keras:/x/bin/python,torch:/y/bin/python.
const pythonsVariable = "FITBENCH_PYTHONS"

// pythons are those engines. Without any the test is skipped.
func pythons(t *testing.T) []string {
	t.Helper()
	names := os.Getenv(pythonsVariable)
	if names == "" {
		t.Skip(pythonsVariable + " names no interpreters: a list as in keras:/x/bin/python,torch:/y/bin/python is accepted")
	}
	return strings.Split(names, ",")
}

func pythonPlan() record.Plan {
	p := record.Experiment()
	p.Samples, p.Anomalies, p.BatchSize, p.Steps, p.Rounds = 20_000, 953, 64, 100, 1
	p.Threads, p.Workers, p.QueueSize, p.ChunkSize = 1, 1, 10, 2048
	return p
}

func openEngine(t *testing.T, name string) *engine.Program {
	t.Helper()
	p, err := engine.Parse(name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lacks is in the error of a version that lacks what a cell is made of.
const lacks = " has no "

// severalSteps are two cells of which 100 steps are six executions and a shorter one, where the engine can.
func severalSteps(name string) (cells []record.Cell) {
	for _, mode := range []string{"fit", "generator"} {
		c := record.Cell{Mode: mode, Execution: "compiled", StepsPerExecution: 16}
		if engine.CanSeveral(name, c) {
			cells = append(cells, c)
		}
	}
	return cells
}

func TestPythonEnginesDoTheNativeEnginesWork(t *testing.T) {
	for _, name := range pythons(t) {
		t.Run(strings.ReplaceAll(name, "/", "|"), func(t *testing.T) {
			t.Parallel()
			failed, cells := 0, append(pythonCells(t, name), severalSteps(name)...)
			summary, err := Run(t.Context(), Options{
				Plan: pythonPlan(), Native: openEngine(t, "native"), Contenders: []Contender{{name, openEngine(t, name), cells}},
				Tell: func(l Line) {
					t.Log(l.Outcome, l.Text)
					if l.Outcome == Failed && !strings.Contains(l.Text, lacks) {
						failed++
					}
				},
			})
			if err != nil || failed > 0 || summary.Passed == 0 {
				t.Errorf("%v, error %v", summary, err)
			}
		})
	}
}

// An epoch is 31 steps, so the runs go on into a second one.
func TestPythonEnginesTrainInEachModeAsTheirUsersDo(t *testing.T) {
	plan := pythonPlan()
	plan.Samples, plan.Anomalies, plan.BatchSize, plan.Steps, plan.ChunkSize = 1000, 9, 32, 40, 256
	for _, name := range pythons(t) {
		t.Run(strings.ReplaceAll(name, "/", "|"), func(t *testing.T) {
			t.Parallel()
			p := openEngine(t, name)
			for _, cell := range pythonCells(t, name) {
				plan := plan
				plan.Cells = []record.Cell{cell}
				run := p.Run(t.Context(), engine.Job{Plan: plan, Cell: cell, Round: 1}, nil)
				if strings.Contains(run.Error, lacks) {
					t.Log(cell, run.Error)
					continue
				}
				if run.Error != "" || len(run.Epochs) != 2 || run.StepLosses != nil || run.StepMilliseconds == nil || run.ImportSeconds == nil {
					t.Errorf("%s: %+v", cell, run)
				}
			}
		})
	}
}

func pythonCells(t *testing.T, name string) []record.Cell {
	t.Helper()
	cells, err := modes.ParseCells(engine.Cells(name), nn.Names())
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// spoil compares, with each of the files replaced by one that differs least; the first job is left as it is.
const spoil = `
import json, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import worker_series

def told(job):
    try:
        return "%g" % worker_series.compare(job)
    except ValueError as e:
        return str(e)

job = json.loads(sys.argv[2])
print(told(job) in ("0", "1.11022e-16", "2.22045e-16"))
for name, place, change in [("series", 7, 2e-12), ("anomalies", 1, 1), ("labels", 3, 1), ("orders", (0, 2), 1)]:
    values = np.load(job[name])
    values[place] += change
    path = sys.argv[3] + "/spoilt.npy"
    np.save(path, values)
    print(told(dict(job, **{name: path})))
np.save(path, np.load(job["series"])[1:])
print(told(dict(job, series=path)))
`

func TestPythonSaysWhichOfItsDataDiffers(t *testing.T) {
	_, interpreter, _ := strings.Cut(pythons(t)[0], ":")
	dir := t.TempDir()
	plan := pythonPlan()
	files, err := writeData(t.Context(), dir, plan)
	if err != nil {
		t.Fatal(err)
	}
	worker, err := filepath.Abs("../engine/python/worker")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(interpreter, "-c", spoil, worker, jobText(t, plan, files), dir).CombinedOutput()
	want := `True
the series differs from fitbench's by 2e-12; up to 1e-12 is accepted
anomalies: not equal to fitbench's
labels: not equal to fitbench's
order of epoch 0: not equal to fitbench's
the series differs from fitbench's by nan; up to 1e-12 is accepted
`
	if string(out) != want || err != nil {
		t.Errorf("error %v\n%s\nwant\n%s", err, out, want)
	}
}

// jobText is what compare reads of a job.
func jobText(t *testing.T, plan record.Plan, files engine.NativeData) string {
	t.Helper()
	text, err := json.Marshal(struct {
		Plan record.Plan `json:"plan"`
		engine.NativeData
	}{plan, files})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
