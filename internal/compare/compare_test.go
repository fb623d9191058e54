package compare_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/compare"
	"fitbench/internal/record"
)

func TestAChangeIsTheMedianRatioOfAllPairsOfRoundsWithItsInterval(t *testing.T) {
	// B's steps are 1.5 times A's 0.100 to 0.104. At 95 % the interval of 5 against 5 is from the third smallest of the 25 ratios,
	// 1.5*0.101/0.104 = 1.457, to the third largest, 1.5*0.104/0.101 = 1.545.
	text := written(t, good(), edited(slower(fit, 1.5)))
	wantContains(t, text,
		"step A B change 95 % interval",
		"fit@compiled 0.102 ms 0.153 ms +50 % +46 to +54 %",
		"generator@eager 0.306 ms 0.306 ms 0.0 % -2.9 to +3.0 %",
		"CPU load A B change 95 % interval",
		"fit@compiled 180 % 180 % 0.0 % 0.0 to 0.0 %",
		"peak memory A B change 95 % interval",
		"fit@compiled 40 MB 40 MB 0.0 % 0.0 to 0.0 %",
		"No difference in machine and build", "No difference in work",
	)
	wantWithout(t, text, "Not compared", "too few", "disturbed", "Different", "different")
}

func TestWhatDiffersIsNamedLineByLineAndThenWhatThatLeaves(t *testing.T) {
	order, times := "order of samples", "step time and CPU load"
	for _, c := range []struct {
		name     string
		edit     func(*record.Record)
		line     string
		not      []string // with the reason
		compared []string
	}{
		{"CPU model", func(r *record.Record) { r.Environment.CPUModel = "Xeon" }, "CPU model AMD EPYC Xeon",
			[]string{times + " (not the same CPU model)"}, []string{"operations", "tensors", order, "final weights", "peak memory"}},
		{"CPU model unknown", func(r *record.Record) { r.Environment.CPUModel = "" }, "CPU model AMD EPYC unknown",
			[]string{times + " (not the same CPU model)"}, []string{"peak memory"}},
		{"cores", func(r *record.Record) { r.Environment.UsableCores, r.Environment.OnlineCores = 4, 8 }, "usable cores 2 4",
			[]string{times + " (not the same usable cores and cores online)"}, []string{order, "final weights", "peak memory"}},
		{"threads", func(r *record.Record) { r.Plan.Threads = 1 }, "threads 2 1",
			[]string{"peak memory (not the same threads)", times + " (not the same threads)"}, []string{order, "final weights"}},
		{"kernel", func(r *record.Record) { r.Environment.Kernel = "go" }, "kernel avx2 go",
			[]string{"bytes of tensors a step (not the same kernel)", "final weights (not the same kernel)", times + " (not the same kernel)"}, []string{"operations", order}},
		{"Go", func(r *record.Record) { r.Environment.Go = "go1.27" }, "Go go1.26.0 go1.27",
			[]string{"final weights (not the same Go)"}, []string{order, "peak memory", times}},
		{"architecture", func(r *record.Record) { r.Environment.Arch = "arm64" }, "architecture amd64 arm64",
			[]string{"final weights (not the same architecture)", "peak memory (not the same architecture)"}, []string{order}},
		{"OS", func(r *record.Record) { r.Environment.OS = "darwin" }, "OS linux darwin", []string{"peak memory (not the same OS)"}, []string{order, "final weights", times}},
		{"GOGC", func(r *record.Record) { r.Environment.GOGC = "off" }, "GOGC unset off", nil, []string{order, "final weights", "peak memory", times}},
		{"revision", func(r *record.Record) { r.Environment.Revision = "def" }, "revision abc def", nil, []string{times}},
		{"OS version", func(r *record.Record) { r.Environment.OSVersion = "6.2" }, "OS version 6.1 6.2", nil, []string{times}},
		{"injected", all(func(r *record.Run) { r.Injected = "kernel=10%" }), "work added on purpose none kernel=10%", nil, []string{times}},
		{"chunk size", func(r *record.Record) { r.Plan.ChunkSize = 4096 }, "chunk size unset 4096",
			[]string{"peak memory (not the same chunk size)", times + " (not the same chunk size)"}, []string{order, "final weights"}},
		{"seed", func(r *record.Record) { r.Plan.Seed = 7 }, "seed 0 7",
			[]string{order + " (not the same seed)", "final weights (not the same seed)"}, []string{"peak memory", times}},
		{"steps", func(r *record.Record) { r.Plan.Steps = 200 }, "steps 300 200",
			[]string{order + " (not the same steps)", "final weights (not the same steps)"}, []string{times}},
		{"samples", func(r *record.Record) { r.Plan.Samples = 1000 }, "samples 65536 1000",
			[]string{order + " (not the same samples)", "peak memory (not the same samples)", times + " (not the same samples)"}, []string{"operations"}},
		{"window", func(r *record.Record) { r.Plan.Window = 96 }, "window 104 96",
			[]string{"operations and bytes copied a step (not the same window)", times + " (not the same window)"}, []string{order}},
		{"rounds", rounds(4), "", nil, []string{order, "final weights", times}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(written(t, good(), edited(c.edit)), "\n", " ")
			wantContains(t, text, c.line)
			compared, not, _ := strings.Cut(text, "Not compared")
			_, compared, _ = strings.Cut(compared, "Compared ")
			wantContains(t, not, c.not...)
			wantContains(t, compared, c.compared...)
		})
	}
}

