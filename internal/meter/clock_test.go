package meter

import (
	"testing"
	"time"
)

func TestSinceSubtractsWallAndCPUTime(t *testing.T) {
	start := time.Unix(100, 0)
	earlier := Instant{Wall: start, User: 3 * time.Second, System: time.Second, CPUKnown: true}
	later := Instant{Wall: start.Add(2 * time.Second), User: 6 * time.Second, System: 1500 * time.Millisecond, CPUKnown: true}
	want := Interval{Wall: 2 * time.Second, User: 3 * time.Second, System: 500 * time.Millisecond, CPUKnown: true}
	if got := later.Since(earlier); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCPUTimeIsKnownOnlyIfBothEndsAre(t *testing.T) {
	known, unknown := Instant{User: time.Second, CPUKnown: true}, Instant{}
	if known.Since(unknown).CPUKnown || unknown.Since(known).CPUKnown {
		t.Error("an interval with one unknown end claims to know its CPU time")
	}
}

func TestCPUPercentIsUserAndSystemOverWall(t *testing.T) {
	i := Interval{Wall: 2 * time.Second, User: 3 * time.Second, System: 500 * time.Millisecond, CPUKnown: true}
	if got, ok := i.CPUPercent(); !ok || !near(got, 175) {
		t.Errorf("got %v %v, want 175", got, ok)
	}
}

func TestCPUPercentIsAbsentWithoutCPUTimeOrWall(t *testing.T) {
	for _, i := range []Interval{{}, {Wall: time.Second}, {User: time.Second, CPUKnown: true}, {Wall: -1, CPUKnown: true}} {
		if got, ok := i.CPUPercent(); ok {
			t.Errorf("%+v: got %v, want none", i, got)
		}
	}
}

func TestSumOfIntervals(t *testing.T) {
	a := Interval{Wall: 1, User: 2, System: 3, CPUKnown: true}
	b := Interval{Wall: 10, User: 20, System: 30, CPUKnown: true}
	unknown := Interval{Wall: 100}
	for _, c := range []struct{ a, b, want Interval }{
		{a, b, Interval{Wall: 11, User: 22, System: 33, CPUKnown: true}},
		{Interval{}, a, a},
		{a, Interval{}, a},
		{a, unknown, Interval{Wall: 101}},
		{unknown, a, Interval{Wall: 101}},
	} {
		if got := c.a.Add(c.b); got != c.want {
			t.Errorf("%+v + %+v: got %+v, want %+v", c.a, c.b, got, c.want)
		}
	}
}

func TestNowSeesThisProcessWork(t *testing.T) {
	start := Now()
	if !start.CPUKnown {
		t.Skip("this system does not tell CPU times")
	}
	// Ends by the CPU clock itself, so that no load of the machine matters.
	for {
		if passed := Now().Since(start); passed.User+passed.System >= 20*time.Millisecond {
			if passed.Wall <= 0 {
				t.Errorf("CPU time went on, wall time by %v", passed.Wall)
			}
			return
		}
	}
}

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		Now()
	}
}
