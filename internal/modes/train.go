package modes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// EngineName is this program's own engine in a record.
const EngineName = "fitbench"

// Job is one training run: a cell of the plan in one of its rounds.
type Job struct {
	Plan record.Plan `json:"plan"`
	Cell record.Cell `json:"cell"`
	// Round counts from 1.
	Round int `json:"round"`
	// Parity asks for the loss of each step: the run is not for its times, but to be held against another engine's.
	Parity bool `json:"parity,omitempty"`
}

// Train runs one training run in this process and fills its record; observe, which may be nil, is told how it goes on.
//
// Generating the series comes first and is nobody's time. Then the interval that the record speaks of begins: the feed is
// built, the model created, and each epoch is shuffled and trained. It ends with the last step. A run that fails, whose loss is not finite
// or whose context is cancelled, has Error set and keeps what was measured so far; a feed's or step's panic is such a failure.
func Train(ctx context.Context, job Job, observe func(Event)) record.Run {
	return parts{
		instruments: meters(), available: meter.AvailableMemory, lookup: Lookup,
		generate: data.Generate, create: nn.New, draw: data.EpochOrder,
	}.train(ctx, job, observe)
}

// parts are what Train is put together from.
type parts struct {
	instruments
	available func() (meter.Memory, bool)
	lookup    func(mode string) (Mode, error)
	generate  func(ctx context.Context, c data.Config) (*data.Set, error)
	create    func(execution string, c model.Config) (model.Execution, error)
	draw      func(ctx context.Context, dst []int32, seed uint32, epoch int) error // of an epoch's order
}

func (p parts) train(ctx context.Context, job Job, observe func(Event)) record.Run {
	t := &trainer{parts: p, job: job, run: record.Run{
		Mode: job.Cell.Mode, Execution: job.Cell.Execution, Engine: EngineName, Threads: job.Plan.Threads,
		Round: job.Round, BatchSize: job.Plan.BatchSize,
	}}
	defer t.close()
	err := t.prepare(observe)
	if err == nil {
		err = t.guarded(ctx)
	}
	t.finish(ctx, err)
	return t.run
}

// trainer is one run under way.
type trainer struct {
	parts
	job   Job
	run   record.Run
	mode  Mode
	impl  *kernel.Impl
	total int // steps

	report *reporter
	clock  *stopwatch
	digest *orderDigest
	order  []int32 // of the epoch, all samples
	tally  tally   // of the epoch

	set       *data.Set
	feed      Feed
	execution model.Execution
	splits    splits
	injection injection
}

// prepare checks the job and makes what costs nothing.
func (t *trainer) prepare(observe func(Event)) error {
	var err error
	if t.mode, err = t.lookup(t.job.Cell.Mode); err != nil {
		return err
	}
	t.run.Feed = t.mode.Feed
	if err := checkExecution(t.job.Cell.Execution); err != nil {
		return err
	}
	if err := CheckPlan(t.job.Plan); err != nil {
		return err
	}
	if t.impl, err = kernel.Select(t.job.Plan.Kernel); err != nil {
		return err
	}
	t.run.Kernel = t.impl.Name
	if t.injection, err = parseInjection(t.job.Plan.Inject, t.job.Cell); err != nil {
		return err
	}
	if t.injection.share > 0 {
		t.run.Injected = t.job.Plan.Inject
	}
	t.total = t.job.Plan.TotalSteps()
	t.report = newReporter(t.now, observe, t.total)
	t.clock = newStopwatch(t.instruments, t.total)
	t.splits = splits{steadyFrom: t.clock.steadyFrom}
	t.digest = newOrderDigest(t.job.Plan.BatchSize)
	return checkMemory(t.mode, t.job.Plan, t.available)
}

// guarded trains; a panic on this goroutine becomes the error.
func (t *trainer) guarded(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic after step %d of %d: %v", t.clock.steps, t.total, p)
		}
	}()
	if err := t.generateSeries(ctx); err != nil {
		return err
	}
	t.clock.begin()
	if err := t.build(ctx); err != nil {
		return err
	}
	if err := t.createModel(); err != nil {
		return err
	}
	return t.epochs(ctx)
}

func (t *trainer) generateSeries(ctx context.Context) (err error) {
	t.report.phase(PhaseGenerate, 0)
	began := t.now()
	if t.set, err = t.generate(ctx, DataConfig(t.job.Plan)); err != nil {
		return err
	}
	t.run.Phases.Generate = t.since(began)
	t.run.ClassOneShare = record.Of(float64(bytes.Count(t.set.Labels, []byte{1})) / float64(t.set.Samples()))
	return nil
}

// build makes the feed: what the mode must do before its first step.
func (t *trainer) build(ctx context.Context) (err error) {
	t.report.phase(PhaseBuild, 0)
	began, plan := t.now(), t.job.Plan
	t.feed, err = t.mode.open(ctx, source{
		set: t.set, classes: model.Default(plan.Window).Classes, batch: plan.BatchSize,
		threads: plan.Threads, workers: plan.Workers, queue: plan.QueueSize, chunk: plan.ChunkSize,
	})
	if err != nil {
		return err
	}
	t.run.Phases.Build = t.since(began)
	return nil
}

// createModel makes the model with its first weights.
func (t *trainer) createModel() (err error) {
	t.report.phase(PhaseModel, 0)
	began, plan, shapes := t.now(), t.job.Plan, model.Default(t.job.Plan.Window)
	t.execution, err = t.create(t.job.Cell.Execution, model.Config{
		Hyperparameters: shapes, BatchSize: plan.BatchSize, Threads: plan.Threads, Impl: t.impl, Weights: shapes.InitialWeights(plan.Seed),
	})
	if err != nil {
		return err
	}
	t.run.Phases.Model = t.since(began)
	return nil
}

// since is the seconds that have passed.
func (t *trainer) since(began time.Time) *float64 { return record.Of(t.now().Sub(began).Seconds()) }

// finish completes the record, whatever the run came to.
func (t *trainer) finish(ctx context.Context, err error) {
	if t.clock != nil {
		t.clock.fill(&t.run)
		t.run.Steps = t.clock.steps
	}
	if t.feed != nil {
		t.run.FeedBytes = record.Of(t.feed.Bytes())
	}
	if t.run.Steps > 0 {
		t.fillTrained()
	}
	if peak, ok := meter.PeakRSS(); ok {
		t.run.PeakRSSBytes = &peak
	}
	if err != nil {
		t.run.Error = err.Error()
	}
	if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
		t.run.Error = fmt.Sprintf("interrupted at step %d of %d", t.run.Steps, t.total)
	}
}

// fillTrained records what at least one step left behind.
func (t *trainer) fillTrained() {
	t.run.SamplesTrained = int64(t.run.Steps) * int64(t.job.Plan.BatchSize)
	t.run.OrderDigest = t.digest.String()
	t.run.WeightsDigest = weightsDigest(t.execution.Weights())
	counts := t.execution.Counts()
	t.run.TensorBytesPerStep, t.run.CopiedBytesPerStep, t.run.OpsPerStep = &counts.TensorBytes, &counts.CopiedBytes, &counts.Ops
	t.run.StepSplit = t.splits.medians()
	last := t.run.Epochs[len(t.run.Epochs)-1]
	t.run.Loss, t.run.Accuracy = &last.Loss, &last.Accuracy
}

func (t *trainer) close() {
	if t.feed != nil {
		t.feed.Close()
	}
	if t.execution != nil {
		t.execution.Close()
	}
}
