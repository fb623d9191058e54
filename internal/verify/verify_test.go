package verify

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func TestAnotherNetworkAndSeedOverSeveralEpochsVerifyToo(t *testing.T) {
	report, err := Run(context.Background(), smallFolder(t), Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !Passed(report) {
		t.Errorf("failed: %v", failed(report.Checks))
	}
	// After 105 steps weights are not compared: 11 + 3, and of each training probabilities, gradients, weights after 2, 10, 11, losses, accuracies.
	if want := 14 + 7*len(nn.Names())*len(kernel.Available()); len(report.Checks) != want {
		t.Errorf("%d checks, want %d", len(report.Checks), want)
	}
}

func TestWhatDiffersInTheFolderFailsItsCheck(t *testing.T) {
	f := smallFolder(t)
	add := func(d float32) func(float32) float32 { return func(v float32) float32 { return v + d } }
	changed := func(list []float64, place int, d float64) []float64 { list[place] += d; return list }
	labels := values[uint8](f["batch0_labels.npy"].Data[128:])
	labels[5] ^= 1
	for _, c := range []struct {
		folder fstest.MapFS
		want   string // end of the failing checks' names; empty: none fails
	}{
		{withElement(f, "weights_after_10.npy", 3, add(5e-6)), "weights after step 10"},
		{withElement(f, "weights_after_11.npy", 3, add(5e-6)), ""},
		{withElement(f, "weights_after_11.npy", 3, add(5e-5)), "weights after step 11"},
		{withElement(f, "weights_after_105.npy", 3, add(1)), ""},
		{withElement(f, "probabilities0.npy", 17, add(3e-6)), "probabilities of the first batch"},
		{withElement(f, "gradients0.npy", 0, func(g float32) float32 { return g*1.001 + 1e-5 }), "gradients of the first batch"},
		{withElement(f, "batch0_x.npy", 101, func(v float32) float32 { return v * (1 + 0x1p-21) }), "batch0_x.npy windows of the first batch"},
		{with(f, "batch0_labels.npy", npyFile(labels, smallBatch)), "batch0_labels.npy labels of the first batch"},
		{withField(f, "steps.json", "loss", changed(field[[]float64](f, "steps.json", "loss"), smallSteps-1, 1e-3)), "losses of 110 steps"},
		{withField(f, "series.json", "noise_first", changed(field[[]float64](f, "series.json", "noise_first"), 2, 1e-10)), "noise_first"},
		{withField(f, "series.json", "series_first", changed(field[[]float64](f, "series.json", "series_first"), 0, 1e-10)), "series_first"},
		{withField(f, "series.json", "series_sum", 1.0), "series_sum"},
		{withField(f, "series.json", "anomaly_first", []int{1}), "anomaly_first"},
		{withField(f, "series.json", "anomaly_sha256_le_i64", "00"), "anomaly_sha256_le_i64"},
		{withField(f, "series.json", "label_ones", 1), "label_ones"},
		{withField(f, "series.json", "labels_sha256_u8", "00"), "labels_sha256_u8"},
		{withField(f, "series.json", "label_ones_reported_script", -1), "label_ones_reported_script"},
		{withField(f, "series.json", "labels_reported_script_sha256_u8", ""), "labels_reported_script_sha256_u8"},
		{withField(f, "series.json", "next_permutation_first", []int{40}), "next_permutation_first"},
		{withField(f, "series.json", "next_permutation_sha256_le_i64", "00"), "next_permutation_sha256_le_i64"},
	} {
		report, err := Run(context.Background(), c.folder, Options{Executions: []string{"compiled"}})
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		bad := failed(report.Checks)
		if c.want == "" && len(bad) > 0 || c.want != "" && (len(bad) == 0 || Passed(report)) {
			t.Errorf("failed: %v, want only %q", bad, c.want)
		}
		for _, check := range bad {
			if !strings.HasSuffix(check.Name, c.want) {
				t.Errorf("%s failed as well: %v", check.Name, check)
			}
		}
	}
}

func TestOrderOfALaterEpochIsCompared(t *testing.T) {
	f := smallFolder(t)
	order := values[int32](f["order.npy"].Data[128:])
	last := len(order) - 1
	order[last], order[last-1] = order[last-1], order[last] // in the same batch: the training is the same
	report, err := Run(context.Background(), with(f, "order.npy", npyFile(order, smallSteps, smallBatch)), Options{Executions: []string{"compiled"}})
	if err != nil {
		t.Fatal(err)
	}
	bad := failed(report.Checks)
	if len(bad) != 1 || bad[0].Difference != 2 || !strings.HasPrefix(bad[0].Name, "order.npy") {
		t.Errorf("failed: %v, want 2 sample numbers of order.npy", bad)
	}
}

// tampered is an execution that computes right and reports wrong.
type tampered struct {
	model.Execution
	gradients, probabilities, weights func([]float32) []float32
	result                            func(model.Result) model.Result
}

func (e tampered) Gradients() []float32     { return e.gradients(e.Execution.Gradients()) }
func (e tampered) Probabilities() []float32 { return e.probabilities(e.Execution.Probabilities()) }
func (e tampered) Weights() []float32       { return e.weights(e.Execution.Weights()) }
func (e tampered) Step(b *model.Batch) (model.Result, error) {
	r, err := e.Execution.Step(b)
	return e.result(r), err
}

func TestWhatAnExecutionGetsWrongFailsItsCheck(t *testing.T) {
	f := smallFolder(t)
	same := func(v []float32) []float32 { return v }
	// at makes a copy with another value at a place, so that the execution itself goes on computing right.
	at := func(place int, value float32) func([]float32) []float32 {
		return func(v []float32) []float32 {
			v = append([]float32(nil), v...)
			v[place] = value
			return v
		}
	}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(*tampered)
		want   []string
	}{
		"nothing":            {func(e *tampered) {}, nil},
		"NaN gradient":       {func(e *tampered) { e.gradients = at(9, nan) }, []string{"gradients of the first batch"}},
		"gradient missing":   {func(e *tampered) { e.gradients = func(v []float32) []float32 { return v[1:] } }, []string{"gradients of the first batch"}},
		"NaN probability":    {func(e *tampered) { e.probabilities = at(0, nan) }, []string{"probabilities of the first batch"}},
		"NaN weight":         {func(e *tampered) { e.weights = at(0, nan) }, []string{"weights after step 2", "weights after step 10", "weights after step 11"}},
		"infinite weight":    {func(e *tampered) { e.weights = at(0, float32(math.Inf(1))) }, []string{"weights after step 2", "weights after step 10", "weights after step 11"}},
		"NaN loss":           {func(e *tampered) { e.result = func(r model.Result) model.Result { r.Loss = math.NaN(); return r } }, []string{"losses of 110 steps"}},
		"too high a loss":    {func(e *tampered) { e.result = func(r model.Result) model.Result { r.Loss += 6e-4; return r } }, []string{"losses of 110 steps"}},
		"correct miscounted": {func(e *tampered) { e.result = func(r model.Result) model.Result { r.Correct += 3; return r } }, []string{"accuracies of 110 steps, either way within 0.01 of a tie"}},
	} {
		tamper := func(name string, config model.Config) (model.Execution, error) {
			inner, err := nn.New(name, config)
			e := tampered{inner, same, same, same, func(r model.Result) model.Result { return r }}
			c.change(&e)
			return e, err
		}
		report, err := Run(context.Background(), f, Options{Executions: []string{"compiled"}, Kernels: kernel.Available()[:1], New: tamper})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		bad := failed(report.Checks)
		ok := len(bad) == len(c.want)
		for i := range bad {
			ok = ok && strings.HasSuffix(bad[i].Name, c.want[i])
		}
		if !ok {
			t.Errorf("%s: failed %v, want %q", name, bad, c.want)
		}
	}
}

