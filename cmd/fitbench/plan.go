package main

import (
	"math"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"

	"github.com/spf13/pflag"
)

// The experiment as it was reported; the defaults of the flags.
const (
	defaultSamples   = 1_049_344
	defaultWindow    = 104
	defaultAnomalies = 50_000
	defaultNoise     = 0.2
	defaultShift     = 0.5
	defaultBatch     = 64
	defaultSteps     = 2000
	defaultRounds    = 5
	defaultWorkers   = 1  // as Keras's fit_generator
	defaultQueueSize = 10 // as Keras's fit_generator
)

// maxThreads bounds what a typing error can start.
const maxThreads = 4096

var defaultModes = []string{"fit@compiled", "generator", "train-on-batch", "fit-windows@compiled"}

// planFlags are the flags that a plan is made from.
type planFlags struct {
	plan              record.Plan
	modes, executions []string
	set               *pflag.FlagSet
}

func addPlanFlags(set *pflag.FlagSet) *planFlags {
	f := &planFlags{set: set, plan: record.Plan{
		Samples: defaultSamples, Window: defaultWindow, Anomalies: defaultAnomalies, Noise: defaultNoise, Shift: defaultShift,
		BatchSize: defaultBatch, Steps: defaultSteps, Rounds: defaultRounds,
		Threads: meter.ReadMachine().UsableCores, Workers: defaultWorkers, QueueSize: defaultQueueSize,
	}}
	p := &f.plan
	number := func(target *int, name string, min, max int, usage string) {
		set.Var(whole{target, min, max}, name, usage)
	}
	number(&p.BatchSize, "batch-size", 1, data.MaxSamples, "samples in a batch")
	number(&p.Steps, "steps", 1, math.MaxInt32, "training steps of each run")
	number(&p.Epochs, "epochs", 1, math.MaxInt32, "train that many whole epochs instead of --steps (then --rounds is 1 unless given)")
	number(&p.Rounds, "rounds", 1, math.MaxInt32, "how often each mode is run, interleaved")
	set.StringSliceVar(&f.modes, "modes", defaultModes,
		"what to compare: fit, generator, train-on-batch, fit-windows, each for every execution, or with its own as in fit@compiled")
	set.StringSliceVar(&f.executions, "executions", nn.Names(), "executions of a mode that names none")
	number(&p.Samples, "samples", 1, data.MaxSamples, "length of the series, and so the number of windows")
	number(&p.Window, "window", 1, data.MaxSamples, "values in a window")
	number(&p.Anomalies, "anomalies", 0, data.MaxSamples, "shifted values in the series; in proportion where --samples is smaller and this is not given")
	set.Var(real{&p.Noise, 0}, "noise", "standard deviation of the noise")
	set.Var(real{&p.Shift, math.Inf(-1)}, "shift", "what an anomaly adds to its value")
	set.Var(seedFlag{&p.Seed}, "seed", "seed of the data, the orders and the initial weights")
	number(&p.Threads, "threads", 1, maxThreads, "threads of a training step; the usable cores where not given")
	number(&p.Workers, "workers", 1, maxThreads, "goroutines that build the generator's batches")
	number(&p.QueueSize, "queue-size", 1, math.MaxInt32, "batches that the generator builds ahead")
	return f
}

// make settles what depends on several flags and checks it. Every error is a usageError.
func (f *planFlags) make() (record.Plan, error) {
	p := f.plan
	if f.set.Changed("epochs") {
		if f.set.Changed("steps") {
			return p, usagef("--steps %d and --epochs %d: give one of the two", p.Steps, p.Epochs)
		}
		p.Steps = 0
		if !f.set.Changed("rounds") {
			p.Rounds = 1
		}
	}
	if !f.set.Changed("anomalies") {
		p.Anomalies = int(int64(defaultAnomalies) * int64(p.Samples) / defaultSamples)
		if p.Samples > defaultSamples {
			p.Anomalies = defaultAnomalies
		}
	}
	if err := checkPlan(p); err != nil {
		return p, err
	}
	cells, err := modes.ParseCells(f.modes, f.executions)
	if err != nil {
		return p, usageError{err}
	}
	p.Cells = cells
	return p, nil
}

func checkPlan(p record.Plan) error {
	shortest := model.Default(p.Window)
	switch {
	case p.Window > p.Samples:
		return usagef("--window is %d; at most --samples, %d, is accepted", p.Window, p.Samples)
	case p.Window < shortest.MinWindow():
		return usagef("--window is %d; kernel %d and pool %d need at least %d values", p.Window, shortest.Kernel, shortest.Pool, shortest.MinWindow())
	case p.BatchSize > p.Samples:
		return usagef("--batch-size is %d; at most --samples, %d, is accepted", p.BatchSize, p.Samples)
	case p.Anomalies > p.Samples:
		return usagef("--anomalies is %d; at most --samples, %d, is accepted", p.Anomalies, p.Samples)
	case p.Epochs > math.MaxInt32/p.StepsPerEpoch():
		return usagef("--epochs is %d; with %d steps an epoch at most %d is accepted", p.Epochs, p.StepsPerEpoch(), math.MaxInt32/p.StepsPerEpoch())
	}
	return nil
}
