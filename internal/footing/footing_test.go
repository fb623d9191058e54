package footing_test

import (
	"slices"
	"strings"
	"testing"

	"fitbench/internal/footing"
	"fitbench/internal/record"
)

const (
	order   = "0d1e2f3a4b5c6d7e8f900d1e2f3a4b5c"
	weights = "a1a2a3a4a5a6a7a8a9a0b1b2b3b4b5b6"
)

// plan returns two rounds of three cells on an equal footing.
func plan() []record.Run {
	var runs []record.Run
	for round := 1; round <= 2; round++ {
		for _, mode := range []string{"fit", "generator", "train-on-batch"} {
			runs = append(runs, record.Run{
				Mode: mode, Execution: "compiled", Engine: "native", Kernel: "go", Round: round, Steps: 2000,
				OrderDigest: order, WeightsDigest: weights,
			})
		}
	}
	return runs
}

// own makes them runs of the program's own engine.
func own(runs []record.Run) {
	for i := range runs {
		runs[i].Engine = "fitbench"
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(runs []record.Run)
		want   []string
	}{
		{"equal digests are an equal footing", func([]record.Run) {}, nil},
		{"one other order is named with both digests and all runs", func(runs []record.Run) {
			runs[1].OrderDigest = "ffeeddccbbaa99887766"
		}, []string{"runs differ in their order of samples: " +
			"0d1e2f3a4b5c in fit@compiled round 1, train-on-batch@compiled round 1, " +
			"fit@compiled round 2, generator@compiled round 2, train-on-batch@compiled round 2; " +
			"ffeeddccbbaa in generator@compiled round 1"}},
		{"digests that differ only after the digits shown differ", func(runs []record.Run) {
			runs[0].OrderDigest = order[:31] + "0"
		}, []string{"order of samples"}},
		{"the order must be equal across executions, kernels and engines", func(runs []record.Run) {
			runs[5] = record.Run{Mode: "fit", Execution: "eager", Engine: "other", Kernel: "avx2", Round: 2, Steps: 2000, OrderDigest: "00"}
		}, []string{"order of samples"}},
		{"weights must be equal within an execution", func(runs []record.Run) {
			runs[4].WeightsDigest = "0123456789abcdef"
		}, []string{"runs of engine native, kernel go, execution compiled differ in their final weights"}},
		{"weights may differ between executions", func(runs []record.Run) {
			runs[4].Execution, runs[4].WeightsDigest = "eager", "0123"
		}, nil},
		{"weights may differ between kernels", func(runs []record.Run) {
			runs[4].Kernel, runs[4].WeightsDigest = "avx2", "0123"
		}, nil},
		{"weights may differ between engines", func(runs []record.Run) {
			runs[4].Engine, runs[4].WeightsDigest = "other", "0123"
		}, nil},
		{"weights are compared in every group", func(runs []record.Run) {
			for i := range runs[3:] {
				runs[3+i].Execution = "eager"
			}
			runs[2].WeightsDigest, runs[5].WeightsDigest = "01", "02"
		}, []string{"execution compiled", "execution eager"}},
		{"a failed run is left out", func(runs []record.Run) {
			runs[2].OrderDigest, runs[2].WeightsDigest, runs[2].Steps, runs[2].Error = "01", "02", 3, "killed"
		}, nil},
		{"a run of another engine without digests is exempt", func(runs []record.Run) {
			runs[0].OrderDigest, runs[0].WeightsDigest = "", ""
		}, nil},
		{"a run of the own engine without a digest is a difference", func(runs []record.Run) {
			own(runs)
			runs[4].WeightsDigest = ""
		}, []string{"final weights: a1a2a3a4a5a6 in fit@compiled round 1, generator@compiled round 1, train-on-batch@compiled round 1, " +
			"fit@compiled round 2, train-on-batch@compiled round 2; not shown in generator@compiled round 2"}},
		{"a lone run of the own engine without a digest is a difference", func(runs []record.Run) {
			runs[5].Engine, runs[5].WeightsDigest = "fitbench", ""
		}, []string{"runs of engine fitbench, kernel go, execution compiled do not show their final weights: train-on-batch@compiled round 2"}},
		{"a failed run of the own engine needs no digest", func(runs []record.Run) {
			own(runs)
			runs[1].OrderDigest, runs[1].WeightsDigest, runs[1].Error = "", "", "killed"
		}, nil},
		{"another number of steps is a difference even without digests", func(runs []record.Run) {
			runs[0].Steps, runs[0].OrderDigest, runs[0].WeightsDigest = 1999, "", ""
		}, []string{"1999 in fit@compiled round 1"}},
		{"a run of another build without a digest is a difference", func(runs []record.Run) {
			runs[5].Engine, runs[5].OrderDigest = "native:./old", ""
		}, []string{"order of samples"}},
		{"base and its twin must arrive at the same weights", func(runs []record.Run) {
			runs[0].Role, runs[1].Role, runs[1].WeightsDigest = record.RoleBase, record.RoleTwin, "0123"
		}, []string{"0123 in generator@compiled round 1 of twin"}},
		{"head may arrive at other weights than base by the same engine", func(runs []record.Run) {
			for i := range runs {
				runs[i].Role = record.RoleBase
			}
			runs[1].Role, runs[1].WeightsDigest = record.RoleHead, "0123"
		}, nil},
		{"head must arrive at the same weights every time", func(runs []record.Run) {
			runs[0].Role, runs[1].Role, runs[1].WeightsDigest = record.RoleHead, record.RoleHead, "0123"
		}, []string{"runs of engine native (head), kernel go"}},
		{"head must train on the samples of base", func(runs []record.Run) {
			runs[0].Role, runs[0].OrderDigest = record.RoleHead, "0123"
		}, []string{"0123 in fit@compiled round 1 of head"}},
		{"order and weights are two differences", func(runs []record.Run) {
			runs[0].OrderDigest, runs[0].WeightsDigest = "01", "02"
		}, []string{"order of samples", "final weights"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			runs := plan()
			c.change(runs)
			before := slices.Clone(runs)
			got := footing.Check(runs)
			if len(got) != len(c.want) {
				t.Fatalf("%d differences, want %d: %v", len(got), len(c.want), got)
			}
			for i, want := range c.want {
				if !strings.Contains(got[i].Error(), want) {
					t.Errorf("difference %q does not contain %q", got[i], want)
				}
			}
			for i := range runs {
				if runs[i].Error != before[i].Error || runs[i].Mode != before[i].Mode || runs[i].Round != before[i].Round {
					t.Errorf("Check changed run %d of the caller's", i)
				}
			}
		})
	}
}

func TestCheckOfNothingFindsNothing(t *testing.T) {
	if got := footing.Check(nil); len(got) != 0 {
		t.Errorf("differences among no runs: %v", got)
	}
}

// Other sizes have other numbers of steps, orders and weights.
func TestRunsOfAnotherBatchSizeAreNotCompared(t *testing.T) {
	small := record.Run{Mode: "fit", Execution: "compiled", Engine: "fitbench", Kernel: "go", BatchSize: 16, Steps: 9, OrderDigest: "a", WeightsDigest: "b"}
	large := small
	large.BatchSize, large.Steps, large.OrderDigest, large.WeightsDigest = 64, 3, "c", "d"
	if differences := footing.Check([]record.Run{small, large}); len(differences) > 0 {
		t.Error(differences)
	}
	large.BatchSize = 16
	if differences := footing.Check([]record.Run{small, large}); len(differences) != 3 {
		t.Errorf("of one size: %v; want three differences", differences)
	}
}
