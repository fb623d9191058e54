package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fitbench/internal/data"
	"fitbench/internal/engine"
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

// Defaults where a framework is measured, whose step takes milliseconds and whose start takes seconds: an answer in about a minute.
const (
	frameworkSteps  = 300
	frameworkRounds = 4 // of which one may be disturbed
)

// Defaults of a sweep: each run trains on as many samples as takes it about half a second, so that a sweep takes a minute.
const (
	defaultSweepRounds   = 3
	defaultSamplesPerRun = 1 << 18
)

func defaultSizes() []int { return []int{16, 64, 256, 1024, 8096} }

// maxThreads bounds what a typing error can start.
const maxThreads = 4096

// maxStepsPerExecution is more than is of use: what a call costs is spread over a few steps already.
const maxStepsPerExecution = 1024

func defaultModes() []string {
	return []string{"fit@compiled", "generator", "train-on-batch", "fit-windows@compiled"}
}

// planFlags are the flags that a plan is made from.
type planFlags struct {
	plan              record.Plan
	modes, executions []string
	stepsPerExecution []int
	jitCompile        bool
	engines           []string
	names             []string // of the plan's flags
	set               *pflag.FlagSet
}

// sizing is which batch sizes a plan can have.
type sizing int

const (
	oneSize sizing = iota
	severalSizes
	checked // one size, and engines of its own
)

func addPlanFlags(set *pflag.FlagSet, sizing sizing) *planFlags {
	f := &planFlags{set: set, modes: defaultModes(), executions: nn.Names(), plan: record.Experiment()}
	p := &f.plan
	p.BatchSize, p.Steps, p.Rounds = defaultBatch, defaultSteps, defaultRounds
	p.Threads, p.Kernel, p.Workers, p.QueueSize = meter.ReadMachine().UsableCores, kernel.Auto, defaultWorkers, defaultQueueSize
	number := func(target *int, name string, min, max int, usage string) {
		set.Var(whole{target, min, max}, name, usage)
	}
	unlessGiven := func(ofFramework int) string {
		if sizing == checked {
			return ""
		}
		return fmt.Sprintf("; %d where a framework is measured and none is given", ofFramework)
	}
	if sizing == checked {
		p.Samples, p.Steps, p.Rounds = defaultCheckSamples, defaultCheckSteps, defaultBaselineRounds
	}
	if sizing == severalSizes {
		p.BatchSize, p.BatchSizes, p.SamplesPerRun, p.Rounds = 0, defaultSizes(), defaultSamplesPerRun, defaultSweepRounds
		set.Var(sizes{&p.BatchSizes}, "batch-sizes", "samples in a batch, as in 16,64,256 or 16..8192x2")
		number(&p.Steps, "steps", 1, math.MaxInt32, "training steps of each run, at the most"+unlessGiven(frameworkSteps))
		number(&p.SamplesPerRun, "samples-per-run", 1, math.MaxInt32, fmt.Sprintf("samples after which a run ends before its --steps, but not before %d", record.MinSweepSteps))
	} else {
		number(&p.BatchSize, "batch-size", 1, data.MaxSamples, "samples in a batch")
		number(&p.Steps, "steps", 1, math.MaxInt32, "training steps of each run"+unlessGiven(frameworkSteps))
		number(&p.Epochs, "epochs", 1, math.MaxInt32, "train that many whole epochs instead of --steps (then --rounds is 1 unless given)")
	}
	number(&p.Rounds, "rounds", 1, math.MaxInt32, "how often each mode is run, interleaved"+unlessGiven(frameworkRounds))
	set.Var(listOf(&f.modes), "modes", "what to compare: names of modes, each for every execution or, as in fit@compiled, for its own")
	set.Var(listOf(&f.executions), "executions", "executions of a mode that names none")
	if sizing != checked {
		set.StringArrayVar(&f.engines, "engine", []string{nativeEngine}, "engine to measure, may be repeated: native, keras, tf-keras, torch, jax, ...; fitbench engines lists how they are named")
		set.Var(wholes{&f.stepsPerExecution, 1, maxStepsPerExecution}, "steps-per-execution", "training steps that Keras and JAX run in one call, where the mode can; several numbers, as in 1,16, are compared")
		set.VarPF(truth{&f.jitCompile}, "jit-compile", "", "Keras compiles the step with XLA or, with --jit-compile=false, does not; its own default where not given").NoOptDefVal = "true"
	}
	number(&p.Samples, "samples", 1, data.MaxSamples, "length of the series, and so the number of windows")
	number(&p.Window, "window", 1, data.MaxSamples, "values in a window")
	number(&p.Anomalies, "anomalies", 0, data.MaxSamples, "shifted values in the series; in proportion where --samples is smaller and this is not given")
	set.Var(real{&p.Noise, 0}, "noise", "standard deviation of the noise")
	set.Var(real{&p.Shift, math.Inf(-1)}, "shift", "what an anomaly adds to its value")
	set.Var(seedFlag{&p.Seed}, "seed", "seed of the data, the orders and the initial weights")
	number(&p.Threads, "threads", 1, maxThreads, "threads of a training step; the usable cores where not given")
	set.Var(choice{&p.Kernel, append([]string{kernel.Auto}, kernel.Names()...)}, "kernel", "variant of the inner loops; auto is the best that this CPU has")
	number(&p.Workers, "workers", 1, maxThreads, "what builds the batches of generator and pipeline beside the training: goroutines, threads of Keras and JAX, processes of PyTorch")
	number(&p.QueueSize, "queue-size", 1, math.MaxInt32, "batches that generator and pipeline build ahead")
	number(&p.ChunkSize, "chunk-size", 1, data.MaxSamples, fmt.Sprintf("samples in a piece of fit-chunked; %d where not given", modes.DefaultChunkSize))
	set.VisitAll(func(flag *pflag.Flag) { f.names = append(f.names, flag.Name) })
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
	f.shorten(&p)
	if !f.set.Changed("anomalies") {
		p.Anomalies = inProportion(p.Samples)
	}
	for _, size := range p.Sizes() {
		if err := f.check(p.At(size)); err != nil {
			return p, err
		}
	}
	if err := f.nameEngines(&p); err != nil {
		return p, err
	}
	if err := errors.Join(f.tellKeras(&p), f.checkSeveral(p)); err != nil {
		return p, err
	}
	cells, err := f.cells()
	if err != nil {
		return p, err
	}
	p.Cells = severalSteps(cells, f.stepsPerExecution, f.contenders())
	return p, anySeveral(p.Cells, f.stepsPerExecution)
}

