package modes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"testing"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

func TestARunCountsStepsAndEpochs(t *testing.T) {
	f := &fakeExecution{at: steadyLoss}
	run := fakeParts(f).train(t.Context(), smallJob(14), nil)
	if run.Error != "" {
		t.Fatal(run.Error)
	}
	if run.Steps != 14 || run.SamplesTrained != 14*16 || run.SteadySteps != 7 || f.steps != 14 {
		t.Errorf("steps %d, samples %d, steady %d, of the model %d", run.Steps, run.SamplesTrained, run.SteadySteps, f.steps)
	}
	if run.Mode != "generator" || run.Feed != "queue" || run.Execution != "compiled" || run.Engine != "fitbench" || run.Kernel == "" ||
		run.Threads != 2 || run.Round != 2 || run.BatchSize != 16 {
		t.Errorf("names: %+v", run)
	}
	if f.closed != 1 {
		t.Errorf("the model was closed %d times", f.closed)
	}
}

func TestEpochsAreRunningMeansTheLastCutShort(t *testing.T) {
	run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), smallJob(14), nil)
	want := []struct {
		steps int
		loss  float64
	}{
		{6, (1. + 1./2 + 1./3 + 1./4 + 1./5 + 1./6) / 6},
		{6, (1./7 + 1./8 + 1./9 + 1./10 + 1./11 + 1./12) / 6},
		{2, (1./13 + 1./14) / 2},
	}
	if len(run.Epochs) != len(want) {
		t.Fatalf("%d epochs", len(run.Epochs))
	}
	for i, e := range run.Epochs {
		if e.Steps != want[i].steps || near(&e.Loss, want[i].loss) != nil || near(&e.Accuracy, 1./16) != nil || !(e.WallSeconds > 0) {
			t.Errorf("epoch %d: %+v, want %+v", i, e, want[i])
		}
	}
	if err := errors.Join(near(run.Loss, want[2].loss), near(run.Accuracy, 1./16)); err != nil {
		t.Error(err)
	}
}

func TestTheShareOfClassOneIsThatOfTheWindowsWithAnAnomaly(t *testing.T) {
	for _, anomalies := range []int{0, 1} {
		job := smallJob(2)
		job.Plan.Anomalies = anomalies
		run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil)
		want := float64(anomalies*job.Plan.Window) / float64(job.Plan.Samples) // one anomaly lies in as many windows as they are long
		if err := near(run.ClassOneShare, want); err != nil {
			t.Errorf("%d anomalies: %v", anomalies, err)
		}
	}
}

func TestWholeEpochsLeaveNoStepOut(t *testing.T) {
	job := smallJob(0)
	job.Plan.Epochs = 3
	run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil)
	if run.Steps != 18 || len(run.Epochs) != 3 || run.Epochs[2].Steps != 6 {
		t.Errorf("%d steps in %d epochs (%s)", run.Steps, len(run.Epochs), run.Error)
	}
}

func TestAFeedGetsNoSampleThatIsNotTrained(t *testing.T) {
	feed := &fakeFeed{next: func(context.Context) error { return nil }}
	fakeParts(&fakeExecution{at: steadyLoss}).withFeed(feed).train(t.Context(), smallJob(14), nil)
	if want := []int{6 * 16, 6 * 16, 2 * 16}; !slices.Equal(feed.orders, want) {
		t.Errorf("orders of %v samples, want %v", feed.orders, want)
	}
}

// The digest as its definition says it: each epoch's order drawn anew, whole batches, little-endian int64.
func TestTheOrderDigestIsOfTheTrainedSamples(t *testing.T) {
	job := smallJob(14)
	var trained bytes.Buffer
	for epoch, steps := range []int{6, 6, 2} {
		order := make([]int32, job.Plan.Samples)
		if err := data.EpochOrder(t.Context(), order, job.Plan.Seed, epoch); err != nil {
			t.Fatal(err)
		}
		for _, s := range order[:steps*16] {
			binary.Write(&trained, binary.LittleEndian, int64(s))
		}
	}
	sum := sha256.Sum256(trained.Bytes())
	for _, m := range All() {
		job.Cell.Mode = m.Name
		run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), job, nil)
		if want := hex.EncodeToString(sum[:]); run.OrderDigest != want {
			t.Errorf("%s: %s, want %s", m.Name, run.OrderDigest, want)
		}
	}
}

func TestTheWeightsDigestIsOfLittleEndianFloat32(t *testing.T) {
	run := fakeParts(&fakeExecution{at: steadyLoss, weights: []float32{1, -2}}).train(t.Context(), smallJob(1), nil)
	sum := sha256.Sum256([]byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})
	if want := hex.EncodeToString(sum[:]); run.WeightsDigest != want {
		t.Errorf("%s, want %s", run.WeightsDigest, want)
	}
}

// Threads may wait for the next step only where it follows at once: not while a batch is built or an epoch shuffled.
func TestTheThreadsRestWhileABatchIsBuilt(t *testing.T) {
	want := map[string]int{"fit": 3, "generator": 3 + 14, "train-on-batch": 3 + 14, "fit-windows": 3,
		"pipeline": 3 + 14, "fit-chunked": 3 + 3 + 3 + 1} // 14 steps in 3 epochs; pieces of two steps
	for _, m := range All() {
		f := &fakeExecution{at: steadyLoss}
		job := smallJob(14)
		job.Cell.Mode = m.Name
		if run := fakeParts(f).train(t.Context(), job, nil); run.Error != "" || f.rests != want[m.Name] {
			t.Errorf("%s: %d rests, want %d (%s)", m.Name, f.rests, want[m.Name], run.Error)
		}
	}
}

