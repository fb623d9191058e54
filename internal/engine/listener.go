package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// limits bound what a child may say, so that one gone wrong can neither fill the parent's memory nor keep it busy for ever.
type limits struct {
	lineBytes int
	events    int
}

// limitsOf is generous: a result holds one object an epoch, and an honest child tells at most one progress a step and a few
// events an epoch.
func limitsOf(p record.Plan) limits {
	epochs := 1 + p.TotalSteps()/max(1, p.StepsPerEpoch())
	return limits{lineBytes: 1<<20 + 256*epochs, events: 1024 + 2*p.TotalSteps() + 16*epochs}
}

// listener is the parent's ear: a writer that takes what a child writes to its standard output, line by line, and keeps what it
// has reported so far.
type listener struct {
	job     Job
	engine  string // its name in records
	limits  limits
	observe func(modes.Event)

	line    []byte // begun, not ended yet
	greet   bool   // the child has said hello
	version string // what it said there of itself
	printed string // the first line of what a framework's interpreter printed before, quoted; empty for nothing
	events  int
	heard   heard
	result  *record.Run
	err     error // the breach of the protocol that ended the conversation
	// moves grows when a piece of output comes and when it has been dealt with: odd in between, which is not the child's silence.
	moves atomic.Uint64

	told   chan struct{} // closed with result
	broken chan struct{} // closed with err
}

func newListener(job Job, engine string, limits limits, observe func(modes.Event)) *listener {
	if observe == nil {
		observe = func(modes.Event) {}
	}
	return &listener{
		job: job, engine: engine, limits: limits, observe: observe, heard: heard{run: blank(job, engine)},
		told: make(chan struct{}), broken: make(chan struct{}),
	}
}

// Write takes the next piece of the child's output. Its error ends the listening.
func (l *listener) Write(p []byte) (int, error) {
	l.moves.Add(1)
	defer l.moves.Add(1)
	for rest := p; len(rest) > 0; {
		piece, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		if len(l.line)+len(piece) > l.limits.lineBytes {
			return 0, l.breach(fmt.Errorf("a line is longer than %d bytes", l.limits.lineBytes))
		}
		l.line = append(l.line, piece...)
		if !ended {
			break
		}
		if err := l.take(l.line); err != nil {
			return 0, l.breach(err)
		}
		l.line = l.line[:0]
	}
	return len(p), nil
}

// breach keeps the first breach of the protocol and returns it.
func (l *listener) breach(err error) error {
	if l.err == nil {
		l.err = err
		close(l.broken)
	}
	return err
}

// take obeys one line.
func (l *listener) take(line []byte) error {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("%s is no event in JSON: %w", quote(line), err)
	}
	switch {
	case !l.greet:
		return l.hello(m, line)
	case l.result != nil:
		return fmt.Errorf("%s comes after the result", quote(line))
	}
	if l.events++; l.events > l.limits.events {
		return fmt.Errorf("more than %d events, which is a flood for a run of %d steps", l.limits.events, l.job.Plan.TotalSteps())
	}
	switch m.Event {
	case modes.KindPhase, modes.KindProgress, modes.KindEpoch:
		return l.event(m)
	case eventResult:
		return l.end(m)
	}
	return fmt.Errorf("event %s is unknown; known after hello: phase, progress, epoch, result", quote([]byte(m.Event)))
}

func (l *listener) hello(m message, line []byte) error {
	switch {
	case m.Event != eventHello:
		return fmt.Errorf("the first line is %s, not a hello", quote(line))
	case m.Protocol != ProtocolVersion:
		return fmt.Errorf("it speaks protocol %d; this program speaks %d", m.Protocol, ProtocolVersion)
	}
	l.greet, l.version = true, printable([]byte(m.Version), lineLength)
	l.heard.run.EngineVersion = l.version
	return nil
}

func (l *listener) event(m message) error {
	if m.Event == modes.KindEpoch && m.Epoch == nil {
		return errors.New("an epoch event has no epoch")
	}
	total := l.job.Plan.TotalSteps()
	if m.Step < l.heard.step || m.Step > total {
		return fmt.Errorf("an event %s is of step %d; after step %d a step up to %d is accepted", m.Event, m.Step, l.heard.step, total)
	}
	e := m.modesEvent()
	e.Steps = total
	l.heard.note(e)
	l.observe(e)
	return nil
}

func (l *listener) end(m message) error {
	if m.Run == nil {
		return errors.New("the result has no run")
	}
	if err := checkResult(l.job, *m.Run); err != nil {
		return err
	}
	l.result = clean(*m.Run)
	l.result.Engine, l.result.EngineVersion = l.engine, l.version
	close(l.told)
	return nil
}

// quote shows the beginning of a line.
func quote(line []byte) string {
	const shown = 80
	if len(line) > shown {
		return fmt.Sprintf("%q...", line[:shown])
	}
	return fmt.Sprintf("%q", line)
}
