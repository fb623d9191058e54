package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/nn/model"
	"fitbench/internal/npy"
	"fitbench/internal/record"
)

func windowJob(parity bool) Job {
	return Job{Plan: record.Plan{Samples: 200, Window: 104, Seed: 3, BatchSize: 8, Steps: 4}, Parity: parity}
}

func TestFrameworksAndRunsForParityAreHandedTheNativeWeights(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct {
		program Program
		job     Job
		given   bool
	}{
		{Program{framework: "keras"}, windowJob(false), true},
		{Program{}, windowJob(true), true},
		{Program{}, windowJob(false), false},
	} {
		job, remove, err := c.program.handOver(c.job)
		if err != nil {
			t.Fatal(err)
		}
		if (job.InitialWeights != "") != c.given {
			t.Errorf("%+v: weights in %q", c, job.InitialWeights)
		}
		if c.given {
			checkWeights(t, job.InitialWeights)
		}
		remove()
		if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func checkWeights(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := npy.Read[float32](bytes.NewReader(content), int64(len(content)), []int{11822}, 1<<20)
	if err != nil || !slices.Equal(got, model.Default(104).InitialWeights(3)) {
		t.Errorf("%d weights, error %v", len(got), err)
	}
}

func TestWeightsThatTheJobHasAreLeftAlone(t *testing.T) {
	job := windowJob(true)
	job.InitialWeights = "mine.npy"
	p := Program{framework: "keras"}
	if got, remove, err := p.handOver(job); err != nil || got.InitialWeights != "mine.npy" {
		t.Errorf("%q, error %v", got.InitialWeights, err)
	} else {
		remove()
	}
}

func TestWeightsThatCannotBeHandedOverFailTheRun(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing) // Windows
	p := Program{name: "keras", called: "keras", path: "/nonexistent/python", framework: "keras"}
	run := p.Run(t.Context(), windowJob(false), nil)
	if !strings.HasPrefix(run.Error, "the initial weights cannot be handed over: ") || !strings.Contains(run.Error, missing) {
		t.Errorf("error %q", run.Error)
	}
}

func TestAWindowThatNoNetworkHasIsAnErrorOfItsRun(t *testing.T) {
	p := Program{framework: "keras"}
	if _, _, err := p.handOver(Job{}); err == nil || !strings.Contains(err.Error(), "window is 0") {
		t.Errorf("error %v", err)
	}
}

func TestTheWeightsAreThereWhileAProgramRunsAndGoneAfterwards(t *testing.T) {
	skipWithoutSignals(t) // needs a shell
	t.Setenv("TMPDIR", t.TempDir())
	p, err := Parse(`exec:sh -c 'read -r job; ls "$TMPDIR"/* >&2; exit 3'`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := p.Run(t.Context(), windowJob(true), nil)
	if !strings.Contains(run.Error, "initial_weights.npy") {
		t.Errorf("error %q", run.Error)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWhatARunForParityNeedsReachesTheOtherSide(t *testing.T) {
	job := Job{
		Parity: true, InitialWeights: "w", NativeData: NativeData{Series: "s", Anomalies: "a", Labels: "l", Orders: "o"},
	}
	if got := orderOf(job).job(); got.InitialWeights != "w" || !got.Parity || got.NativeData != job.NativeData {
		t.Errorf("%+v", got)
	}
}

func TestARealRunForParityTellsItsLosses(t *testing.T) {
	n := newNative(t, "real", nil)
	plan := record.Plan{
		Samples: 200, Window: 104, Anomalies: 5, Noise: 0.2, Shift: 0.5, Seed: 7, BatchSize: 8, Steps: 4, Rounds: 1, Threads: 1, Workers: 1, QueueSize: 1,
	}
	run := n.Run(t.Context(), Job{Plan: plan, Cell: record.Cell{Mode: "fit-windows", Execution: "compiled"}, Round: 1, Parity: true}, nil)
	sum := 0.0
	for _, loss := range run.StepLosses {
		sum += loss
	}
	if mean := sum / 4; run.Error != "" || len(run.StepLosses) != 4 || !(mean-run.Epochs[0].Loss <= 1e-12 && run.Epochs[0].Loss-mean <= 1e-12) {
		t.Errorf("error %q, losses %v, the epoch's mean is %+v", run.Error, run.StepLosses, run.Epochs)
	}
}
