package meter

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// moving is a machine that others use between two snapshots.
type moving struct {
	source
	t      *testing.T
	wall   time.Duration
	own    time.Duration
	parent int
}

const statBefore = "cpu  1000 0 500 10000 100 0 0 50 300 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\n"

func newMoving(t *testing.T) *moving {
	m := &moving{t: t, source: files{
		"proc/stat":         statBefore,
		"proc/7/stat":       "7 (fitbench) S 1 7 7 0 -1 4 0 0 0 0 100 50 0 0",
		"proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n",
	}.source(t), parent: 7}
	m.source.now = func() time.Time { return time.Unix(1000, 0).Add(m.wall) }
	m.source.familyCPU = func() (time.Duration, bool) { return m.own, true }
	m.source.parent = func() int { return m.parent }
	return m
}

// pass lets ten seconds go by on two cores: 2000 ticks, of which 1050 idle or waiting and 50 stolen, so that 9 s are busy. This
// process used 6 s of them, the parent 1 s, and others 2 s: 20 % of a core.
func (m *moving) pass() {
	m.wall, m.own = 10*time.Second, 6*time.Second
	m.put(files{
		"proc/stat":         "cpu  1700 0 700 11000 150 0 0 100 400 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\n",
		"proc/7/stat":       "7 (fitbench) S 1 7 7 0 -1 4 0 0 0 0 180 70 0 0",
		"proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n",
	})
}

func (m *moving) put(f files) { f.put(m.t, m.root) }

func (m *moving) remove(name string) {
	if err := os.Remove(filepath.Join(m.root, filepath.FromSlash(name))); err != nil {
		m.t.Fatal(err)
	}
}

func text(p *float64) string {
	if p == nil {
		return "not measured"
	}
	return fmt.Sprintf("%.6f", *p)
}

// expect compares the three percentages, as texts with six decimals.
func expect(t *testing.T, d Disturbance, other, steal, pressure string) {
	t.Helper()
	if o, s, p := text(d.OtherCPUPercent), text(d.StealPercent), text(d.PressurePercent); o != other || s != steal || p != pressure {
		t.Errorf("got other %s, steal %s, pressure %s; want %s, %s, %s", o, s, p, other, steal, pressure)
	}
}

const none = "not measured"

func TestOthersUsedWhatTheMachineDidLessThisProcessAndItsParent(t *testing.T) {
	m := newMoving(t)
	o := m.watch()
	m.pass()
	expect(t, o.Read(), "20.000000", "5.000000", "15.000000")
	expect(t, o.Read(), "20.000000", "5.000000", "15.000000") // reading changes nothing
}

func TestEachPartOfADisturbanceMayBeMissing(t *testing.T) {
	for name, c := range map[string]struct {
		change                 func(m *moving)
		other, steal, pressure string
	}{
		"no machine counters": {func(m *moving) { m.remove("proc/stat") }, none, none, "15.000000"},
		"no pressure":         {func(m *moving) { m.remove("proc/pressure/cpu") }, "20.000000", "5.000000", none},
		"cut counters":        {func(m *moving) { m.put(files{"proc/stat": "cpu  1700 0"}) }, none, none, "15.000000"},
		// 20 - 10.5 - 6 - 1 = 2.5 s, stolen time among it
		"no steal column": {func(m *moving) {
			m.put(files{"proc/stat": "cpu 1700 0 700 11000 150 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\n"})
		}, "25.000000", none, "15.000000"},
		"own time not told":         {func(m *moving) { m.familyCPU = func() (time.Duration, bool) { return 0, false } }, none, "5.000000", "15.000000"},
		"parent unreadable":         {func(m *moving) { m.remove("proc/7/stat") }, "30.000000", "5.000000", "15.000000"},
		"parent ended":              {func(m *moving) { m.parent = 1 }, "30.000000", "5.000000", "15.000000"},
		"a core was switched off":   {func(m *moving) { m.put(files{"proc/stat": "cpu 1700 0 700 11000 150 0 0 100\ncpu0 0 0 0 0\n"}) }, none, none, "15.000000"},
		"counters that stand still": {func(m *moving) { m.put(files{"proc/stat": statBefore}) }, none, none, "15.000000"},
		"counters running backwards": {func(m *moving) {
			m.put(files{"proc/stat": "cpu 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\n"})
		}, none, none, "15.000000"},
		"pressure running backwards": {func(m *moving) { m.put(files{"proc/pressure/cpu": "some total=5\n"}) }, "20.000000", "5.000000", none},
		"no time passed":             {func(m *moving) { m.wall = 0 }, none, none, none},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMoving(t)
			start := m.snapshot()
			m.pass()
			c.change(m)
			expect(t, start.until(m.snapshot()), c.other, c.steal, c.pressure)
		})
	}
}

func TestNoCountersOnEitherSideIsNotMeasured(t *testing.T) {
	s := files{}.source(t)
	expect(t, s.watch().Read(), none, none, none)
}

func TestAShortIntervalTellsNothingOfOtherLoad(t *testing.T) {
	m := newMoving(t)
	o := m.watch()
	for _, c := range []struct {
		wall         time.Duration
		other, steal string
	}{
		{299 * time.Millisecond, none, none},
		// 0.6 s of capacity - 0.3 s idle - 0.03 s stolen - 0.24 s own = 0.03 s
		{300 * time.Millisecond, "10.000000", "10.000000"},
	} {
		m.wall, m.own = c.wall, 240*time.Millisecond
		m.put(files{"proc/stat": "cpu 1027 0 500 10030 100 0 0 53 300 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\n"})
		expect(t, o.Read(), c.other, c.steal, "0.000000")
	}
}

func TestSlightlyNegativeOtherLoadIsZeroAndACoarseContradictionIsNotMeasured(t *testing.T) {
	for _, c := range []struct {
		own   time.Duration
		other string
	}{
		{8 * time.Second, "0.000000"},
		{8500 * time.Millisecond, "0.000000"}, // 9 - 8.5 - 1 = -0.5 s, which the stolen 0.5 s explain
		{8600 * time.Millisecond, none},       // -0.6 s: more than stolen time and seven ticks
	} {
		m := newMoving(t)
		o := m.watch()
		m.pass()
		m.own = c.own
		if got := text(o.Read().OtherCPUPercent); got != c.other {
			t.Errorf("own time %v: got %s, want %s", c.own, got, c.other)
		}
	}
}

func TestDisturbedIsOverTenPercentOfACore(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		d    Disturbance
		want bool
	}{
		{Disturbance{}, false},
		{Disturbance{OtherCPUPercent: p(10)}, false},
		{Disturbance{OtherCPUPercent: p(10.1)}, true},
		{Disturbance{StealPercent: p(10.1)}, true},
		{Disturbance{OtherCPUPercent: p(9), StealPercent: p(9)}, false},
		{Disturbance{PressurePercent: p(90)}, false},
	} {
		if got := c.d.Disturbed(); got != c.want {
			t.Errorf("other %s, steal %s, pressure %s: got %v", text(c.d.OtherCPUPercent), text(c.d.StealPercent), text(c.d.PressurePercent), got)
		}
	}
}

func TestWatchingThisMachineGivesPercentages(t *testing.T) {
	d := WatchOthers().Read()
	for _, p := range []*float64{d.OtherCPUPercent, d.StealPercent, d.PressurePercent} {
		if p != nil && !(*p >= 0) {
			t.Errorf("got %v", *p)
		}
	}
}
