package main

import (
	"context"
	"slices"
	"testing"

	"fitbench/internal/nn/kernel"
)

const fewSamples = 2000

func someSamples(t *testing.T) *samples {
	t.Helper()
	s, err := newSamples(context.Background(), fewSamples)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEverySampleIsInTheOrderOnceWithItsWindow(t *testing.T) {
	s := someSamples(t)
	sorted := slices.Sorted(slices.Values(s.starts))
	for i, start := range sorted {
		if start != i || start+s.window > len(s.values) {
			t.Fatalf("place %d of the sorted starts holds %d; the series has %d values", i, start, len(s.values))
		}
	}
	if len(sorted) != fewSamples || slices.IsSorted(s.starts) {
		t.Errorf("%d samples, want %d in random order", len(sorted), fewSamples)
	}
}

func TestAStepperGoesAroundTheSeriesInWholeBatches(t *testing.T) {
	s, err := newStepper(someSamples(t), kernel.Available()[0], 900, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.model.Close()
	for i, want := range []int{900, 1800, 900} { // another 900 do not fit into 2000
		if err := s.step(); err != nil || s.next != want {
			t.Errorf("step %d ended at sample %d (%v), want %d", i, s.next, err, want)
		}
	}
	if trained, took, err := s.run(1); err != nil || trained != 900 || took <= 0 {
		t.Errorf("a burst of a nanosecond trained on %d samples in %v (%v), want one step", trained, took, err)
	}
}

// Timing the parts must not change what is computed, and every part must be seen.
func TestATimedVariantComputesTheSameAndMissesNoPart(t *testing.T) {
	for _, impl := range kernel.Available() {
		if impl.Lanes == nil {
			continue
		}
		data, clock := someSamples(t), newPartClock()
		plain, err := newStepper(data, impl, 64, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer plain.model.Close()
		timed, err := newStepper(data, clock.timed(impl), 64, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer timed.model.Close()
		parts, err := clock.partsOf(timed, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plain.whole(1); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(plain.model.Weights(), timed.model.Weights()) {
			t.Errorf("%s: the weights differ when the parts are timed", impl.Name)
		}
		for part, name := range partNames() {
			if !(parts[part] > 0) {
				t.Errorf("%s: %q took %v ns/sample", impl.Name, name, parts[part])
			}
		}
	}
}
