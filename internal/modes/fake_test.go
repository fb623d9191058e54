package modes

import (
	"context"
	"fmt"
	"math"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// fakeExecution follows a script in place of a network: step k (from 1) returns what at gives.
type fakeExecution struct {
	at      func(step int) (model.Result, error)
	steps   int
	split   map[int]model.Split // of those steps that are timed inside
	timed   int                 // the last of them
	closed  int
	rests   int
	log     []string // of Rest and Step, and of the feed's Next where that logs here
	weights []float32
}

func (f *fakeExecution) Step(*model.Batch) (model.Result, error) {
	f.steps++
	f.log = append(f.log, "step")
	if _, ok := f.split[f.steps]; ok {
		f.timed = f.steps
	}
	return f.at(f.steps)
}

func (f *fakeExecution) Weights() []float32        { return f.weights }
func (f *fakeExecution) Moments() (m, v []float32) { return nil, nil }
func (f *fakeExecution) Gradients() []float32      { return nil }
func (f *fakeExecution) Probabilities() []float32  { return nil }
func (f *fakeExecution) Counts() model.Counts {
	return model.Counts{Ops: 7, TensorBytes: 70, CopiedBytes: 700}
}
func (f *fakeExecution) Close() { f.closed++ }
func (f *fakeExecution) Rest() {
	f.rests++
	f.log = append(f.log, "rest")
}
func (f *fakeExecution) Split() (model.Split, int) { return f.split[f.timed], f.timed }

// steadyLoss is a script without incident: a loss of 1/step, one sample right.
func steadyLoss(step int) (model.Result, error) {
	return model.Result{Loss: 1 / float64(step), Correct: 1}, nil
}

// lossAt is steadyLoss but for one step.
func lossAt(bad int, loss float64) func(int) (model.Result, error) {
	return func(step int) (model.Result, error) {
		if step == bad {
			return model.Result{Loss: loss}, nil
		}
		return steadyLoss(step)
	}
}

// fakeParts trains the fake, with real feeds.
func fakeParts(f *fakeExecution) parts {
	return parts{
		instruments: meters(), generate: data.Generate, draw: data.EpochOrder,
		available: func() (meter.Memory, bool) { return meter.Memory{}, false },
		create:    func(string, model.Config) (model.Execution, error) { return f, nil },
		lookup:    Lookup,
	}
}

// smallJob has epochs of six batches of 16, and 100 - 6*16 = 4 samples left over; a piece of fit-chunked has two batches.
func smallJob(steps int) Job {
	return Job{
		Plan: record.Plan{
			Samples: 100, Window: 13, Anomalies: 3, Noise: 0.2, Shift: 0.5, Seed: 5,
			BatchSize: 16, Steps: steps, Rounds: 3, Threads: 2, Workers: 2, QueueSize: 3, ChunkSize: 40,
		},
		Cell:  record.Cell{Mode: "generator", Execution: "compiled"},
		Round: 2,
	}
}

// fakeFeed fails as it is told, in place of a real feed.
type fakeFeed struct {
	Feed
	next   func(ctx context.Context) error
	orders []int // lengths of the epochs' orders
	closed int
}

func (f *fakeFeed) StartEpoch(order []int32) error {
	f.orders = append(f.orders, len(order))
	return f.Feed.StartEpoch(order)
}

func (f *fakeFeed) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if err := f.next(ctx); err != nil {
		return nil, nil, err
	}
	return f.Feed.Next(ctx)
}

func (f *fakeFeed) Close() {
	f.closed++
	f.Feed.Close()
}

// withFeed wraps the feed of every mode.
func (p parts) withFeed(f *fakeFeed) parts {
	p.lookup = func(name string) (Mode, error) {
		m, err := Lookup(name)
		open := m.open
		m.open = func(ctx context.Context, s source) (Feed, error) {
			var err error
			f.Feed, err = open(ctx, s)
			return f, err
		}
		return m, err
	}
	return p
}

func near(got *float64, want float64) error {
	if got == nil {
		return fmt.Errorf("absent, want %v", want)
	}
	if !(math.Abs(*got-want) <= 1e-12) {
		return fmt.Errorf("%v, want %v", *got, want)
	}
	return nil
}
