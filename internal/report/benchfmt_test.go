package report_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// parse reads the benchmark format with the reader that benchstat has.
func parse(t *testing.T, text string) ([]*benchfmt.Result, benchfmt.UnitMetadataMap) {
	t.Helper()
	var all []*benchfmt.Result
	r := benchfmt.NewReader(strings.NewReader(text), "test")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			all = append(all, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Errorf("%v in\n%s", rec, text)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return all, r.Units()
}

// wantValue compares a figure in the reader's units: seconds for ns.
func wantValue(t *testing.T, r *benchfmt.Result, unit string, want float64) {
	t.Helper()
	if got, ok := r.Value(unit); !ok || !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s: %s is %v, %v; want %v", r.Name, unit, got, ok, want)
	}
}

func TestGosBenchmarkReaderReadsARunALine(t *testing.T) {
	rec := recordOf(experiment(64, 5))
	rec.Environment.CPUModel = "AMD EPYC  7B13"
	rec.Runs[2].UserSeconds, rec.Runs[2].SystemSeconds = record.Of(1.5), record.Of(0.25)
	results, units := parse(t, write(t, "benchfmt", report.Options{}, rec))
	if len(results) != 30 {
		t.Fatalf("%d results of 30 runs", len(results))
	}
	third := results[2]
	if name := string(third.Name); name != "Step/mode=generator/exec=eager/batch=64-2" || third.Iters != 2000 {
		t.Errorf("%s, %d iterations", name, third.Iters)
	}
	for key, want := range map[string]string{
		"cpu": "AMD EPYC 7B13", "goos": "linux", "goarch": "amd64", "engine": "fitbench", "kernel": "avx2", "threads": "2",
		"samples": "1049344", "window": "104", "source": "", "revision": "",
	} {
		if got := third.GetConfig(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for unit, want := range map[string]float64{ // round 1 of 5 is 2 % below the cell's figures
		"sec/op": 0.752e-3 * 0.98, "wait-sec/op": 0.001e-3, "cpu-%": 142, "peak-B": 41e6, "feed-B": 0, "ops/op": 142,
		"tensor-B/op": 3140000, "copied-B/op": 400000, "cpu-sec": 1.75, "build-sec": 0.0001, "steal-%": 0.2, "other-cpu-%": 0.5,
	} {
		wantValue(t, third, unit, want)
	}
	if _, ok := results[0].Value("cpu-sec"); ok {
		t.Error("a figure that was not measured is there")
	}
	if units.GetBetter("ns/op") != -1 || units.Get("ops/op", "assume").Value != "exact" || units.GetBetter("cpu-%") != 0 {
		t.Errorf("units %v", units)
	}
}

func TestRoundsOfACellAreTheSameBenchmark(t *testing.T) {
	names := map[string]int{}
	results, _ := parse(t, write(t, "benchfmt", report.Options{}, recordOf(experiment(64, 5))))
	for _, r := range results {
		names[string(r.Name)]++
	}
	for name, n := range names {
		if n != 5 {
			t.Errorf("%s %d times, want 5", name, n)
		}
	}
	if len(names) != 6 {
		t.Errorf("%d benchmarks, want 6 cells", len(names))
	}
}

func TestTheConfigurationFollowsTheRuns(t *testing.T) {
	rec := recordOf(only(experiment(64, 4), record.Cell{Mode: "fit", Execution: "compiled"}))
	rec.Runs[1].Engine, rec.Runs[1].Kernel = "native:./old", ""
	rec.Runs[3].Threads = 0
	other := rec
	other.Environment.OS = "darwin"
	results, _ := parse(t, write(t, "benchfmt", report.Options{Sources: []string{"a b.json", "c.json"}}, rec, other))
	var got []string
	for _, r := range results {
		got = append(got, fmt.Sprint(r.GetConfig("source"), " ", r.GetConfig("goos"), " ", r.GetConfig("engine"), " ", r.GetConfig("kernel"), " ", string(r.Name)))
	}
	const name = "Step/mode=fit/exec=compiled/batch=64"
	want := []string{
		"a b.json linux fitbench avx2 " + name + "-2", "a b.json linux native:./old  " + name + "-2",
		"a b.json linux fitbench avx2 " + name + "-2", "a b.json linux fitbench avx2 " + name,
		"c.json darwin fitbench avx2 " + name + "-2", "c.json darwin native:./old  " + name + "-2",
		"c.json darwin fitbench avx2 " + name + "-2", "c.json darwin fitbench avx2 " + name,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatHasNoFiguresIsNoBenchmark(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Runs[0].Error = "out of memory\nBenchmarkEvil 1 1 ns/op\nkey: value"
	rec.Runs[1] = record.Run{Mode: "fit", Execution: "eager", Round: 1}
	text := write(t, "benchfmt", report.Options{}, rec)
	results, _ := parse(t, text)
	if len(results) != 4 || strings.Contains(text, "Evil") || results[0].GetConfig("key") != "" {
		t.Errorf("%d results of 4 good runs in\n%s", len(results), text)
	}
	for _, want := range []string{"# fit@compiled, batch 64, round 1: failed", "# fit@eager, batch 0, round 1: nothing was measured"} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

func TestNamesThatWouldBreakALineAreMended(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Runs = rec.Runs[:1]
	rec.Runs[0].Mode, rec.Runs[0].Execution = "a mode/with\nall\u00a0of it", "jit\t2"
	rec.Runs[0].Engine = "exec:python3 my.py\ngoos: plan9"
	results, _ := parse(t, write(t, "benchfmt", report.Options{}, rec))
	if len(results) != 1 {
		t.Fatalf("%d results", len(results))
	}
	if name := string(results[0].Name); name != "Step/mode=a_mode_with_all_of_it/exec=jit_2/batch=64-2" {
		t.Errorf("name %q", name)
	}
	if engine := results[0].GetConfig("engine"); engine != "exec:python3 my.py goos: plan9" || results[0].GetConfig("goos") != "linux" {
		t.Errorf("engine %q, goos %q", engine, results[0].GetConfig("goos"))
	}
}