func TestTheThreadsRestBeforeTheBatchIsBuilt(t *testing.T) {
	f := &fakeExecution{at: steadyLoss}
	feed := &fakeFeed{next: func(context.Context) error {
		f.log = append(f.log, "next")
		return nil
	}}
	job := smallJob(2)
	job.Cell.Mode = "train-on-batch"
	fakeParts(f).withFeed(feed).train(t.Context(), job, nil)
	if want := []string{"rest", "next", "step", "rest", "next", "step", "rest"}; !slices.Equal(f.log, want) {
		t.Errorf("%v, want %v", f.log, want)
	}
}

func TestAStepsBookkeepingAllocatesNothing(t *testing.T) {
	job := smallJob(1000)
	job.Plan.Samples = 1000 * job.Plan.BatchSize
	run := &trainer{parts: fakeParts(&fakeExecution{at: steadyLoss}), job: job}
	defer run.close()
	if err := errors.Join(run.prepare(nil), run.generateSeries(t.Context()), run.build(t.Context()), run.createModel(), run.shuffle(t.Context(), 0)); err != nil {
		t.Fatal(err)
	}
	start(t, run.feed, run.order)
	allocated := testing.AllocsPerRun(500, func() {
		if err := run.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	if allocated != 0 {
		t.Errorf("%v allocations a step", allocated)
	}
}

func TestPhasesLieWithinTheInterval(t *testing.T) {
	run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), smallJob(40), nil)
	p := run.Phases
	for name, v := range map[string]*float64{
		"generate": p.Generate, "build": p.Build, "model": p.Model, "shuffle": p.Shuffle, "train": p.Train, "wall": run.WallSeconds,
		"first step": run.FirstStepSeconds, "wait": run.InputWaitSeconds, "steps": run.StepSeconds,
		"step median": run.StepMilliseconds, "wait median": run.InputWaitMilliseconds,
	} {
		if v == nil || !(*v >= 0) || math.IsInf(*v, 0) {
			t.Fatalf("%s is %v", name, v)
		}
	}
	epochs := 0.0
	for _, e := range run.Epochs {
		epochs += e.WallSeconds
	}
	if err := near(p.Train, epochs); err != nil {
		t.Errorf("train is not the sum of the epochs: %v", err)
	}
	if !(*p.Build+*p.Model+*p.Shuffle+*p.Train <= *run.WallSeconds) {
		t.Errorf("build %v, model %v, shuffle %v, train %v are longer than %v", *p.Build, *p.Model, *p.Shuffle, *p.Train, *run.WallSeconds)
	}
	if !(*run.InputWaitSeconds+*run.StepSeconds <= *p.Train) {
		t.Errorf("wait %v and steps %v are longer than %v", *run.InputWaitSeconds, *run.StepSeconds, *p.Train)
	}
}

// Of 14 steps those from number 8 on are steady. The parts' medians come from different steps.
func TestTheSplitIsTheMediansOverTheSteadyStepsTimedInside(t *testing.T) {
	f := &fakeExecution{at: steadyLoss, split: map[int]model.Split{
		7:  {Dispatch: 1e-6, Allocation: 1e-6, Casts: 1e-6, Arithmetic: 1e-6},
		8:  {Dispatch: 5e-6, Allocation: 90e-6, Casts: 3e-6, Arithmetic: 70e-6},
		10: {Dispatch: 900e-6, Allocation: 20e-6, Casts: 4e-6, Arithmetic: 80e-6},
		14: {Dispatch: 6e-6, Allocation: 30e-6, Casts: 0, Arithmetic: 900e-6},
	}}
	run := fakeParts(f).train(t.Context(), smallJob(14), nil)
	if want := (record.StepSplit{Dispatch: 6e-3, Allocation: 30e-3, Casts: 3e-3, Arithmetic: 80e-3}); run.StepSplit == nil || !nearSplit(*run.StepSplit, want) {
		t.Errorf("%+v, want %+v", run.StepSplit, want)
	}
	if *run.OpsPerStep != 7 || *run.TensorBytesPerStep != 70 || *run.CopiedBytesPerStep != 700 {
		t.Error("the counts are not the model's")
	}
}

func TestASteadyStateWithoutATimedStepTakesTheEarlierOnes(t *testing.T) {
	f := &fakeExecution{at: steadyLoss, split: map[int]model.Split{3: {Casts: 1e-6}, 7: {Casts: 3e-6}}}
	run := fakeParts(f).train(t.Context(), smallJob(14), nil)
	if want := (record.StepSplit{Casts: 2e-3}); run.StepSplit == nil || !nearSplit(*run.StepSplit, want) {
		t.Errorf("%+v, want %+v", run.StepSplit, want)
	}
}

// nearSplit allows for the histograms' resolution.
func nearSplit(got, want record.StepSplit) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-3*b }
	return near(got.Dispatch, want.Dispatch) && near(got.Allocation, want.Allocation) && near(got.Casts, want.Casts) && near(got.Arithmetic, want.Arithmetic)
}

func TestAModelThatIsNeverSplitHasNoSplit(t *testing.T) {
	if run := fakeParts(&fakeExecution{at: steadyLoss}).train(t.Context(), smallJob(14), nil); run.StepSplit != nil {
		t.Errorf("%+v", run.StepSplit)
	}
}
