package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// session is a worker that runs in this process.
type session struct {
	t      *testing.T
	stdin  *io.PipeWriter
	stdout bytes.Buffer
	stderr bytes.Buffer
}

// serve runs the worker on that first line to its end. In the training, s.stdin may be closed.
func (s *session) serve(line string, train trainFunc) int {
	s.t.Helper()
	in, out := io.Pipe()
	s.stdin = out
	go func() { _, _ = io.WriteString(out, line) }()
	defer out.Close()
	return worker{train: train, grace: time.Minute}.serve(s.t.Context(), in, &s.stdout, &s.stderr)
}

// messages are what the worker told, the hello left out.
func (s *session) messages() []message {
	s.t.Helper()
	var all []message
	for d := json.NewDecoder(&s.stdout); d.More(); {
		var m message
		if err := d.Decode(&m); err != nil {
			s.t.Fatalf("standard output is not JSON: %v", err)
		}
		all = append(all, m)
	}
	if len(all) == 0 || all[0].Event != eventHello || all[0].Protocol != 1 {
		s.t.Fatalf("the first message is not hello of protocol 1: %+v", all)
	}
	return all[1:]
}

// line is a job as a parent writes it.
func line(t *testing.T, job Job) string {
	t.Helper()
	text, err := json.Marshal(orderOf(job))
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func TestWorkerTrainsTheJobThatItReads(t *testing.T) {
	s := session{t: t}
	var got modes.Job
	code := s.serve(line(t, testJob()), func(_ context.Context, job modes.Job, _ func(modes.Event)) record.Run {
		got = job
		return record.Run{Mode: "fit", Steps: 40}
	})
	want := testJob()
	if got.Cell != want.Cell || got.Round != want.Round || got.Plan.Steps != want.Plan.Steps || len(got.Plan.Cells) != 1 {
		t.Errorf("job %+v, want %+v", got, want)
	}
	messages := s.messages()
	if code != 0 || len(messages) != 1 || messages[0].Event != eventResult || messages[0].Run.Steps != 40 {
		t.Errorf("exit code %d, messages %+v; want 0 and the result", code, messages)
	}
}

func TestWorkerStopsWhenItsInputEnds(t *testing.T) {
	s := session{t: t}
	code := s.serve(line(t, testJob()), func(ctx context.Context, _ modes.Job, _ func(modes.Event)) record.Run {
		s.stdin.Close()
		<-ctx.Done()
		return record.Run{Error: "stopped"}
	})
	messages := s.messages()
	if code != 1 || len(messages) != 1 || messages[0].Run.Error != "interrupted (standard input was closed): stopped" {
		t.Errorf("exit code %d, messages %+v; want 1 and a result that says interrupted", code, messages)
	}
}

func TestWorkerStopsWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	var stdout, stderr bytes.Buffer
	cancel()
	code := worker{grace: time.Minute}.serve(ctx, in, &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "context canceled") {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
}

func TestWorkerRefusesWhatIsNoJob(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"garbage", "train!\n", "no job in JSON"},
		{"another protocol", `{"protocol":7}` + "\n", "the job is of protocol 7; this program speaks 1"},
		{"too long", strings.Repeat("x", maxOrderBytes+5000) + "\n", "longer than 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session{t: t}
			code := s.serve(c.line, func(context.Context, modes.Job, func(modes.Event)) record.Run {
				t.Error("it trains")
				return record.Run{}
			})
			if code != 1 || !strings.Contains(s.stderr.String(), c.want) {
				t.Errorf("exit code %d, standard error %q; want 1 and %q", code, &s.stderr, c.want)
			}
			if rest := s.messages(); len(rest) != 0 {
				t.Errorf("it tells %+v", rest)
			}
		})
	}
	var stdout, stderr bytes.Buffer
	code := worker{grace: time.Minute}.serve(t.Context(), strings.NewReader(`{"protocol":1}`), &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "no job could be read") {
		t.Errorf("cut input: exit code %d, standard error %q", code, &stderr)
	}
}

// brokenPipe is a standard output that nobody reads after some lines.
type brokenPipe struct{ lines int }

var errBrokenPipe = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.lines--; b.lines < 0 {
		return 0, errBrokenPipe
	}
	return len(p), nil
}

