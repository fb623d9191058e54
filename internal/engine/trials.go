package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// tryJob has the program do a whole run.
func tryJob(ctx context.Context, c *conformance) []error {
	s := c.run(ctx, c.job, orderOf(c.job), nil)
	if !s.ear.greet {
		c.useless = errors.New("not tried, since there was no hello")
		return []error{s.problem(), c.useless, c.useless, c.useless, c.useless, c.useless}
	}
	if err := s.failure(); err != nil {
		c.useless = errors.New("not tried, since the job failed")
		return []error{nil, err, c.useless, c.useless, c.useless, c.useless}
	}
	run := *s.ear.result
	return []error{
		nil, nil, checkEvents(c.job.Plan, s.events), checkCounts(c.job.Plan, run), checkTimes(run, s.elapsed.Seconds()),
		c.checkOrder(run, c.native[0]),
	}
}

// checkEvents is of the events between hello and result.
func checkEvents(p record.Plan, events []modes.Event) error {
	progress, step, seconds := 0, 0, 0.0
	for _, e := range events {
		if e.ElapsedSeconds < seconds {
			return fmt.Errorf("elapsed_seconds goes back from %v to %v", seconds, e.ElapsedSeconds)
		}
		seconds = e.ElapsedSeconds
		switch e.Kind {
		case modes.KindProgress:
			progress++
		case modes.KindEpoch:
			want := min(p.StepsPerEpoch(), p.TotalSteps()-step)
			step += want
			if e.Step != step || e.Epoch.Steps != want {
				return fmt.Errorf("an epoch event is of %d steps up to step %d; expected: %d up to %d", e.Epoch.Steps, e.Step, want, step)
			}
		}
	}
	if progress == 0 {
		return errors.New("no progress event came")
	}
	if step != p.TotalSteps() {
		return fmt.Errorf("the epoch events end at step %d of %d", step, p.TotalSteps())
	}
	return nil
}

// checkCounts is of what a result counts, beside what every result is checked for.
func checkCounts(p record.Plan, run record.Run) error {
	var steps int
	for _, e := range run.Epochs {
		steps += e.Steps
	}
	if steps != run.Steps {
		return fmt.Errorf("the %d epochs of the result have %d steps together; the run has %d", len(run.Epochs), steps, run.Steps)
	}
	if want := run.Steps - record.SteadyFrom(run.Steps); run.SteadySteps != want {
		return fmt.Errorf("steady_steps is %d; all but the first %d of %d steps are %d",
			run.SteadySteps, record.SteadyFrom(run.Steps), run.Steps, want)
	}
	return nil
}

// checkTimes holds a result's times against each other and against the time that the whole process took.
func checkTimes(run record.Run, elapsed float64) error {
	for _, t := range []struct {
		name  string
		value *float64
	}{{"step_milliseconds", run.StepMilliseconds}, {"wall_seconds", run.WallSeconds}} {
		if t.value == nil || !(*t.value > 0) {
			return fmt.Errorf("%s is not there, or 0", t.name)
		}
	}
	if *run.WallSeconds > elapsed {
		return fmt.Errorf("wall_seconds is %.6g; the whole process took %.6g s", *run.WallSeconds, elapsed)
	}
	// Half of the steady steps take the median or longer.
	if least := *run.StepMilliseconds / 1000 * float64(run.SteadySteps/2); least > *run.WallSeconds {
		return fmt.Errorf("step_milliseconds is %.6g, the median of %d steps, which then take at least %.6g s; wall_seconds is %.6g",
			*run.StepMilliseconds, run.SteadySteps, least, *run.WallSeconds)
	}
	return nil
}

// checkOrder leaves the rule out for a framework that shuffles by itself, as it does in a user's program.
func (c *conformance) checkOrder(run record.Run, native string) error {
	if c.program.framework != "" && run.OrderDigest == "" {
		return leftOut("this mode's order is the framework's own; fitbench verify --engine proves its steps in the job's order")
	}
	return checkOrder(run, native)
}

func checkOrder(run record.Run, native string) error {
	if run.OrderDigest == "" {
		return fmt.Errorf("there is no order_digest; the native engine's is %s", native)
	}
	if run.OrderDigest != native {
		return fmt.Errorf("order_digest is %s; the native engine's is %s", run.OrderDigest, native)
	}
	return nil
}

func tryEpochs(ctx context.Context, c *conformance) error {
	job := c.epochsJob()
	s := c.run(ctx, job, orderOf(job), nil)
	if err := s.failure(); err != nil {
		return err
	}
	return c.checkOrder(*s.ear.result, c.native[1])
}

// tryUnknownFields adds a field to each object of the order.
func tryUnknownFields(ctx context.Context, c *conformance) error {
	text, err := json.Marshal(orderOf(c.job))
	if err != nil {
		return err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	unknown := map[string]any{"of": []any{nil, true, 1.5, "text"}}
	for _, name := range []string{"plan", "cell"} {
		if object, ok := fields[name].(map[string]any); ok {
			object["a_field_of_a_later_version"] = unknown
		}
	}
	fields["a_field_of_a_later_version"] = unknown
	return c.run(ctx, c.job, fields, nil).failure()
}

func tryUnknownMode(ctx context.Context, c *conformance) error {
	job := c.job
	job.Cell.Mode = "no-such-mode"
	job.Plan.Cells = []record.Cell{job.Cell}
	s := c.run(ctx, job, orderOf(job), nil)
	switch result := s.ear.result; {
	case result == nil:
		return s.problem()
	case result.Error == "":
		return errors.New("the result has no error")
	}
	return s.disobedience()
}

func tryOtherProtocol(ctx context.Context, c *conformance) error {
	order := orderOf(c.job)
	order.Protocol = 999
	s := c.run(ctx, c.job, order, nil)
	switch {
	case s.ear.result != nil:
		return errors.New("it gives a result")
	case s.disobedience() != nil:
		return s.disobedience()
	case s.state == nil:
		return s.problem()
	case s.state.Success():
		return errors.New("it ends with exit status 0")
	}
	return nil
}

func tryNoJob(ctx context.Context, c *conformance) error {
	// Under a context that has ended a child is told to stop as soon as it has been started.
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	s := c.run(ctx, c.job, nil, nil)
	if s.ear.result != nil && s.ear.result.Error == "" {
		return errors.New("it gives a result without an error")
	}
	if s.state == nil {
		return s.problem()
	}
	return s.disobedience()
}

// endless is a number of steps that nobody does within the grace.
const endless = 100_000_000

func tryStop(ctx context.Context, c *conformance) error {
	job := c.job
	job.Plan.Steps = endless
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := c.run(ctx, job, orderOf(job), func(e modes.Event) {
		if e.Step > 0 {
			cancel()
		}
	})
	switch {
	case s.disobedience() != nil || s.state == nil:
		return s.problem()
	case ctx.Err() == nil:
		return fmt.Errorf("it ended before it had trained a step: %w", s.failure())
	}
	return nil
}
