package modes

import (
	"math"
	"testing"

	"fitbench/internal/meter"
	"fitbench/internal/record"
)

func fullPlan() record.Plan {
	return record.Plan{
		Samples: 1049344, Window: 104, Anomalies: 50000, Noise: 0.2, Shift: 0.5,
		BatchSize: 64, Steps: 2000, Rounds: 1, Threads: 2, Workers: 1, QueueSize: 10,
	}
}

func have(bytes int64) func() (meter.Memory, bool) {
	return func() (meter.Memory, bool) { return meter.Memory{AvailableBytes: bytes, Source: "cgroup limit"}, true }
}

func TestFitRefusesWithoutTheMemoryForItsArray(t *testing.T) {
	fit, _ := Lookup("fit")
	err := checkMemory(fit, fullPlan(), have(120e6))
	// 1049344 * 104 * 4 = 436,527,104; data: 13 * 1049344 + 8*104 + 4*50000 and the order's 4 * 1049344 = 18.0 MB.
	want := "fit needs 436.5 MB for its array of 1049344 x 104 float32, and 18.0 MB for the data, but only 120.0 MB are available (cgroup limit); fit-windows trains on the same windows without the array"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

func TestFitNeedsTheArrayAndTheDataTogether(t *testing.T) {
	fit, _ := Lookup("fit")
	if err := checkMemory(fit, fullPlan(), have(440e6)); err == nil {
		t.Error("the array alone would fit, but not with the data")
	}
	if err := checkMemory(fit, fullPlan(), have(460e6)); err != nil {
		t.Error(err)
	}
}

func TestLeanModesRunWhereFitDoesNot(t *testing.T) {
	for _, name := range []string{"generator", "train-on-batch", "fit-windows", "pipeline"} {
		m, _ := Lookup(name)
		if err := checkMemory(m, fullPlan(), have(120e6)); err != nil {
			t.Error(err)
		}
	}
}

func TestWithoutMemoryForTheSeriesFewerSamplesWouldDo(t *testing.T) {
	for _, m := range All() {
		err := checkMemory(m, fullPlan(), have(10e6))
		want := m.Name + " needs 18.0 MB for the series of 1049344 samples, their labels and an epoch's order, but only 10.0 MB are available (cgroup limit); fewer samples would do"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %v", err, want)
		}
	}
}

func TestALongQueueNeedsItsMemory(t *testing.T) {
	generator, _ := Lookup("generator")
	p := fullPlan()
	p.QueueSize = 2000
	// 2001 * 64 * 8 * (104+2+1) = 109.6 MB
	want := "generator needs 109.6 MB for 2001 batches of 64 x 104 float64 in and before its queue, and 18.0 MB for the data, but only 120.0 MB are available (cgroup limit); a shorter queue or a smaller batch would do"
	if err := checkMemory(generator, p, have(120e6)); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

// 4 * (1049344 + 103) = 4.2 MB; a row takes 4 * 104 + 9 bytes, and its piece or batch 131072 or 64 of them.
func TestPiecesAndGatheredBatchesNeedTheirMemoryBesideTheSeries(t *testing.T) {
	for name, want := range map[string]string{
		"fit-chunked": "fit-chunked needs 115.6 MB for the series as float32 and 2 x 131072 x 104 float32 in pieces, and 18.0 MB for the data, but only 20.0 MB are available (cgroup limit); a smaller chunk size would do",
		"pipeline":    "pipeline needs 4.5 MB for the series as float32 and 11 batches of 64 x 104 float32 in and before its queue, and 18.0 MB for the data, but only 20.0 MB are available (cgroup limit); a shorter queue or a smaller batch would do",
	} {
		m, _ := Lookup(name)
		if err := checkMemory(m, fullPlan(), have(20e6)); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %v", err, want)
		}
	}
}

func TestSmallerPiecesRunWhereTheDefaultDoesNot(t *testing.T) {
	chunked, _ := Lookup("fit-chunked")
	p := fullPlan()
	if err := checkMemory(chunked, p, have(120e6)); err == nil {
		t.Error("115.6 and 18.0 MB are more than 120")
	}
	p.ChunkSize = 65536
	if err := checkMemory(chunked, p, have(120e6)); err != nil {
		t.Error(err)
	}
}

func TestAnArrayBeyondAllCountingIsRefused(t *testing.T) {
	p := fullPlan()
	p.Samples, p.Window, p.ChunkSize = math.MaxInt32, math.MaxInt32, math.MaxInt // 4 * 2^62 bytes are more than an int64 holds
	for _, name := range []string{"fit", "fit-chunked"} {
		m, _ := Lookup(name)
		if err := checkMemory(m, p, have(math.MaxInt64-1)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestWhereMemoryIsNotKnownARunIsLetThrough(t *testing.T) {
	for _, m := range All() {
		if err := checkMemory(m, fullPlan(), func() (meter.Memory, bool) { return meter.Memory{}, false }); err != nil {
			t.Error(err)
		}
	}
}

func TestSizesInHumanUnits(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 436527104: "436.5 MB", 999_949_999: "999.9 MB", 999_950_000: "1.0 GB",
		4_160_000_000: "4.2 GB", math.MaxInt64: "9.2 EB",
	} {
		if got := humanBytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
