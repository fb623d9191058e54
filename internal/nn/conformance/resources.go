package conformance

import (
	"errors"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func closeEndsTheThreads(t *testing.T, s suite) {
	before := goleak.IgnoreCurrent()
	h := model.Default(104)
	weights, b := problem(h, 64)
	e, err := s.build(model.Config{Hyperparameters: h, BatchSize: 64, Threads: 5, Impl: s.impl, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	step(t, e, b)
	e.Close()
	e.Close() // closing twice is harmless
	goleak.VerifyNone(t, before)
}

func aClosedExecutionDoesNotStep(t *testing.T, s suite) {
	h := model.Default(104)
	weights, b := problem(h, 4)
	e := s.execution(t, h, 4, 2, weights)
	step(t, e, b)
	after := append([]float32(nil), e.Weights()...)
	e.Close()
	if _, err := e.Step(b); !errors.Is(err, model.ErrClosed) {
		t.Errorf("error is %v, want %v", err, model.ErrClosed)
	}
	bitEqual(t, "weight", e.Weights(), after)
}

func beforeTheFirstStepThereIsNothingToRead(t *testing.T, s suite) {
	h := model.Default(104)
	weights, _ := problem(h, 1)
	e := s.execution(t, h, 1, 1, weights)
	if e.Gradients() != nil || e.Probabilities() != nil {
		t.Error("there are gradients or probabilities")
	}
	if _, step := e.Split(); step != 0 {
		t.Errorf("step %d was timed", step)
	}
	bitEqual(t, "weight", e.Weights(), weights)
}

// NoAllocation holds an execution to steps that allocate nothing once it is warm, for every kind of batch. It is skipped under
// the race detector, which allocates by itself.
func NoAllocation(t *testing.T, build Maker) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	h := model.Default(104)
	const n = 40
	weights, rows := problem(h, n)
	wide := &model.Batch{X64: widen(rows.X32), Starts: rows.Starts, OneHot: oneHot(rows.Classes, h.Classes)}
	for _, impl := range kernel.Available() {
		for _, threads := range []int{1, 2} {
			for name, b := range map[string]*model.Batch{"float32": rows, "float64": wide} {
				t.Run(fmt.Sprintf("%s/threads=%d/%s", impl.Name, threads, name), func(t *testing.T) {
					e := suite{build, impl}.execution(t, h, n, threads, weights)
					if got := testing.AllocsPerRun(20, func() { step(t, e, b) }); got != 0 {
						t.Errorf("a step allocates %g times", got)
					}
				})
			}
		}
	}
}
