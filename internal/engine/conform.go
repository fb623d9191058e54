package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// Check is one requirement of the protocol, held against a program.
type Check struct {
	// Rule is what is required.
	Rule string
	// Err is what the program did instead; nil where it passed.
	Err error
	// Left is why the program was not held against it, which then neither passed nor failed; empty where it was.
	Left string
}

// leftOut is an outcome that becomes a Check's Left.
type leftOut string

func (l leftOut) Error() string { return string(l) }

// Conform holds a program against the protocol with some small runs of the cell, which it has to be able to do, and tells each check as
// it is done. passed is true where all passed. The error is ctx's cause, or that of the native run to which the program's is compared.
func Conform(ctx context.Context, p *Program, cell record.Cell, tell func(Check)) (passed bool, err error) {
	c := conformance{program: p, job: conformanceJob(cell)}
	if c.native, err = nativeDigests(ctx, c.job, c.epochsJob()); err != nil {
		return false, err
	}
	passed = true
	for _, t := range trials() {
		outcomes := t.try(ctx, &c)
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		for i, rule := range t.rules {
			check := Check{Rule: rule, Err: outcomes[i]}
			if left := leftOut(""); errors.As(check.Err, &left) {
				check = Check{Rule: rule, Left: string(left)}
			}
			passed = passed && check.Err == nil
			tell(check)
		}
	}
	return passed, nil
}

// conformance is one program on trial.
type conformance struct {
	program *Program
	job     Job
	native  [2]string // order digests of job and epochsJob
	// useless is why no further trial would tell anything.
	useless error
}

// trial is a row of the table of trials: what the program is made to do, and the rules that it shows something of.
type trial struct {
	rules []string
	// try returns what is wrong, an error or nil for each rule.
	try func(ctx context.Context, c *conformance) []error
}

func trials() []trial {
	return []trial{
		{[]string{
			fmt.Sprintf("the first line is a hello of protocol %d", ProtocolVersion),
			"a job ends with a result without an error, and exit status 0",
			"progress is told, and every epoch at its end",
			"counts: steps, samples, epochs and steady steps are right",
			"times: milliseconds a step and wall time are there and possible",
			"the samples come in the order that the job says (order_digest)",
		}, tryJob},
		{[]string{"a job in epochs, with the largest seed, is done in its order"}, alone(tryEpochs)},
		{[]string{"unknown fields in the job are ignored"}, alone(tryUnknownFields)},
		{[]string{"a mode that there is not ends with a result with an error"}, alone(tryUnknownMode)},
		{[]string{"a job of another protocol is refused: no result, exit status not 0"}, alone(tryOtherProtocol)},
		{[]string{"without a job it ends when standard input closes"}, alone(tryNoJob)},
		{[]string{"in training it ends when standard input closes"}, alone(tryStop)},
	}
}

// alone is of a trial with one rule. It is left out where it would tell nothing.
func alone(try func(ctx context.Context, c *conformance) error) func(context.Context, *conformance) []error {
	return func(ctx context.Context, c *conformance) []error {
		if c.useless != nil {
			return []error{c.useless}
		}
		return []error{try(ctx, c)}
	}
}

// conformanceJob trains an epoch of 25 steps and 15 steps of the next. Three samples of each epoch are left over.
func conformanceJob(cell record.Cell) Job {
	return Job{
		Plan: record.Plan{
			Samples: 203, Window: 104, Anomalies: 9, Noise: 0.2, Shift: 0.5, Seed: 0, BatchSize: 8, Steps: 40,
			Rounds: 3, Threads: 1, Workers: 1, QueueSize: 10, Cells: []record.Cell{cell},
		},
		Cell: cell, Round: 3,
	}
}

// epochsJob is the same in two whole epochs, with the seed whose epochs' seeds begin again at 0.
func (c *conformance) epochsJob() Job {
	job := c.job
	job.Plan.Steps, job.Plan.Epochs, job.Plan.Seed = 0, 2, 1<<32-1
	return job
}

// nativeDigests are the order digests of two jobs as this program trains them.
func nativeDigests(ctx context.Context, jobs ...Job) (digests [2]string, err error) {
	for i, job := range jobs {
		run := modes.Train(ctx, modes.Job{
			Plan: job.Plan, Cell: record.Cell{Mode: "train-on-batch", Execution: "compiled"}, Round: job.Round,
		}, nil)
		if run.Error != "" {
			return digests, fmt.Errorf("the native run to compare with failed: %s", run.Error)
		}
		digests[i] = run.OrderDigest
	}
	return digests, nil
}

// attempt is what a program did in one trial.
type attempt struct {
	*child
	events  []modes.Event
	elapsed time.Duration
}

// run starts the program with that order, which is the job's with or without a catch. observe may be nil.
func (c *conformance) run(ctx context.Context, job Job, order any, observe func(modes.Event)) *attempt {
	s := &attempt{}
	s.child = c.program.prepare(job, func(e modes.Event) {
		s.events = append(s.events, e)
		if observe != nil {
			observe(e)
		}
	})
	s.child.called, s.child.order = "it", order
	began := time.Now()
	s.live(ctx)
	s.elapsed = time.Since(began)
	return s
}

// failure is why the attempt did not end with a result without an error.
func (s *attempt) failure() error {
	if run := s.outcome(); run.Error != "" {
		return errors.New(run.Error)
	}
	return nil
}

// disobedience is why a program that was to end by itself did not, or broke the protocol meanwhile.
func (s *attempt) disobedience() error {
	if s.ear.err != nil || s.trouble != "" {
		return s.problem()
	}
	return nil
}