func TestWhatCannotBeComparedIsNotShownAsAChange(t *testing.T) {
	text := written(t, good(), edited(func(r *record.Record) { slower(fit, 2)(r); r.Environment.CPUModel = "Xeon" }))
	wantContains(t, text, "peak memory A B change")
	wantWithout(t, text, "step A B", "CPU load A B", "0.204 ms")
	text = written(t, good(), edited(func(r *record.Record) { r.Plan.Threads = 1 }))
	wantWithout(t, text, "change", "40 MB")
}

func TestCountsAndDigestsAreEqualOrNamedWhereTheyDiffer(t *testing.T) {
	wantContains(t, written(t, good(), edited(slower(fit, 2))),
		"Equal operations a step, bytes copied a step, bytes of tensors a step, order of samples, final")
	text := strings.ReplaceAll(written(t, good(), edited(func(r *record.Record) {
		each(generator, func(r *record.Run) { *r.OpsPerStep = 1115 })(r)
		all(func(r *record.Run) { r.WeightsDigest = "other weights" })(r)
		r.Runs[0].CopiedBytesPerStep = record.Of(int64(5))
		each(fit, func(r *record.Run) { r.TensorBytesPerStep = nil })(r)
	})), "\n", " ")
	wantContains(t, text, "Equal order of samples",
		"Different operations a step: generator@eager 112 in A, 1,115 in B",
		"Different final weights: fit@compiled weights of c in A, other weight in B; generator@eager weights of e in A, other weight in B",
		"Different bytes copied a step: fit@compiled 0 in A, 0 or 5 in B",
		"Different bytes of tensors a step: fit@compiled 0 in A, - in B")
}

func TestEqualFilesAndEqualRecordsAreSaidToBeSo(t *testing.T) {
	text := written(t, good(), good())
	wantContains(t, text, "A and B hold the same record: there is nothing to compare.")
	wantWithout(t, text, "change")

	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, path+"2"); err != nil {
		t.Skip("no links here")
	}
	var sides []compare.Side
	for _, name := range []string{path, path + "2"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		sides = append(sides, compare.Side{Name: name, Record: good(), File: info})
	}
	var out strings.Builder
	if err := compare.Write(&out, sides, 0); err != nil {
		t.Fatal(err)
	}
	wantContains(t, out.String(), "A and B are the same file: there is nothing to compare.")
}

func TestTooFewOrDisturbedRoundsAreMarked(t *testing.T) {
	text := written(t, good(), edited(func(r *record.Record) { rounds(2)(r); slower(fit, 1.5)(r) }))
	wantContains(t, strings.ReplaceAll(text, "\n", " "), "fit@compiled 0.102 ms 0.151 ms +48 % - ", "too few rounds for an interval")
	text = written(t, good(), edited(all(func(r *record.Run) { r.Disturbed = true })))
	wantContains(t, strings.ReplaceAll(text, "\n", " "), "fit@compiled 0.102 ms *0.102 ms", "* the rounds were disturbed")
}

func TestACellThatFailedOrWasNotMeasuredHasNoChange(t *testing.T) {
	text := written(t, good(), edited(func(r *record.Record) {
		each(fit, func(r *record.Run) { r.Error = "out of memory" })(r)
		each(generator, func(r *record.Run) { r.SteadyCPUPercent = nil; r.PeakRSSBytes = nil })(r)
	}))
	wantContains(t, text, "fit@compiled 0.102 ms failed - -", "generator@eager 180 % - - -", "generator@eager 40 MB - - -")
	zero := written(t, good(), edited(each(fit, func(r *record.Run) { r.SteadyCPUPercent = record.Of(0.0) })))
	wantContains(t, zero, "fit@compiled 180 % 0 % - -")
	once := written(t, good(), edited(func(r *record.Record) { r.Runs[0].SteadyCPUPercent = record.Of(0.0) }))
	wantContains(t, once, "fit@compiled 180 % 180 % - -") // a change of the other rounds alone would be of another figure
}