func TestWorkerStopsTrainingWhenItsOutputBreaks(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	go func() { _, _ = io.WriteString(out, line(t, testJob())) }()
	var stderr bytes.Buffer
	var cause error
	train := func(ctx context.Context, job modes.Job, observe func(modes.Event)) record.Run {
		tellStory(job, observe)
		<-ctx.Done()
		cause = context.Cause(ctx)
		return record.Run{Error: "stopped"}
	}
	code := worker{train: train, grace: time.Minute}.serve(t.Context(), in, &brokenPipe{lines: 3}, &stderr)
	if code != 1 || !errors.Is(cause, errBrokenPipe) || !strings.Contains(stderr.String(), "broken pipe") {
		t.Errorf("exit code %d, cause %v, standard error %q", code, cause, &stderr)
	}
}

func TestWorkerTellsALossThatIsNotFiniteAsAbsent(t *testing.T) {
	s := session{t: t}
	s.serve(line(t, testJob()), func(_ context.Context, _ modes.Job, observe func(modes.Event)) record.Run {
		observe(modes.Event{Kind: modes.KindProgress, Step: 3, Loss: math.NaN()})
		observe(modes.Event{Kind: modes.KindProgress, Step: 4, Loss: math.Inf(1)})
		observe(modes.Event{Kind: modes.KindProgress, Step: 5, Loss: 0})
		return record.Run{}
	})
	for i, m := range s.messages()[:3] {
		if finite := i == 2; (m.Loss != nil) != finite {
			t.Errorf("step %d: loss %v", m.Step, m.Loss)
		}
		if e := m.modesEvent(); math.IsNaN(e.Loss) != (i < 2) {
			t.Errorf("step %d: the parent takes the loss for %v", m.Step, e.Loss)
		}
	}
}

func TestWorkerReportsARecordThatJSONCannotSay(t *testing.T) {
	s := session{t: t}
	code := s.serve(line(t, testJob()), func(context.Context, modes.Job, func(modes.Event)) record.Run {
		return record.Run{Mode: "fit", Loss: record.Of(math.NaN())}
	})
	messages := s.messages()
	if code != 1 || len(messages) != 1 || !strings.Contains(messages[0].Run.Error, "cannot be written") || messages[0].Run.Round != 2 {
		t.Errorf("exit code %d, messages %+v", code, messages)
	}
}

func TestWorkerWritesTheCPUProfileUnderTheRunsName(t *testing.T) {
	s, job := session{t: t}, testJob()
	job.CPUProfile = t.TempDir()
	code := s.serve(line(t, job), func(context.Context, modes.Job, func(modes.Event)) record.Run { return record.Run{} })
	profile, err := os.ReadFile(filepath.Join(job.CPUProfile, "fit-compiled-round-2.pprof"))
	if code != 0 || err != nil {
		t.Fatalf("exit code %d, %v", code, err)
	}
	// A profile is a gzip stream (RFC 1952: it begins with 1f 8b).
	if !bytes.HasPrefix(profile, []byte{0x1f, 0x8b}) {
		t.Errorf("the profile begins with %x", profile[:min(2, len(profile))])
	}
}

func TestWorkerFailsWhereTheCPUProfileCannotBeWritten(t *testing.T) {
	s, job := session{t: t}, testJob()
	job.CPUProfile = filepath.Join(t.TempDir(), "missing")
	code := s.serve(line(t, job), func(context.Context, modes.Job, func(modes.Event)) record.Run {
		t.Error("it trains")
		return record.Run{}
	})
	messages := s.messages()
	if code != 1 || len(messages) != 1 || !strings.Contains(messages[0].Run.Error, "the CPU profile cannot be written") {
		t.Errorf("exit code %d, messages %+v", code, messages)
	}
}

func TestExcerptKeepsBeginningAndEndInBoundedMemory(t *testing.T) {
	var e excerpt
	e.Write([]byte("panic: first\n\ngoroutine 1 [running]:\n"))
	for range 100000 {
		e.Write([]byte("\tsome/file.go:12 +0x1d\n"))
	}
	if got := e.words(); got != "panic: first" {
		t.Errorf("words %q, want the panic's text", got)
	}
	if n := cap(e.head) + cap(e.tail); n > 1<<20 {
		t.Errorf("it holds %d bytes", n)
	}
}

func TestExcerptOfALineWithoutEndIsBounded(t *testing.T) {
	var e excerpt
	for range 100 {
		e.Write(bytes.Repeat([]byte("x"), 64<<10))
	}
	if n := cap(e.head) + cap(e.tail); n > 1<<20 {
		t.Errorf("it holds %d bytes", n)
	}
	if got, want := e.words(), strings.Repeat("x", lineLength); got != want {
		t.Errorf("words %q, want the line's first %d characters", got, lineLength)
	}
}
