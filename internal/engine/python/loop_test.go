package python

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// looped is an engine whose epochs worker_loop trains. Its loss is the epoch's number, and the extras tell what the feed saw at its ends.
const looped = `
import worker_loop
CELLS = (
    "fit@eager",
)

def describe(name):
    return name

class Mode:
    ordered = True
    piece = 0

    def __init__(self, clock):
        self.clock, self.ends = clock, clock.extra.setdefault("ends", [])

    def begin(self):
        self.done = 0

    def batches(self, epoch, order):
        self.epoch = epoch
        try:
            for at in range(0, len(order), 16):
                yield len(order[at:at + 16]) // 8, order[at:at + 16]
        finally:
            self.ends.append(len(self.clock.epochs))

    def step(self, batch):
        self.done += len(batch) // 8

    def loss(self, steps):
        return steps

    def means(self):
        return self.epoch, self.done / 100

def train(clock):
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    worker_loop.train(clock, Mode(clock))
`

func loop(t *testing.T, job string) map[string]any {
	t.Helper()
	return play(t, looped, job)
}

// play has an engine do a job, and returns the run.
func play(t *testing.T, engine, job string) map[string]any {
	t.Helper()
	python := interpreter(t)
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip(python, " has no NumPy: ", err)
	}
	c := converse(t, python, engine, job)
	if c.err != nil || c.last() == nil {
		t.Fatalf("%v; standard error: %s", c.err, c.stderr)
	}
	return c.last()
}

func TestTheLoopTrainsTheSamplesThatTheNativeEngineTrains(t *testing.T) {
	run := loop(t, job)
	// That of the native engine for this very job, in docs/protocol.md.
	if want := "c8b1d15305826c391333d4c2e527820ba086f2df6e7615221c35cb2934f147eb"; run["order_digest"] != want {
		t.Errorf("order digest %v, want %s", run["order_digest"], want)
	}
	epochs, _ := run["epochs"].([]any)
	if len(epochs) != 2 {
		t.Fatalf("epochs %v, want 2", run["epochs"])
	}
	for i, want := range []map[string]any{{"steps": 25.0, "loss": 0.0, "accuracy": 0.25}, {"steps": 15.0, "loss": 1.0, "accuracy": 0.15}} {
		for field, value := range want {
			if got := epochs[i].(map[string]any)[field]; got != value {
				t.Errorf("epoch %d: %s is %v, want %v", i, field, got, value)
			}
		}
	}
	if run["step_losses"] != nil || run["input_wait_milliseconds"] == nil {
		t.Errorf("losses %v, wait %v; want none and one", run["step_losses"], run["input_wait_milliseconds"])
	}
}

// A loader's processes are metered at an epoch's end, and are to be there then where the run ends within the epoch.
func TestTheLoopEndsAFeedThatIsLeftEarlyOnceTheEpochIsTold(t *testing.T) {
	ends, _ := loop(t, job)["ends"].([]any)
	if len(ends) != 2 || ends[0] != 0.0 || ends[1] != 2.0 {
		t.Errorf("epochs told when the feeds ended: %v, want 0 for the one that ran out, 2 for the one that was left", ends)
	}
}

func TestTheLoopKeepsALossOfEachExecutionForParityAlone(t *testing.T) {
	losses, _ := loop(t, strings.Replace(job, `"round":2`, `"round":2,"parity":true`, 1))["step_losses"].([]any)
	// 25 steps are 12 executions of 2 and one of 1; 15 are 7 of 2 and one of 1.
	if len(losses) != 21 || losses[11] != 2.0 || losses[12] != 1.0 || losses[20] != 1.0 {
		t.Errorf("losses %v", losses)
	}
}

// invented is a clock that goes on where an engine says so.
const invented = `
import time
now = [0.0]
time.monotonic = lambda: now[0]
`

// pieced is an engine by whose clock the making of a piece of four steps takes 8 s, and a step 1 s.
const pieced = invented + looped + `
class Pieces(Mode):
    piece, piece_seconds = 4, 8

    def batches(self, epoch, order):
        for at in range(0, len(order), 8 * EXECUTION):
            if at % 32 == 0:
                now[0] += 8
            batch = order[at:at + 8 * EXECUTION]
            yield len(batch) // 8, batch

    def step(self, batch):
        now[0] += len(batch) // 8

    def means(self):
        return 0, 0

def train(clock):
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    worker_loop.train(clock, Pieces(clock))
`