// refusing cannot step.
type refusing struct{ model.Execution }

func (refusing) Step(*model.Batch) (model.Result, error) {
	return model.Result{}, errors.New("will not")
}

func TestExecutionThatCannotBeMadeOrStepIsAnError(t *testing.T) {
	f := smallFolder(t)
	if _, err := Run(context.Background(), f, Options{Executions: []string{"sideways"}}); err == nil || !strings.Contains(err.Error(), "sideways") {
		t.Errorf("error %v for an unknown execution", err)
	}
	refuse := func(name string, c model.Config) (model.Execution, error) {
		e, err := nn.New(name, c)
		return refusing{e}, err
	}
	_, err := Run(context.Background(), f, Options{Executions: []string{"compiled"}, New: refuse})
	if err == nil || err.Error() != "compiled, "+kernel.Available()[0].Name+": step 1: will not" {
		t.Errorf("error %v", err)
	}
}

func TestVerificationStopsWhenItsContextEnds(t *testing.T) {
	f, o := smallFolder(t), Options{Executions: []string{"compiled"}, Kernels: kernel.Available()[:1]}
	whole := &expiring{Context: context.Background(), looks: math.MaxInt}
	if _, err := Run(whole, f, o); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt - whole.looks
	if all < smallSteps {
		t.Errorf("the context was looked at only %d times in %d steps", all, smallSteps)
	}
	for looks := 0; looks < all; looks += 5 {
		ctx := &expiring{Context: context.Background(), looks: looks}
		if report, err := Run(ctx, f, o); !errors.Is(err, context.Canceled) || report.Checks != nil {
			t.Errorf("ended at look %d of %d: %d checks, error %v", looks, all, len(report.Checks), err)
		}
	}
}

// expiring is a context that ends after it was looked at that often.
type expiring struct {
	context.Context
	looks int
}

func (e *expiring) Err() error {
	if e.looks == 0 {
		return context.Canceled
	}
	e.looks--
	return nil
}

func failed(checks []Check) []Check {
	var bad []Check
	for _, c := range checks {
		if !c.OK {
			bad = append(bad, c)
		}
	}
	return bad
}
