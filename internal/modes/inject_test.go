package modes

import (
	"strings"
	"testing"
	"time"

	"fitbench/internal/record"
)

func TestAnInjectionIsForItsCellOrForAll(t *testing.T) {
	fit := record.Cell{Mode: "fit", Execution: "compiled"}
	for text, want := range map[string]float64{
		"": 0, "fit@compiled=10%": 0.1, "kernel=2.5%": 0.025, "generator@eager=10%": 0,
	} {
		if got, err := parseInjection(text, fit); err != nil || got.share != want {
			t.Errorf("%q: %v (%v), want %v", text, got.share, err, want)
		}
	}
	for _, text := range []string{"fit@compiled", "fit@compiled=", "fit@compiled=10", "fit=10%", "kernel=0%", "kernel=-1%", "kernel=NaN%", "kernel=1e9%", "none@eager=1%", "=1%"} {
		if err := CheckInjection(text); err == nil || !strings.Contains(err.Error(), "fit@compiled") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The clock goes on by a millisecond with every reading: the step took 10 of them, and a fifth of that is 2.
func TestAnInjectionWorksForItsShareOfTheStep(t *testing.T) {
	at, readings := time.Time{}, 0
	now := func() time.Time {
		readings++
		at = at.Add(time.Millisecond)
		return at
	}
	i := injection{share: 0.2}
	i.add(now, time.Time{}.Add(-9*time.Millisecond))
	if readings != 3 || i.sink == 0 {
		t.Errorf("%d readings, sink %v; want the end of the step and two more", readings, i.sink)
	}
	none := injection{}
	none.add(func() time.Time { panic("read") }, time.Time{})
}

func TestARunSaysWhatWasInjected(t *testing.T) {
	for cell, want := range map[string]string{"generator": "generator@compiled=1%", "fit": ""} {
		job := smallJob(4)
		job.Plan.Inject, job.Cell.Mode = "generator@compiled=1%", cell
		if run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil); run.Error != "" || run.Injected != want {
			t.Errorf("%s: %q (%s), want %q", cell, run.Injected, run.Error, want)
		}
	}
	job := smallJob(4)
	job.Plan.Inject = "nonsense"
	if run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil); !strings.Contains(run.Error, "nonsense") {
		t.Errorf("%q", run.Error)
	}
}
