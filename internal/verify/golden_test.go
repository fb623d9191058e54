package verify

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/testdata"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryExecutionOnEveryKernelPassesTheGoldenSteps(t *testing.T) {
	folder, err := fs.Sub(testdata.Golden(), "keras_b64")
	if err != nil {
		t.Fatal(err)
	}
	weights := 3
	if raceDetector { // it makes the loops some twenty times slower, and finds in ten steps what it finds in 400
		folder, weights = firstSteps(t, folder, 10), 2
	}
	checks, err := Run(context.Background(), folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := Print(&text, checks); err != nil {
		t.Fatal(err)
	}
	if !Passed(checks) {
		t.Errorf("\n%s", &text)
	}
	// 11 of the series, 3 of order and first batch; of each training: probabilities, gradients, weights, losses, accuracies.
	if want := 11 + 3 + (4+weights)*len(nn.Names())*len(kernel.Available()); len(checks) != want {
		t.Errorf("%d checks, want %d:\n%s", len(checks), want, &text)
	}
	t.Logf("\n%s", &text)
}

// firstSteps is a folder of batches of 64 cut to its first n steps.
func firstSteps(t *testing.T, folder fs.FS, n int) fs.FS {
	t.Helper()
	f := fstest.MapFS{}
	names, err := fs.Glob(folder, "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		put(f, name, content)
	}
	for _, list := range []string{"loss", "accuracy"} {
		f = withField(f, "steps.json", list, field[[]float64](f, "steps.json", list)[:n])
	}
	f = withField(f, "steps.json", "steps", n)
	delete(f, "weights_after_100.npy")
	return with(f, "order.npy", npyFile(values[int32](f["order.npy"].Data[128:])[:64*n], n, 64))
}
