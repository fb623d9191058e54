package conformance

import (
	"context"
	"encoding/json"
	"io/fs"
	"math"
	"testing"

	"fitbench/internal/npy"

	"fitbench/internal/data"
	"fitbench/internal/nn/model"
	"fitbench/testdata"
)

const (
	goldenFolder = "keras_b64"
	goldenBatch  = 64
)

// array reads one .npy file of the golden folder, of that shape.
func array[T npy.Element](t *testing.T, name string, shape ...int) []T {
	t.Helper()
	f, err := testdata.Golden().Open(goldenFolder + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	values, err := npy.Read[T](f, info.Size(), shape, info.Size())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return values
}

// arena reads a file of one value a parameter.
func arena(t *testing.T, h model.Hyperparameters, name string) []float32 {
	t.Helper()
	return array[float32](t, name, h.Layout().Size)
}

// document reads one JSON file of the golden folder.
func document(t *testing.T, name string, into any) {
	t.Helper()
	text, err := fs.ReadFile(testdata.Golden(), goldenFolder+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The first batch comes from its own file, so that a fault of the series cannot be taken for one of the network.
func goldenFirstBatch(t *testing.T, s suite) {
	h := model.Default(104)
	b := &model.Batch{X32: array[float32](t, "batch0_x.npy", goldenBatch, h.Window), Classes: array[uint8](t, "batch0_labels.npy", goldenBatch)}
	for i := range goldenBatch {
		b.Starts = append(b.Starts, i*h.Window)
	}
	e := s.execution(t, h, goldenBatch, 2, arena(t, h, "weights_init.npy"))
	step(t, e, b)
	within(t, "probability", e.Probabilities(), array[float32](t, "probabilities0.npy", goldenBatch, h.Classes), 1e-6)
	gradientsWithin(t, h, e.Gradients(), arena(t, h, "gradients0.npy"))
	within(t, "weight after step 1", e.Weights(), arena(t, h, "weights_after_1.npy"), 2e-6)
}

func goldenSteps(t *testing.T, s suite) {
	var steps struct{ Loss, Accuracy []float64 }
	document(t, "steps.json", &steps)
	if len(steps.Loss) < 100 || len(steps.Loss) != len(steps.Accuracy) {
		t.Fatalf("steps.json holds %d losses and %d accuracies", len(steps.Loss), len(steps.Accuracy))
	}
	order := array[int32](t, "order.npy", len(steps.Loss), goldenBatch)
	series, labels := goldenSeries(t)
	weightsAfter := map[int]struct {
		file      string
		tolerance float64
	}{1: {"weights_after_1.npy", 2e-6}, 10: {"weights_after_10.npy", 2e-6}, 100: {"weights_after_100.npy", 3e-5}}

	h := model.Default(104)
	e := s.execution(t, h, goldenBatch, 2, arena(t, h, "weights_init.npy"))
	b := &model.Batch{X32: series, Starts: make([]int, goldenBatch), Classes: make([]uint8, goldenBatch)}
	losses := steps.Loss
	if raceDetector {
		losses = losses[:100] // arithmetic is twenty times slower under it, and no other code runs in later steps
	}
	for i, want := range losses {
		for j, sample := range order[i*goldenBatch : (i+1)*goldenBatch] {
			b.Starts[j], b.Classes[j] = int(sample), labels[sample]
		}
		r := step(t, e, b)
		if d := math.Abs(r.Loss - want); !(d <= 5e-4) {
			t.Fatalf("loss of step %d is %g, Keras's %g: off by %.2g, accepted 5e-4", i+1, r.Loss, want, d)
		}
		if got := float64(r.Correct) / goldenBatch; !(math.Abs(got-steps.Accuracy[i]) <= 1e-6) {
			t.Fatalf("accuracy of step %d is %g, Keras's %g", i+1, got, steps.Accuracy[i])
		}
		if w, ok := weightsAfter[i+1]; ok {
			within(t, "weight in "+w.file, e.Weights(), arena(t, h, w.file), w.tolerance)
		}
	}
}

// goldenSeries makes the series that the golden steps trained on.
func goldenSeries(t *testing.T) (values []float32, labels []uint8) {
	t.Helper()
	var series struct {
		Seed      uint32
		Samples   int
		Window    int
		Anomalies int
		Noise     float64 `json:"noise_scale"`
		Shift     float64
	}
	document(t, "series.json", &series)
	set, err := data.Generate(context.Background(), data.Config{
		Samples: series.Samples, Window: series.Window, Anomalies: series.Anomalies,
		Noise: series.Noise, Shift: series.Shift, Seed: series.Seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set.Narrow(), set.Labels
}
