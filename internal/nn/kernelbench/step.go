package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"fitbench/internal/data"
	"fitbench/internal/nn/compiled"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// samples are the experiment's windows in the order of its first epoch.
type samples struct {
	window  int
	values  []float32
	starts  []int
	classes []uint8
}

// newSamples makes the experiment's series at another length, with its share of anomalies.
func newSamples(ctx context.Context, length int) (*samples, error) {
	plan := record.Experiment()
	set, err := data.Generate(ctx, data.Config{
		Samples: length, Window: plan.Window, Anomalies: int(int64(plan.Anomalies) * int64(length) / int64(plan.Samples)),
		Noise: plan.Noise, Shift: plan.Shift, Seed: uint32(plan.Seed),
	})
	if err != nil {
		return nil, err
	}
	order := make([]int32, length)
	if err := data.EpochOrder(ctx, order, uint32(plan.Seed), 0); err != nil {
		return nil, err
	}
	s := &samples{window: plan.Window, values: set.Narrow(), starts: make([]int, length), classes: make([]uint8, length)}
	for i, sample := range order {
		s.starts[i], s.classes[i] = int(sample), set.Labels[sample]
	}
	return s, nil
}

// stepper trains one model on batch after batch, over and over.
type stepper struct {
	model   *compiled.Model
	samples *samples
	batch   model.Batch
	size    int
	next    int // first sample of the next batch
}

func newStepper(s *samples, impl *kernel.Impl, size, threads int) (*stepper, error) {
	if size > len(s.starts) {
		return nil, fmt.Errorf("%d samples are too few for a batch of %d", len(s.starts), size)
	}
	h := model.Default(s.window)
	m, err := compiled.New(model.Config{Hyperparameters: h, BatchSize: size, Threads: threads, Impl: impl, Weights: h.InitialWeights(0)})
	if err != nil {
		return nil, err
	}
	return &stepper{model: m, samples: s, batch: model.Batch{X32: s.values}, size: size}, nil
}

// step trains on the next batch.
func (s *stepper) step() error {
	if s.next+s.size > len(s.samples.starts) {
		s.next = 0
	}
	s.batch.Starts = s.samples.starts[s.next : s.next+s.size]
	s.batch.Classes = s.samples.classes[s.next : s.next+s.size]
	s.next += s.size
	result, err := s.model.Step(&s.batch)
	if err == nil && (math.IsNaN(result.Loss) || math.IsInf(result.Loss, 0)) {
		err = fmt.Errorf("the loss became %g; what is measured then is not training", result.Loss)
	}
	return err
}

// run steps for about as long as told, at least once, and returns how many samples that were and how long it took.
func (s *stepper) run(burst time.Duration) (trained int, took time.Duration, err error) {
	for begin := time.Now(); took < burst; took = time.Since(begin) {
		if err := s.step(); err != nil {
			return 0, 0, err
		}
		trained += s.size
	}
	return trained, took, nil
}

// whole is the nanoseconds a sample of whole steps, after one that is not timed and brings back what others have driven from the caches.
func (s *stepper) whole(burst time.Duration) (float64, error) {
	if err := s.step(); err != nil {
		return 0, err
	}
	trained, took, err := s.run(burst)
	if err != nil {
		return 0, err
	}
	return perSample(took, trained), nil
}

func perSample(d time.Duration, samples int) float64 { return float64(d) / float64(samples) }
