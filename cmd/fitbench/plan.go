package main

import (
	"errors"
	"math"
	"strings"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"

	"github.com/spf13/pflag"
)

// Defaults of the flags, beside the data of the experiment as it was reported.
const (
	defaultBatch     = 64
	defaultSteps     = 2000
	defaultRounds    = 5
	defaultWorkers   = 1  // as Keras's fit_generator
	defaultQueueSize = 10 // as Keras's fit_generator
)

// maxThreads bounds what a typing error can start.
const maxThreads = 4096

func defaultModes() []string {
	return []string{"fit@compiled", "generator", "train-on-batch", "fit-windows@compiled"}
}

// planFlags are the flags that a plan is made from.
type planFlags struct {
	plan              record.Plan
	modes, executions []string
	set               *pflag.FlagSet
}

func addPlanFlags(set *pflag.FlagSet) *planFlags {
	f := &planFlags{set: set, modes: defaultModes(), executions: nn.Names(), plan: record.Experiment()}
	p := &f.plan
	p.BatchSize, p.Steps, p.Rounds = defaultBatch, defaultSteps, defaultRounds
	p.Threads, p.Kernel, p.Workers, p.QueueSize = meter.ReadMachine().UsableCores, kernel.Auto, defaultWorkers, defaultQueueSize
	number := func(target *int, name string, min, max int, usage string) {
		set.Var(whole{target, min, max}, name, usage)
	}
	number(&p.BatchSize, "batch-size", 1, data.MaxSamples, "samples in a batch")
	number(&p.Steps, "steps", 1, math.MaxInt32, "training steps of each run")
	number(&p.Epochs, "epochs", 1, math.MaxInt32, "train that many whole epochs instead of --steps (then --rounds is 1 unless given)")
	number(&p.Rounds, "rounds", 1, math.MaxInt32, "how often each mode is run, interleaved")
	set.Var(list{&f.modes}, "modes", "what to compare: names of modes, each for every execution or, as in fit@compiled, for its own")
	set.Var(list{&f.executions}, "executions", "executions of a mode that names none")
	number(&p.Samples, "samples", 1, data.MaxSamples, "length of the series, and so the number of windows")
	number(&p.Window, "window", 1, data.MaxSamples, "values in a window")
	number(&p.Anomalies, "anomalies", 0, data.MaxSamples, "shifted values in the series; in proportion where --samples is smaller and this is not given")
	set.Var(real{&p.Noise, 0}, "noise", "standard deviation of the noise")
	set.Var(real{&p.Shift, math.Inf(-1)}, "shift", "what an anomaly adds to its value")
	set.Var(seedFlag{&p.Seed}, "seed", "seed of the data, the orders and the initial weights")
	number(&p.Threads, "threads", 1, maxThreads, "threads of a training step; the usable cores where not given")
	set.Var(choice{&p.Kernel, append([]string{kernel.Auto}, kernel.Names()...)}, "kernel", "variant of the inner loops; auto is the best that this CPU has")
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
	if whole := record.Experiment(); !f.set.Changed("anomalies") && p.Samples < whole.Samples {
		p.Anomalies = int(int64(whole.Anomalies) * int64(p.Samples) / int64(whole.Samples))
	}
	if err := checkPlan(p); err != nil {
		return p, err
	}
	cells, err := modes.ParseCells(f.modes, f.executions)
	if err != nil {
		return p, usagef("--modes %s with --executions %s: %w", strings.Join(f.modes, ","), strings.Join(f.executions, ","), err)
	}
	p.Cells = cells
	return p, nil
}

// checkPlan names a field that cannot be used by its flag.
func checkPlan(p record.Plan) error {
	err := modes.CheckPlan(p)
	if field := new(modes.FieldError); errors.As(err, &field) {
		return usagef("%s", field.Describe(func(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") }))
	}
	return err
}
