package engine

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fitbench/internal/environment"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// workerGrace is how long training may take to stop before the worker ends without it.
const workerGrace = 2 * time.Second

// maxOrderBytes bounds the line with the job.
const maxOrderBytes = 1 << 20

// Worker is the child's side: it reads the job from stdin, trains, and writes the events and the result to stdout. It stops when
// stdin ends, when stdout breaks, on SIGTERM and when ctx ends; an interrupt from the terminal is the parent's matter and ignored.
// What cannot be said in the protocol goes to stderr.
//
// The exit code that it returns is 0 where the run did not fail. Training that has not stopped 2 s after it was told to is left
// behind, so the caller has to end the process with the code. So is the goroutine that waits for stdin's end. A panic is not caught:
// the parent finds its text on stderr.
func Worker(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) int {
	return worker{train: modes.Train, grace: workerGrace, version: version()}.serve(ctx, stdin, stdout, stderr)
}

// trainFunc is modes.Train.
type trainFunc func(ctx context.Context, job modes.Job, observe func(modes.Event)) record.Run

type worker struct {
	train   trainFunc
	grace   time.Duration
	version string
}

// version is what the worker says that it is.
func version() string { return cmp.Or(environment.Revision(), "devel") }

var errStdinEnded = errors.New("standard input was closed")

func (w worker) serve(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) int {
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	orders := make(chan order, 1)
	go func() { cancel(listen(stdin, orders)) }()
	done := make(chan error, 1)
	go func() { done <- w.work(ctx, orders, teller{json.NewEncoder(stdout), cancel}) }()

	err := w.await(ctx, done)
	if err != nil {
		fmt.Fprintln(stderr, "fitbench worker:", err)
		return 1
	}
	return 0
}

// await returns the work's error, or another where the work does not end in time after ctx has.
func (w worker) await(ctx context.Context, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(w.grace)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return fmt.Errorf("training did not stop within %v after %w", w.grace, context.Cause(ctx))
	}
}

// listen hands on the order, then reads to the end of stdin. It returns why the worker has to stop.
func listen(stdin io.Reader, orders chan<- order) error {
	in := bufio.NewReader(stdin)
	line, err := readLine(in)
	if err != nil {
		return fmt.Errorf("no job could be read from standard input: %w", err)
	}
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return fmt.Errorf("the line on standard input is no job in JSON: %w", err)
	}
	if o.Protocol != ProtocolVersion {
		return fmt.Errorf("the job is of protocol %d; this program speaks %d", o.Protocol, ProtocolVersion)
	}
	orders <- o
	// What comes after the job means nothing; an error ends stdin as well as its end does.
	_, _ = io.Copy(io.Discard, in)
	return errStdinEnded
}

// readLine reads one line of at most maxOrderBytes.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case err == nil:
			return line, nil
		case len(line) > maxOrderBytes:
			return nil, fmt.Errorf("its first line is longer than %d bytes", maxOrderBytes)
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// work does the job that comes and tells of it. The error is that of the run, or says why nothing could be told.
func (w worker) work(ctx context.Context, orders <-chan order, out teller) error {
	if err := out.tell(message{Event: eventHello, Protocol: ProtocolVersion, Version: w.version}); err != nil {
		return err
	}
	var job Job
	select {
	case o := <-orders:
		job = o.job()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	run := w.run(ctx, job, out)
	markInterrupted(ctx, &run)
	return out.result(job, run)
}

// run trains, under a CPU profile where the job asks for one.
func (w worker) run(ctx context.Context, job Job, out teller) record.Run {
	stop, err := startProfile(job)
	if err != nil {
		run := blank(job, modes.EngineName)
		run.Error = err.Error()
		return run
	}
	run := w.train(ctx, modes.Job{Plan: job.Plan, Cell: job.Cell, Round: job.Round, Parity: job.Parity}, func(e modes.Event) {
		// A failure has ended ctx, which ends the training.
		_ = out.tell(messageOf(e))
	})
	if err := stop(); err != nil && run.Error == "" {
		run.Error = err.Error()
	}
	return run
}

// teller writes messages for the parent. What it cannot write ends the run.
type teller struct {
	out    *json.Encoder
	cancel context.CancelCauseFunc
}

func (t teller) tell(m message) error {
	if err := t.out.Encode(m); err != nil {
		err = fmt.Errorf("event %q could not be written to standard output: %w", m.Event, err)
		t.cancel(err)
		return err
	}
	return nil
}

// result tells the run and returns its error. A record that JSON cannot say becomes one that says so.
func (t teller) result(job Job, run record.Run) error {
	if _, err := json.Marshal(run); err != nil {
		run = blank(job, modes.EngineName)
		run.Error = fmt.Sprintf("the record of the run cannot be written: %v", err)
	}
	if err := t.tell(message{Event: eventResult, Run: &run}); err != nil {
		return err
	}
	if run.Error != "" {
		return errors.New(run.Error)
	}
	return nil
}