func TestCellsAreMatchedByEngineAndBatchSize(t *testing.T) {
	sweep := edited(func(r *record.Record) {
		r.Plan.BatchSize, r.Plan.BatchSizes = 0, []int{64, 1024}
		for _, run := range good().Runs {
			run.BatchSize = 1024
			r.Runs = append(r.Runs, run)
		}
	})
	text := strings.ReplaceAll(written(t, good(), sweep), "\n", " ")
	wantContains(t, text, "batch size 64 64, 1024", "fit@compiled, batch 64 0.102 ms 0.102 ms", "Only in B fit@compiled, batch 1,024; generator@eager, batch 1,024",
		"65,536 windows of 104, batch 64 1,024, 5 rounds of 300 steps, 20 runs")
	wantWithout(t, text, "Only in A")

	interrupted := edited(func(r *record.Record) { r.Runs = r.Runs[:1] })
	text = strings.ReplaceAll(written(t, good(), interrupted), "\n", " ")
	wantContains(t, text, "Only in A generator@eager")
	wantWithout(t, text, "generator@eager 0.306 ms")

	other := edited(func(r *record.Record) {
		r.Plan.Engines = []string{"exec:keras"}
		all(func(r *record.Run) { r.Engine = "exec:keras" })(r)
	})
	text = strings.ReplaceAll(written(t, good(), other), "\n", " ")
	wantContains(t, text, "engines unset exec:keras", "No cell was run in both", "Only in A fit@compiled, fitbench;", "Only in B fit@compiled, exec:keras;")
}

func TestEachOtherRecordIsComparedWithTheFirst(t *testing.T) {
	text := written(t, good(), edited(slower(fit, 1.5)), edited(slower(fit, 0.5)))
	wantContains(t, text, "A a.json (the base): ", "C c.json: ", "B against A", "C against A", "0.153 ms +50 %", "0.0510 ms -50 %")
}

func TestNoLineIsLongerThanItsWidth(t *testing.T) {
	long := edited(func(r *record.Record) {
		r.Environment.CPUModel = "A processor with a name that goes on and on, as some do, @ 3.20GHz"
		r.Environment.OSVersion, r.Plan.Seed = "6.2.0-1018-lowlatency", 7
	})
	for _, width := range []int{40, 60, 80, 100, 110, 300} {
		for _, head := range []record.Record{long, edited(slower(fit, 1.5)), edited(all(func(r *record.Run) { r.WeightsDigest = "x" }))} {
			for line := range strings.Lines(atWidth(t, width, good(), head)) {
				if n := len(strings.TrimRight(line, "\n")); n > min(width, compare.MaxWidth) || strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
					t.Errorf("at %d a line of %d: %q", width, n, line)
				}
			}
		}
	}
	wantContains(t, strings.Join(strings.Fields(atWidth(t, 40, good(), edited(slower(fit, 1.5)))), " "),
		"step, change, 95 % interval fit@compiled: A 0.102 ms, B 0.153 ms, +50 % (+46 to +54 %)")
}

func TestNamesAreShownInASCII(t *testing.T) {
	text := atWidth(t, 0, good(), edited(func(r *record.Record) { r.Environment.CPUModel = "\x1b[31m\tCPU\n™" }))
	for _, r := range text {
		if r != '\n' && (r < ' ' || r > '~') {
			t.Errorf("%q in the output", r)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left")

func TestAnErrorOfTheOutputIsReturned(t *testing.T) {
	sides := []compare.Side{{Name: "a", Record: good()}, {Name: "b", Record: good()}}
	if err := compare.Write(full{}, sides, 0); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

func TestReasonsNameWhatDiffersAndWhatIsNotKnown(t *testing.T) {
	d := func(field, base, head string) compare.Difference {
		return compare.Difference{Field: field, Base: base, Head: head}
	}
	for _, c := range []struct {
		obstacles []compare.Difference
		want      string
	}{
		{[]compare.Difference{d("kernel", "a", "b")}, "not the same kernel"},
		{[]compare.Difference{d("CPU model", "a", "b"), d("kernel", "a", "b"), d("Go", "a", "b")}, "not the same CPU model, kernel and Go"},
		{[]compare.Difference{d("CPU model", "unknown", "unknown")}, "CPU model not known"},
		{[]compare.Difference{d("kernel", "a", "b"), d("CPU model", "unknown", "unknown")}, "not the same kernel, CPU model not known"},
	} {
		if got := compare.Reason(c.obstacles); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	both := edited(func(r *record.Record) { r.Environment.CPUModel = "" })
	if got := fmt.Sprint(compare.Obstacles(compare.Times, both, both)); got != "[{CPU model unknown unknown}]" {
		t.Errorf("two CPU models that are not known: %s", got)
	}
	online := edited(func(r *record.Record) { r.Environment.OnlineCores = 0 })
	if got := compare.Obstacles(compare.Times, online, online); len(got) > 0 {
		t.Errorf("cores online need not be known: %v", got)
	}
}
