package python

import (
	"encoding/json"
	"strings"
	"testing"
)

// timed is an engine by whose clock making the series takes 16 s, "build" 4, "model" 2, and a step 1. One core is busy until the steady
// state begins, which is with step 20 of 40, two are then, and four between two epochs of 25 steps. What is taken from the system is
// large while an epoch's workers are there.
const timed = invented + `
import worker_clock, worker_meter
CELLS = (
    "fit@eager",
)
used, peak = [100.0, 50.0], [1000]
worker_meter.cpu_seconds = lambda: tuple(used)
worker_meter.peak_rss_bytes = lambda: peak[0]

class Nobody:
    def read(self):
        return {"disturbed": True, "other_cpu_percent": now[0]}

worker_meter.Others = Nobody

def describe(name):
    return name

def work(seconds, cores):
    now[0] += seconds
    used[0] += seconds * cores * 0.75
    used[1] += seconds * cores * 0.25

def train(clock):
    for phase, seconds in (("generate", 16), ("build", 4), ("model", 2)):
        clock.phase(phase)
        work(seconds, 1)
    while True:
        clock.phase("shuffle")
        work(8, 4)
        peak[0] = 5000 + 1000 * clock.steps  # epochs begin with steps 0 and 25
        clock.begin_epoch()
        try:
            for _ in range(25):
                work(1, 1 if clock.steps < 20 else 2)
                clock.step_ended()
        except worker_clock.Done:
            clock.end_epoch(0, 0)
            peak[0] = 1000
            raise
        clock.end_epoch(0, 0)
        peak[0] = 1000
`

func TestAClocksFiguresAreOfWhatTheyAreNamedAfter(t *testing.T) {
	run := converse(t, interpreter(t), timed, job).last()
	for field, want := range map[string]float64{
		"wall_seconds": 4 + 2 + 8 + 25 + 8 + 15, // from "build" on
		"user_seconds": 0.75 * cpuOfTimed, "system_seconds": 0.25 * cpuOfTimed, "cpu_percent": 100.0 * cpuOfTimed / 62,
		"steady_cpu_percent": 200, // of the steps alone: in between were four cores
		"peak_rss_bytes":     30_000,
		"other_cpu_percent":  78, // the end of the run
	} {
		if got, is := run[field].(float64); !is || !near(got, want) {
			t.Errorf("%s is %v, want %v", field, run[field], want)
		}
	}
	phases, _ := json.Marshal(run["phases"])
	if want := `{"build":4,"generate":16,"model":2,"shuffle":16,"train":40}`; string(phases) != want || run["disturbed"] != true {
		t.Errorf("phases %s, want %s; disturbed %v, want true", phases, want, run["disturbed"])
	}
}

// cpuOfTimed is the CPU time of timed's interval in seconds: "build" and "model", both shuffles, and the steps before and from 20.
const cpuOfTimed = 4 + 2 + 2*8*4 + 20 + 2*20

func TestASteadyStateThatIsTooShortHasNoLoad(t *testing.T) {
	short := strings.ReplaceAll(timed, "work(1, 1", "work(1 / 1024, 1")
	run := converse(t, interpreter(t), short, job).last()
	if load, is := run["steady_cpu_percent"]; is || run["steady_steps"] != 20.0 {
		t.Errorf("%v steady steps, load %v; want 20 of 1 ms each, and none", run["steady_steps"], load)
	}
}

// telling is an engine that tells its environment, as it is when the engine is imported, by its version.
const telling = `
import os
CELLS = ()
seen = " ".join(name + "=" + os.environ.get(name, "unset") for name in NAMES)

def describe(name):
    return seen
`

// Libraries read these when they are loaded, so they are to be there before an engine is.
func TestAWorkersEnvironmentIsItsOwnWhateverTheUsersIs(t *testing.T) {
	python := interpreter(t)
	for name, c := range map[string]struct{ user, want string }{
		"OMP_NUM_THREADS":      {"64", "3"},
		"MKL_NUM_THREADS":      {"64", "3"},
		"OPENBLAS_NUM_THREADS": {"64", "3"},
		"CUDA_VISIBLE_DEVICES": {"0,1", ""},
		"JAX_PLATFORMS":        {"cuda", "cpu"},
		"KERAS_TORCH_DEVICE":   {"cuda", "cpu"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, c.user)
			engine := strings.ReplaceAll(telling, "NAMES", `["`+name+`"]`)
			events := converse(t, python, engine, strings.Replace(job, `"threads":1`, `"threads":3`, 1)).events
			if len(events) == 0 {
				t.Fatal("the worker told nothing")
			}
			if version, _ := events[0]["version"].(string); !strings.HasPrefix(version, name+"="+c.want+", Python ") {
				t.Errorf("%q, want %s=%s", version, name, c.want)
			}
		})
	}
}