// shorten lowers the defaults where a framework is measured.
func (f *planFlags) shorten(p *record.Plan) {
	if !slices.ContainsFunc(f.engines, engine.IsFramework) {
		return
	}
	if !f.set.Changed("steps") && p.Steps > 0 {
		p.Steps = frameworkSteps
	}
	if !f.set.Changed("rounds") {
		p.Rounds = min(p.Rounds, frameworkRounds)
	}
}

// leastExecutions is how many a run must have of several steps: the first traces and compiles, and a median takes some more.
const leastExecutions = 4

// checkSeveral is an error where a run is too short for so many steps an execution.
func (f *planFlags) checkSeveral(p record.Plan) error {
	for _, n := range f.stepsPerExecution {
		for _, size := range p.Sizes() {
			if steps := p.At(size).TotalSteps(); n > 1 && steps < n*leastExecutions {
				return usagef("--steps-per-execution %d: a run at batch size %d has %d steps; %d are needed, for the execution that compiles and some more (%s, or fewer an execution)",
					n, size, steps, n*leastExecutions, longer(p, n*leastExecutions, size))
			}
		}
	}
	return nil
}

// longer is what gives a run at a batch size that many steps.
func longer(p record.Plan, steps, size int) string {
	switch {
	case p.Epochs > 0:
		return "more --epochs"
	case p.SamplesPerRun > 0 && p.Steps >= steps:
		return fmt.Sprintf("--samples-per-run %d", steps*size)
	}
	return fmt.Sprintf("--steps %d", steps)
}

// tellKeras puts into the plan what only Keras is told.
func (f *planFlags) tellKeras(p *record.Plan) error {
	if !f.set.Changed("jit-compile") {
		return nil
	}
	if !slices.ContainsFunc(f.engines, engine.IsKeras) {
		return usagef("--jit-compile: no engine is named that knows it; add --engine keras or tf-keras")
	}
	p.JITCompile = &f.jitCompile
	return nil
}

// inProportion is how many anomalies a shorter series than the experiment's has.
func inProportion(samples int) int {
	whole := record.Experiment()
	return int(int64(whole.Anomalies) * int64(min(samples, whole.Samples)) / int64(whole.Samples))
}

// makeCheck settles the plan of a check whose gates say which cells are run.
func (f *planFlags) makeCheck(cells []record.Cell) (record.Plan, error) {
	p, err := f.make()
	p.Cells = cells
	return p, err
}

// anyGiven tells whether any flag of the plan was given.
func (f *planFlags) anyGiven() bool {
	given := false
	f.set.Visit(func(flag *pflag.Flag) { given = given || slices.Contains(f.names, flag.Name) })
	return given
}

// nameEngines puts the engines into the plan unless it is the native one alone.
func (f *planFlags) nameEngines(p *record.Plan) error {
	for i, name := range f.engines {
		if slices.Contains(f.engines[:i], name) {
			return usagef("--engine %s is given twice; each engine is accepted once", name)
		}
	}
	if len(f.engines) > 1 || len(f.engines) == 1 && f.engines[0] != nativeEngine {
		p.Engines = f.engines
	}
	return nil
}

// check names a field that cannot be used by its flag.
func (f *planFlags) check(p record.Plan) error {
	err := modes.CheckPlan(p)
	if field := new(modes.FieldError); errors.As(err, &field) {
		return usagef("%s", field.Describe(func(name string) string {
			if name == "batch_size" && len(f.plan.BatchSizes) > 0 {
				name = "batch_sizes"
			}
			return "--" + strings.ReplaceAll(name, "_", "-")
		}))
	}
	return err
}
