package modes

import (
	"slices"
	"testing"
	"time"
)

func TestEventsFollowTheRun(t *testing.T) {
	var phases []string
	var epochs, last []int
	run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), smallJob(14), func(e Event) {
		if e.Steps != 14 || !(e.ElapsedSeconds >= 0) {
			t.Errorf("%+v", e)
		}
		switch e.Kind {
		case KindPhase:
			phases = append(phases, e.Phase)
		case KindEpoch:
			epochs = append(epochs, e.Epoch.Steps)
		case KindProgress:
			last = append(last, e.Step)
			if !(e.Loss > 0) {
				t.Errorf("loss %v", e.Loss)
			}
		}
	})
	if run.Error != "" {
		t.Fatal(run.Error)
	}
	if want := []string{"generate", "build", "model", "shuffle", "train", "shuffle", "train", "shuffle", "train"}; !slices.Equal(phases, want) {
		t.Errorf("phases %q", phases)
	}
	if !slices.Equal(epochs, []int{6, 6, 2}) {
		t.Errorf("epochs of %v steps", epochs)
	}
	if len(last) < 2 || last[0] != 1 || last[len(last)-1] != 14 {
		t.Errorf("progress at %v", last)
	}
}

func TestProgressComesAtMostTenTimesASecond(t *testing.T) {
	var told []int
	r := newReporter(time.Now, func(e Event) { told = append(told, e.Step) }, 1000)
	now := time.Now()
	for step := 1; step <= 1000; step++ { // 1 ms a step
		r.progress(step, now.Add(time.Duration(step)*time.Millisecond), 1)
	}
	if want := []int{1, 101, 201, 301, 401, 501, 601, 701, 801, 901, 1000}; !slices.Equal(told, want) {
		t.Errorf("told at %v", told)
	}
}
