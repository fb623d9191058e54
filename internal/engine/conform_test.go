package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// conform holds the program against the protocol and returns what is wrong by rule.
func conform(t *testing.T, p *Program, cell record.Cell) (passed bool, wrong map[string]string) {
	t.Helper()
	wrong = map[string]string{}
	passed, err := Conform(t.Context(), p, cell, func(c Check) {
		if wrong[c.Rule] = ""; c.Err != nil {
			wrong[c.Rule] = c.Err.Error()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return passed, wrong
}

func wantConformity(t *testing.T, p *Program, cell record.Cell) {
	t.Helper()
	passed, wrong := conform(t, p, cell)
	if !passed || len(wrong) != 12 {
		t.Errorf("passed %v in %d checks", passed, len(wrong))
	}
	for rule, err := range wrong {
		if err != "" {
			t.Errorf("%s: %s", rule, err)
		}
	}
}

func TestFitbenchItselfConforms(t *testing.T) {
	for _, cell := range []record.Cell{{Mode: "train-on-batch", Execution: "eager"}, {Mode: "fit", Execution: "compiled"}} {
		wantConformity(t, newNative(t, "real", nil), cell)
	}
}

func TestTheExampleConforms(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no Python here:", err)
	}
	p, err := Parse("exec:python3 ../../examples/engine/engine.py", Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantConformity(t, p, record.Cell{Mode: "train-on-batch", Execution: "eager"})
}

// twisted is a conforming program with one fault.
type twisted struct {
	// order changes the line that it reads.
	order func(line string) string
	// job changes the job before it is trained, event what it tells (nothing where it returns false), result the record of the run.
	job    func(job *modes.Job)
	event  func(e *modes.Event) bool
	result func(run *record.Run)
	deaf   bool // it goes on training when it is to stop
}

// twists are the faults, by the names of children with them.
func twists() map[string]twisted {
	return map[string]twisted{
		"progress-missing": {event: func(e *modes.Event) bool { return e.Kind != modes.KindProgress }},
		"epoch-missing":    {event: func(e *modes.Event) bool { return e.Kind != modes.KindEpoch || e.Step < 40 }},
		"epoch-late":       {event: func(e *modes.Event) bool { e.Step = min(e.Step+1, 40); return true }},
		"clock-back":       {event: func(e *modes.Event) bool { e.ElapsedSeconds = float64(100 - e.Step); return true }},
		"epochs-missing":   {result: func(run *record.Run) { run.Epochs = run.Epochs[1:] }},
		"all-steady":       {result: func(run *record.Run) { run.SteadySteps = run.Steps }},
		"no-step-time":     {result: func(run *record.Run) { run.StepMilliseconds = nil }},
		"no-wall-time":     {result: func(run *record.Run) { run.WallSeconds = record.Of(0.0) }},
		"wall-too-long":    {result: func(run *record.Run) { run.WallSeconds = record.Of(1e6) }},
		"steps-too-long":   {result: func(run *record.Run) { run.StepMilliseconds = record.Of(*run.WallSeconds * 200) }},
		"no-order": {result: func(run *record.Run) {
			if run.Steps == 40 {
				run.OrderDigest = ""
			}
		}},
		"other-order": {result: func(run *record.Run) {
			if run.Steps == 40 {
				run.OrderDigest = testDigest
			}
		}},
		"small-seeds": {job: func(job *modes.Job) { job.Plan.Seed &= 1<<31 - 1 }},
		"takes-any-mode": {
			job: func(job *modes.Job) { job.Cell.Mode = "train-on-batch" },
		},
		"takes-any-protocol": {order: func(line string) string { return strings.Replace(line, `"protocol":999`, `"protocol":1`, 1) }},
		"strict": {order: func(line string) string {
			if strings.Contains(line, "later_version") {
				return "?\n"
			}
			return line
		}},
		"refuses-with-status-0": {order: func(line string) string {
			if strings.Contains(line, `"protocol":999`) {
				os.Exit(0)
			}
			return line
		}},
		"stays-without-a-job": {order: func(line string) string {
			if line == "" {
				hang()
			}
			return line
		}},
		"trains-on": {deaf: true},
		"trains-nothing": {order: func(line string) string {
			if strings.Contains(line, `"steps":100000000`) {
				os.Exit(3)
			}
			return line
		}},
		"dies-of-unknown-modes": {order: func(line string) string {
			if strings.Contains(line, "no-such-mode") {
				return "?\n"
			}
			return line
		}},
	}
}

func (w twisted) serve() int {
	in := io.Reader(os.Stdin)
	if w.order != nil {
		buffered := bufio.NewReader(os.Stdin)
		line, _ := buffered.ReadString('\n')
		in = io.MultiReader(strings.NewReader(w.order(line)), buffered)
	}
	train := func(ctx context.Context, job modes.Job, observe func(modes.Event)) record.Run {
		cell := job.Cell
		if w.deaf {
			ctx = context.WithoutCancel(ctx)
		}
		if w.job != nil {
			w.job(&job)
		}
		run := modes.Train(ctx, job, func(e modes.Event) {
			if w.event == nil || w.event(&e) {
				observe(e)
			}
		})
		run.Mode = cell.Mode
		if w.result != nil && run.Steps > 0 {
			w.result(&run)
		}
		return run
	}
	return worker{train: train, grace: time.Minute}.serve(context.Background(), in, os.Stdout, os.Stderr)
}

func TestEachFaultFailsTheRuleThatItBreaks(t *testing.T) {
	const (
		hello, job, events = "the first line is a hello", "a job ends with a result", "progress is told"
		counts, times      = "counts:", "times:"
		order, epochs      = "the samples come in the order", "a job in epochs"
		unknown, mode      = "unknown fields", "a mode that there is not"
		protocol, early    = "a job of another protocol", "without a job it ends"
		stop               = "in training it ends"
	)
	for _, c := range []struct{ behaviour, rule, want string }{
		{"silent", hello, "ended without a result"},
		{"other-protocol", hello, "it speaks protocol 2; this program speaks 1"},
		{"exit-3", job, "ended with exit status 3"},
		{"garbage", job, `"step 1 of 2" is no event in JSON`},
		{"progress-missing", events, "no progress event came"},
		{"epoch-missing", events, "the epoch events end at step 25 of 40"},
		{"epoch-late", events, "an epoch event is of 25 steps up to step 26; expected: 25 up to 25"},
		{"clock-back", events, "elapsed_seconds goes back from 100 to 99"},
		{"epochs-missing", counts, "the 1 epochs of the result have 15 steps together; the run has 40"},
		{"all-steady", counts, "steady_steps is 40; all but the first 20 of 40 steps are 20"},
		{"no-step-time", times, "step_milliseconds is not there, or 0"},
		{"no-wall-time", times, "wall_seconds is not there, or 0"},
		{"wall-too-long", times, "wall_seconds is 1e+06; the whole process took"},
		{"steps-too-long", times, "the median of 20 steps, which then take at least"},
		{"no-order", order, "there is no order_digest; the native engine's is"},
		{"small-seeds", epochs, "the native engine's is"},
		{"strict", unknown, "ended with exit status 1"},
		{"takes-any-mode", mode, "the result has no error"},
		{"dies-of-unknown-modes", mode, "ended with exit status 1"},
		{"takes-any-protocol", protocol, "it gives a result"},
		{"refuses-with-status-0", protocol, "it ends with exit status 0"},
		{"stays-without-a-job", early, "did not end within 1s of being told to and was killed"},
		{"trains-on", stop, "did not end within 1s of being told to and was killed"},
		{"trains-nothing", stop, "it ended before it had trained a step"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			n := newNative(t, c.behaviour, nil)
			n.grace = time.Minute
			if strings.Contains(c.want, "within 1s") {
				n.grace = time.Second
			}
			passed, wrong := conform(t, n, record.Cell{Mode: "train-on-batch", Execution: "compiled"})
			if passed {
				t.Error("it passed")
			}
			for rule, err := range wrong {
				switch {
				case strings.HasPrefix(rule, c.rule):
					if !strings.Contains(err, c.want) {
						t.Errorf("%s: %q does not contain %q", rule, err, c.want)
					}
				case err != "" && !strings.HasPrefix(err, "not tried"):
					t.Errorf("another rule fails, %s: %s", rule, err)
				}
			}
		})
	}
}

func TestAConformanceRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("Ctrl-C")
	n := newNative(t, "real", nil)
	passed, err := Conform(ctx, n, record.Cell{Mode: "fit", Execution: "compiled"}, func(Check) { cancel(stopped) })
	if passed || err != stopped {
		t.Errorf("passed %v, error %v; want the context's cause", passed, err)
	}
}
