package verify

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"fitbench/internal/nn/kernel"
	"fitbench/testdata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryExecutionOnEveryKernelPassesTheGoldenSteps(t *testing.T) {
	folder, err := fs.Sub(testdata.Golden(), "keras_b64")
	if err != nil {
		t.Fatal(err)
	}
	steps := 400
	if raceDetector { // it makes the loops some twenty times slower, and no other code runs in later steps
		steps = 100
		folder = firstSteps(t, folder, steps)
	}
	report, err := Run(context.Background(), folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := Print(&text, report); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &text)
	if !Passed(report) {
		t.Error("a check failed")
	}
	if want := "Keras 3.15.1 on TensorFlow 2.21.0, with the series of NumPy 2.4.6"; report.Origin != want {
		t.Errorf("compared with %q, want %q", report.Origin, want)
	}
	want := expectedChecks(steps)
	for i, c := range report.Checks {
		if i < len(want) && (expected{c.Name, c.Tolerance, c.Unit}) != want[i] {
			t.Errorf("check %d is %q within %g, %s; want %+v", i, c.Name, c.Tolerance, c.Unit, want[i])
		}
	}
	if len(report.Checks) != len(want) {
		t.Errorf("%d checks, want %d", len(report.Checks), len(want))
	}
}

// expected is a check as it must be, whatever it finds.
type expected struct {
	name      string
	tolerance float64
	unit      string
}

// expectedChecks are all checks of the golden folder, with how much may differ.
func expectedChecks(steps int) []expected {
	checks := []expected{
		{"series.json noise_first", 1e-12, "relative"},
		{"series.json series_first", 1e-12, "relative"},
		{"series.json series_sum", 1e-12, "relative"},
		{"series.json anomaly_first", 0, "values differ"},
		{"series.json anomaly_sha256_le_i64", 0, "digests differ"},
		{"series.json label_ones", 0, "values differ"},
		{"series.json labels_sha256_u8", 0, "digests differ"},
		{"series.json label_ones_reported_script", 0, "values differ"},
		{"series.json labels_reported_script_sha256_u8", 0, "digests differ"},
		{"series.json next_permutation_first", 0, "values differ"},
		{"series.json next_permutation_sha256_le_i64", 0, "digests differ"},
		{"order.npy orders of the epochs", 0, "sample numbers differ"},
		{"batch0_x.npy windows of the first batch", 0x1p-23, "relative"},
		{"batch0_labels.npy labels of the first batch", 0, "values differ"},
	}
	for _, execution := range []string{"compiled", "eager"} {
		for _, impl := range kernel.Names() {
			for _, c := range []expected{
				{"probabilities of the first batch", 1e-6, "absolute"},
				{"gradients of the first batch", 1e-5, "of the largest in its tensor"},
				{"weights after step 1", 2e-6, "absolute"},
				{"weights after step 10", 2e-6, "absolute"},
				{"weights after step 100", 3e-5, "absolute"},
				{fmt.Sprintf("losses of %d steps", steps), 5e-4, "absolute"},
				{fmt.Sprintf("accuracies of %d steps, either way within 0.01 of a tie", steps), 0, "samples classified otherwise"},
			} {
				c.name = execution + ", " + impl + ": " + c.name
				checks = append(checks, c)
			}
		}
	}
	return checks
}

// firstSteps is a folder of batches of 64 cut to its first n steps, at least 100.
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
	return with(f, "order.npy", npyFile(values[int32](f["order.npy"].Data[128:])[:64*n], n, 64))
}
