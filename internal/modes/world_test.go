package modes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// world is a clock that is moved by the work of a faked run alone.
type world struct {
	at     meter.Instant
	reads  int // of the Go runtime's counters
	others meter.Disturbance
}

func newWorld() *world { return &world{at: meter.Instant{Wall: time.Unix(1e9, 0), CPUKnown: true}} }

// pass lets that many milliseconds pass.
func (w *world) pass(wall, user, system int) {
	w.at.Wall = w.at.Wall.Add(time.Duration(wall) * time.Millisecond)
	w.at.User += time.Duration(user) * time.Millisecond
	w.at.System += time.Duration(system) * time.Millisecond
}

func (w *world) instruments() instruments {
	return instruments{
		now:         func() time.Time { return w.at.Wall },
		instant:     func() meter.Instant { return w.at },
		watchOthers: func() func() meter.Disturbance { return func() meter.Disturbance { return w.others } },
		runtime: func() meter.Go {
			w.reads++
			return meter.Go{AllocatedBytes: 700 * int64(w.reads), Collections: 2 * int64(w.reads)}
		},
	}
}

// parts are those of a run each part of which takes its time, in milliseconds of wall, user and system time:
//
//	generating        7000 6000 500
//	the feed          1000  900  50
//	the model          300  200  20
//	an order           100   90   5 times the epoch's number from 1
//	starting an epoch    4    2   1
//	the batch            2    1   0 times the step's number from 1
//	a step              10   15   1
func (w *world) parts() parts {
	f := &fakeExecution{at: func(step int) (model.Result, error) {
		w.pass(10, 15, 1)
		return steadyLoss(step)
	}}
	p := fakeParts(f)
	p.instruments = w.instruments()
	p.generate = func(ctx context.Context, c data.Config) (*data.Set, error) {
		w.pass(7000, 6000, 500)
		return data.Generate(ctx, c)
	}
	p.create = func(string, model.Config) (model.Execution, error) {
		w.pass(300, 200, 20)
		return f, nil
	}
	p.draw = func(ctx context.Context, dst []int32, seed uint32, epoch int) error {
		w.pass(100*(epoch+1), 90*(epoch+1), 5*(epoch+1))
		return data.EpochOrder(ctx, dst, seed, epoch)
	}
	p.lookup = func(name string) (Mode, error) {
		m, err := Lookup(name)
		open := m.open
		m.open = func(ctx context.Context, s source) (Feed, error) {
			w.pass(1000, 900, 50)
			feed, err := open(ctx, s)
			return &timedFeed{Feed: feed, world: w}, err
		}
		return m, err
	}
	return p
}

// timedFeed is a feed that takes its time.
type timedFeed struct {
	Feed
	world *world
	steps int
}

func (f *timedFeed) StartEpoch(order []int32) error {
	f.world.pass(4, 2, 1)
	return f.Feed.StartEpoch(order)
}

func (f *timedFeed) Next(ctx context.Context) (*model.Batch, []int32, error) {
	f.steps++
	f.world.pass(2*f.steps, f.steps, 0)
	return f.Feed.Next(ctx)
}

// figures are all times of a record by their JSON names.
func figures(run record.Run) map[string]*float64 {
	return map[string]*float64{
		"wall_seconds": run.WallSeconds, "user_seconds": run.UserSeconds, "system_seconds": run.SystemSeconds, "cpu_percent": run.CPUPercent,
		"phases.generate": run.Phases.Generate, "phases.build": run.Phases.Build, "phases.model": run.Phases.Model,
		"phases.shuffle": run.Phases.Shuffle, "phases.train": run.Phases.Train,
		"step_milliseconds": run.StepMilliseconds, "input_wait_milliseconds": run.InputWaitMilliseconds,
		"input_wait_seconds": run.InputWaitSeconds, "step_seconds": run.StepSeconds,
		"steady_cpu_percent": run.SteadyCPUPercent, "first_step_seconds": run.FirstStepSeconds,
		"other_cpu_percent": run.OtherCPUPercent, "steal_percent": run.StealPercent, "cpu_pressure_percent": run.CPUPressurePercent,
	}
}

// checkFigures wants exactly these figures, the medians within the histogram's 0.1 %.
func checkFigures(run record.Run, want map[string]float64) error {
	var errs []error
	for name, got := range figures(run) {
		w, there := want[name]
		tolerance := 1e-12 * math.Max(1, w)
		if name == "step_milliseconds" || name == "input_wait_milliseconds" {
			tolerance = 1e-3 * w
		}
		switch {
		case there != (got != nil):
			errs = append(errs, fmt.Errorf("%s: there is %v, want %v", name, got != nil, there))
		case there && !(math.Abs(*got-w) <= tolerance):
			errs = append(errs, fmt.Errorf("%s: %v, want %v", name, *got, w))
		}
	}
	return errors.Join(errs...)
}