// Of 40 steps the last 20 are steady, all but one of which bear a fourth or a third of the 8 s.
func TestEachStepBearsItsShareOfThePieceItIsTrainedOn(t *testing.T) {
	for execution, first := range map[string]float64{"1": 1, "2": 2} {
		run := play(t, strings.ReplaceAll(pieced, "EXECUTION", execution), job)
		for field, want := range map[string]float64{"step_milliseconds": 3000, "input_wait_milliseconds": 2000, "first_step_seconds": first} {
			if run[field] != want {
				t.Errorf("%s steps an execution: %s is %v, want %v", execution, field, run[field], want)
			}
		}
	}
}

// grouped is an engine that runs 25 steps in an execution. The first takes 100 s, the others 1 s a step of 30 that each is in truth.
const grouped = invented + looped + `
class Groups(Mode):
    def batches(self, epoch, order):
        for at in range(0, len(order), 200):
            batch = order[at:at + 200]
            yield len(batch) // 8, batch

    def step(self, batch):
        now[0] += 100 if not self.clock.steps else 30

    def means(self):
        return 0, 0

def train(clock):
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    told = clock.step_ended
    clock.step_ended = lambda steps, wait: told(steps, wait, 30 if clock.steps else steps)
    worker_loop.train(clock, Groups(clock))
`

func TestExecutionsThatCompileAreNotSteadyAndACutOneIsOfAllItsSteps(t *testing.T) {
	several := strings.Replace(job, `"execution":"eager"`, `"execution":"eager","steps_per_execution":25`, 1)
	run := play(t, grouped, strings.Replace(several, `"steps":40`, `"steps":90`, 1))
	// The steady state would begin with step 45, in the second of four executions. The last has another size, 15.
	for field, want := range map[string]float64{"step_milliseconds": 1000, "steady_steps": 25, "first_step_seconds": 100, "steps_per_execution": 25} {
		if run[field] != want {
			t.Errorf("%s is %v, want %v", field, run[field], want)
		}
	}
}

// slowlyMetered is an engine of one step an epoch, 1 s each, whose meter takes a quarter of one to be read.
const slowlyMetered = invented + looped + `
import worker_meter

def read():
    now[0] += 0.25
    return 0.0, 0.0

worker_meter.cpu_seconds = read

class Metered(Mode):
    def step(self, batch):
        now[0] += 1

    def means(self):
        return 0, 0

def train(clock):
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    worker_loop.train(clock, Metered(clock))
`

func TestReadingTheMetersIsNoPartOfAStep(t *testing.T) {
	run := play(t, slowlyMetered, strings.Replace(job, `"samples":203`, `"samples":8`, 1))
	if run["step_milliseconds"] != 1000.0 || run["steady_steps"] != 20.0 {
		t.Errorf("%v ms a step over %v steps, want 1000 over 20", run["step_milliseconds"], run["steady_steps"])
	}
}

// begun is an engine whose steps return at once, and take 1 s each until they are waited for; building a batch takes half a second.
const begun = invented + looped + `
class Begins(Mode):
    def batches(self, epoch, order):
        for at in range(0, len(order), 8):
            now[0] += 0.5
            yield 1, order[at:at + 8]

    def step(self, batch):
        open[0] += 1

    def means(self):
        return 0, 0

open = [0]

def train(clock):
    for phase in ("generate", "build", "model"):
        clock.phase(phase)
    clock.extra["settled"] = []
    def settle():
        clock.extra["settled"].append(open[0])
        now[0] += open[0] * 0.5
        open[0] = 0
    clock.settle = settle
    worker_loop.train(clock, Begins(clock))
`

func TestStepsThatGoOnAfterTheyReturnAreWaitedForInBlocks(t *testing.T) {
	run := play(t, begun, job)
	for field, want := range map[string]float64{
		"step_milliseconds": 1000, "input_wait_milliseconds": 500, "steady_steps": 20, "first_step_seconds": 1, "samples_trained": 320,
	} {
		if run[field] != want {
			t.Errorf("%s is %v, want %v", field, run[field], want)
		}
	}
	// The first step, the 19 up to the steady state, what is left of the epoch of 25, and the 15 of the next.
	if settled := fmt.Sprint(run["settled"]); settled != "[1 19 5 15]" {
		t.Errorf("waited for %s steps", settled)
	}
}

func TestALossThatIsNotFiniteIsAbsentAndNotNothing(t *testing.T) {
	diverged := strings.Replace(slowlyMetered, "return 0, 0\n\ndef train", "return float('nan'), 0.5\n\ndef train", 1)
	run := play(t, diverged, job)
	if loss, there := run["loss"]; there || run["accuracy"] != 0.5 {
		t.Errorf("loss %v, accuracy %v; want none and 0.5", loss, run["accuracy"])
	}
}
