package engine

import (
	"testing"
	"time"

	"fitbench/internal/record"
)

func TestSilenceIsOverAfterFourLooksWithoutAByte(t *testing.T) {
	var v vigil
	for i, look := range []struct {
		moves uint64
		over  bool
	}{
		{0, false}, {0, false}, {0, false}, // three looks at nothing
		{2, false},                                     // a piece came and was dealt with
		{2, false}, {2, false}, {2, false}, {3, false}, // a piece is being dealt with:
		{3, false}, {3, false}, {3, false}, {3, false}, {3, false}, // that may take its time
		{4, false}, {4, false}, {4, false}, {4, false}, {4, true},
	} {
		if over := v.look(look.moves); over != look.over {
			t.Errorf("look %d: over %v, want %v", i, over, look.over)
		}
	}
}

func TestTheAllowanceGrowsWithThePlan(t *testing.T) {
	for _, c := range []struct {
		plan record.Plan
		want time.Duration
	}{
		{record.Plan{}, 0},
		{record.Plan{Samples: 1e6, Window: 100, BatchSize: 64}, 2128 * time.Millisecond}, // 1 s + 1 s + 0.128 s
		{record.Plan{Samples: 1<<31 - 1, Window: 104, BatchSize: 1 << 20}, 2147483647*2040*time.Nanosecond + 1048576*2*time.Millisecond},
	} {
		if got := allowance(c.plan); got != c.want {
			t.Errorf("%+v: %v, want %v", c.plan, got, c.want)
		}
	}
}
