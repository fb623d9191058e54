package python

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"testing"
)

// machine is a case of testdata/meter.py.
type machine struct {
	Files   map[string]string `json:"files"`
	Own     [2]float64        `json:"own"`
	Ended   [2]float64        `json:"ended"`
	Later   map[string]any    `json:"later"`
	Seconds float64           `json:"seconds"`
}

// metered is what the meter says of it.
type metered struct {
	CPU    [2]float64 `json:"cpu"`
	Plain  [2]float64 `json:"cpu_without_resource"`
	Peak   float64    `json:"peak"`
	Others struct {
		Percent   *float64 `json:"other_cpu_percent"`
		Steal     *float64 `json:"steal_percent"`
		Disturbed bool     `json:"disturbed"`
	} `json:"others"`
}

// process is the text of /proc/PID/stat, with CPU times in ticks of 10 ms. Its name is as awkward as a name may be.
func process(parent, user, system int) string {
	return fmt.Sprintf("7 (a) (b c) S %d 1 1 0 -1 0 0 0 0 0 %d %d 0 0 20 0", parent, user, system)
}

// processors is the text of /proc/stat for two cores, in ticks.
func processors(user, idle, iowait, steal int) string {
	return fmt.Sprintf("cpu %d 0 0 %d %d 0 0 %d 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\nintr 1\n", user, idle, iowait, steal)
}

// quiet is a machine on which process 100 has a child, a grandchild and one that has ended, beside its parent 50 and a stranger; ten
// seconds later nobody has done anything.
func quiet() machine {
	return machine{
		Files: map[string]string{
			"/proc/stat":             processors(0, 0, 0, 0),
			"/proc/50/stat":          process(1, 70, 7),
			"/proc/100/stat":         process(50, 88, 8),
			"/proc/101/stat":         process(100, 300, 100),
			"/proc/102/stat":         process(101, 50, 10),
			"/proc/200/stat":         process(1, 9000, 900),
			"/proc/self/status":      "VmPeak:\t 9999 kB\nVmHWM:\t 1000 kB\nVmRSS:\t 800 kB\n",
			"/proc/101/status":       "VmHWM:\t 4000 kB\n",
			"/proc/101/smaps_rollup": "Rss: 4000 kB\nPrivate_Clean: 10 kB\nPrivate_Dirty: 20 kB\n",
			"/proc/102/status":       "VmHWM:\t 500 kB\n",
			"/proc/200/status":       "VmHWM:\t 70000 kB\n",
		},
		Own: [2]float64{1.5, 0.25}, Ended: [2]float64{2, 0.5}, Seconds: 10,
		Later: map[string]any{"files": map[string]string{"/proc/stat": processors(0, 2000, 0, 0)}},
	}
}

// meters has the worker's meter asked about machines.
func meters(t *testing.T, machines ...machine) []metered {
	t.Helper()
	in, err := json.Marshal(machines)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter(t), "-B", "testdata/meter.py", "worker")
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var all []metered
	if err := json.Unmarshal(out, &all); err != nil || len(all) != len(machines) {
		t.Fatalf("%v in %q", err, out)
	}
	return all
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestAWorkersMeterCountsAllThatDescendsFromItAndNobodyElse(t *testing.T) {
	got := meters(t, quiet())[0]
	// User: 1.5 of its own, 2 of an ended child, 3 and 0.5 of the living ones. System: 0.25, 0.5, 1 and 0.1.
	for name, cpu := range map[string][2]float64{"with resource": got.CPU, "without": got.Plain} {
		if !near(cpu[0], 7) || !near(cpu[1], 1.85) {
			t.Errorf("%s: CPU seconds %v, want [7 1.85]", name, cpu)
		}
	}
	// Its own peak, what a child has for itself, and the peak of one of which the system does not tell that.
	if want := float64(1000+10+20+500) * 1024; got.Peak != want {
		t.Errorf("peak %v, want %v", got.Peak, want)
	}
}

// Ten seconds on two cores are 2000 ticks: those that are not idle, waiting or stolen are somebody's.
func TestAWorkersMeterTellsOthersLoadFromItsOwn(t *testing.T) {
	percent := func(v float64) *float64 { return &v }
	cases := []struct {
		name       string
		processors string
		files      map[string]string
		later      map[string]any
		seconds    float64
		others     *float64
		steal      *float64
		disturbed  bool
	}{
		{"nothing", processors(0, 2000, 0, 0), nil, nil, 10, percent(0), percent(0), false},
		{"waiting for a disk", processors(0, 500, 1500, 0), nil, nil, 10, percent(0), percent(0), false},
		{"a little", processors(90, 1910, 0, 0), nil, nil, 10, percent(9), percent(0), false},
		{"much", processors(500, 1500, 0, 0), nil, nil, 10, percent(50), percent(0), true},
		{"stolen", processors(0, 1800, 0, 200), nil, nil, 10, percent(0), percent(20), true},
		{"its own", processors(500, 1500, 0, 0), nil, map[string]any{"own": [2]float64{5.5, 1.25}}, 10, percent(0), percent(0), false},
		{"that of a child", processors(500, 1500, 0, 0), map[string]string{"/proc/102/stat": process(101, 450, 110)}, nil, 10, percent(0), percent(0), false},
		{"that of a child that ended", processors(500, 1500, 0, 0), nil, map[string]any{"ended": [2]float64{6, 1.5}}, 10, percent(0), percent(0), false},
		{"its parent's", processors(500, 1500, 0, 0), map[string]string{"/proc/50/stat": process(1, 470, 107)}, nil, 10, percent(0), percent(0), false},
		{"that of a stranger", processors(500, 1500, 0, 0), map[string]string{"/proc/200/stat": process(1, 9500, 900)}, nil, 10, percent(50), percent(0), true},
		{"much in too short a time", processors(40, 10, 0, 0), nil, nil, 0.25, nil, nil, false},
		{"much in just long enough", processors(40, 35, 0, 0), nil, nil, 0.375, percent(320.0 / 3), percent(0), true},
		{"on a core more than before", processors(500, 1500, 0, 0) + "cpu2 1 0 0 1 0 0 0 0 0 0\n", nil, nil, 10, nil, nil, false},
		{"on a system that tells none", "", nil, nil, 10, nil, nil, false},
	}
	var machines []machine
	for _, c := range cases {
		m, files := quiet(), map[string]string{"/proc/stat": c.processors}
		maps.Copy(files, c.files)
		m.Later, m.Seconds = map[string]any{"files": files}, c.seconds
		maps.Copy(m.Later, c.later)
		machines = append(machines, m)
	}
	for i, got := range meters(t, machines...) {
		if c, got := cases[i], got.Others; !same(got.Percent, c.others) || !same(got.Steal, c.steal) || got.Disturbed != c.disturbed {
			t.Errorf("%s: others %s, stolen %s, disturbed %v; want %s, %s, %v",
				c.name, say(got.Percent), say(got.Steal), got.Disturbed, say(c.others), say(c.steal), c.disturbed)
		}
	}
}

func same(a, b *float64) bool { return a == b || a != nil && b != nil && near(*a, *b) }

// say is a figure in words, "none" where it is not known.
func say(v *float64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%.4g", *v)
}
