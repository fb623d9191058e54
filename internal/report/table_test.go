package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/report"
)

func table(t *testing.T, rec record.Record, width int) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Table(&out, rec, report.Options{Width: width}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestNoLineIsLongerThanTheTerminalOr110(t *testing.T) {
	for name, rec := range cases() {
		for _, width := range []int{-1, 0, 1, 20, 34, 40, 80, 100, 110, 200} {
			limit := 110
			if width > 0 {
				limit = min(width, limit)
			}
			for line := range strings.Lines(table(t, rec, width)) {
				line = strings.TrimSuffix(line, "\n")
				// A number with its unit or a single word cannot be broken.
				text := strings.TrimSpace(line)
				words := len(strings.Fields(text))
				if len(line) > limit && words > 1 && !(words == 2 && limit <= 20) {
					t.Errorf("%s at %d: %d characters: %q", name, width, len(line), line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d: blanks at the end of %q", name, width, line)
				}
			}
		}
	}
}

func TestTextIsASCIIWithoutColours(t *testing.T) {
	rec := change(recordOf(experiment(64, 2)), "fit@compiled", func(r *record.Run) { r.Error = "open /tmp/\u00fc\x1b[31m\tx: no such file\n" })
	rec.Environment.Kernel = "gr\u00fcn"
	for _, width := range []int{0, 40} {
		text := table(t, rec, width)
		for _, r := range text {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Fatalf("character %q in %q", r, text)
			}
		}
		if !strings.Contains(text, "/tmp/??[31m x: no such file") && width == 0 {
			t.Errorf("the error is not shown in %s", text)
		}
	}
}

func TestEveryFigureOfTheTableIsInTheBlocksToo(t *testing.T) {
	both := table(t, recordOf(experiment(64, 5)), 80)
	if n := strings.Count(both, "a batch comes from"); n != 2 || !strings.Contains(both, "41 MB") {
		t.Errorf("%d tables at a width of 80, want one for each execution:\n%s", n, both)
	}
	blocks := table(t, recordOf(experiment(64, 5)), 60)
	for _, figure := range []string{"0.162", "0.752", "4.64", "191 %", "142 %", "~12.3 s", "462 MB", "41 MB", "2.0 %"} {
		if !strings.Contains(blocks, figure) {
			t.Errorf("%s is not in\n%s", figure, blocks)
		}
	}
	if strings.Contains(blocks, "a batch comes from") {
		t.Errorf("a table of 100 characters at a width of 60:\n%s", blocks)
	}
}

func TestAGroupThatWasNotRunIsLeftOut(t *testing.T) {
	planned := experiment(64, 5)
	rec := recordOf(planned)
	rec.Runs = nil
	for round := 1; round <= 5; round++ {
		rec.Runs = append(rec.Runs, run(planned, planned.Cells[0], round))
	}
	if text := table(t, rec, 0); strings.Contains(text, "eager step") || !strings.Contains(text, "compiled step") {
		t.Errorf("got\n%s", text)
	}
}

func TestAPlaceWithoutFiguresSaysWhy(t *testing.T) {
	p := experiment(64, 3)
	rec := refused(recordOf(p))
	rec = drop(rec, func(r record.Run) bool { return r.Mode == "train-on-batch" })
	text := table(t, rec, 0)
	for _, want := range []string{
		"\nfit (array)                 failed ", "\ntrain-on-batch (inline)    not yet                           not yet\n",
		"not run: not in this plan; try --modes\nfit@eager,fit-windows@eager.", "not yet: planned, but not reached.",
		"FAILED fit@compiled, rounds 1, 2 (not tried again after two failures): fit needs", "interrupted: only 11 of 18 runs ended",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if one := table(t, recordOf(experiment(64, 1)), 0); strings.Contains(one, "spread over rounds") {
		t.Errorf("a row of spreads after one round:\n%s", one)
	}
}

func TestGivenUpRunsAreNoInterruption(t *testing.T) {
	if text := table(t, refused(recordOf(experiment(64, 5))), 0); !strings.Contains(text, ", 27 of 30 runs, ") {
		t.Errorf("got\n%s", text)
	}
}

func TestTimesFitIsMarkedWhereItsReferenceIsDoubtful(t *testing.T) {
	rec := change(recordOf(experiment(64, 3)), "fit@compiled", func(r *record.Run) { r.Disturbed = true })
	text := table(t, rec, 0)
	for _, want := range []string{" *0.162  *1.00 ", " 0.174  *1.07 ", " 0.752  *4.64 "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestEqualFootingIsOnlyClaimedWhereProved(t *testing.T) {
	const same, equal = "the same batches in the same order", "; equal final weights in each group of columns"
	for _, c := range []struct {
		name        string
		edit        func(r *record.Run)
		same, equal bool
	}{
		{"all digests", func(*record.Run) {}, true, true},
		{"no weights", func(r *record.Run) { r.WeightsDigest = "" }, false, false},
		{"another engine without weights", func(r *record.Run) { r.Engine, r.WeightsDigest = "keras", "" }, true, false},
		{"another engine without orders", func(r *record.Run) { r.Engine, r.OrderDigest = "keras", "" }, false, false},
		{"other order", func(r *record.Run) { r.OrderDigest += r.Mode }, false, false},
		{"other weights", func(r *record.Run) { r.WeightsDigest += r.Mode }, false, false},
	} {
		text := table(t, change(recordOf(experiment(64, 2)), "", c.edit), 0)
		if strings.Contains(text, same) != c.same || strings.Contains(text, equal) != c.equal {
			t.Errorf("%s: want %v, %v in\n%s", c.name, c.same, c.equal, text)
		}
	}
	if text := table(t, recordOf(only(experiment(64, 1), record.Cell{Mode: "fit", Execution: "compiled"})), 0); strings.Contains(text, same) {
		t.Errorf("one run proves nothing:\n%s", text)
	}
}

func TestUnequalRunsAreSaidLoudlyAndGiveNoConclusions(t *testing.T) {
	rec := cases()["unequal"]
	text := table(t, rec, 0)
	if !strings.Contains(text, "NOT ON AN EQUAL FOOTING") || !strings.Contains(text, "generator@eager round 2") {
		t.Errorf("got\n%s", text)
	}
	if got := titles(report.Answer(rec)); got != "Memory, Operations, Loss, Noise, Warning" {
		t.Errorf("lines: %s", got)
	}
}

func TestOtherEnginesGetTablesOfTheirOwnAndAreNotCalledOurs(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	for _, r := range rec.Runs[:2] {
		r.Engine, r.StepMilliseconds, r.WeightsDigest = "keras", record.Of(9.99), "k"
		rec.Runs = append(rec.Runs, r)
	}
	text := table(t, rec, 0)
	for _, want := range []string{
		"engine keras and fitbench's own engine\n",
		"engine fitbench, batch 64", "engine keras, batch 64", "9.99",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	only := change(recordOf(experiment(64, 1)), "", func(r *record.Run) { r.Engine = "keras" })
	if text := table(t, only, 0); strings.Contains(text, "own engine") {
		t.Errorf("got\n%s", text)
	}
}

func TestThreadsAreSaidWhereTheyAreNotTheCores(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Plan.Threads = 1
	if text := table(t, rec, 0); !strings.Contains(text, "| 2 of 4 cores, 1 thread, kernel avx2\n") {
		t.Errorf("got\n%s", text)
	}
	rec.Environment.OnlineCores, rec.Environment.UsableCores = 0, 1
	if text := table(t, rec, 0); !strings.Contains(text, "| 1 core, kernel avx2 |") {
		t.Errorf("got\n%s", text)
	}
}

func TestStepsOfOneTableHaveTheSameDecimals(t *testing.T) {
	rec := change(recordOf(experiment(8096, 1)), "fit@compiled", func(r *record.Run) { r.StepMilliseconds = record.Of(1257.04) })
	rec = change(rec, "generator@eager", func(r *record.Run) { r.StepMilliseconds = record.Of(4.7) })
	text := table(t, rec, 0)
	for _, want := range []string{" 1,257.040 ", " 4.700 ", " 0.171 "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestARecordWithOddValuesIsShownAllTheSame(t *testing.T) {
	for name, value := range map[string]float64{"NaN": math.NaN(), "infinite": math.Inf(1), "zero": 0, "negative": -1, "huge": 1e300} {
		rec := change(recordOf(experiment(64, 2)), "", func(r *record.Run) {
			r.StepMilliseconds, r.InputWaitMilliseconds, r.Loss, r.SteadyCPUPercent = &value, &value, &value, &value
		})
		for _, width := range []int{0, 20} {
			if text := table(t, rec, width); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s at %d:\n%s", name, width, text)
			}
		}
	}
	if text := table(t, record.Record{}, 0); !strings.Contains(text, "No run has ended") {
		t.Errorf("empty record:\n%s", text)
	}
	table(t, record.Record{Runs: []record.Run{{}, {Error: "x"}}}, 0)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left on device")

func TestTheWritersErrorIsReturned(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	for name, err := range map[string]error{
		"table": report.Table(fullDisk{}, rec, report.Options{}),
		"JSON":  report.JSON(fullDisk{}, rec),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func titles(lines []report.Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Title)
	}
	return strings.Join(all, ", ")
}

// text is the answer's line of that title, empty where it was left out.
func text(lines []report.Line, title string) string {
	for _, l := range lines {
		if l.Title == title {
			return l.Text
		}
	}
	return ""
}

func ExampleAnswer() {
	p := experiment(64, 3)
	for _, l := range report.Answer(recordOf(only(p, p.Cells[0], p.Cells[5]))) { // fit@compiled, fit-windows@compiled
		fmt.Println(l.Title, "|", l.Text)
	}
	// Output:
	// Lean at fit's speed | fit-windows@compiled: 0.98 x fit, with 1/15 of its memory (peak 31 against 462 MB).
	// One time | building fit's array took 0.243 s, 9.1 % of one epoch; it holds 437 MB.
	// Loss | mean over the 2,000 steps: compiled 0.031234; accuracy 99.39 %, where always answering class 1 is right for 99.39 % of all windows.
	// Noise | steal at most 0 % of a core, others' CPU at most 2 % of a core, spread 1.0 %, 0 of 6 runs disturbed: good enough.
}

// Every mode that this program trains is shown with its feed, before its first run has ended and after.
func TestAModeIsNamedWithWhatItsBatchesComeFrom(t *testing.T) {
	titles := map[string]string{"fit": "array", "generator": "queue", "train-on-batch": "inline", "fit-windows": "offsets", "pipeline": "prefetch", "fit-chunked": "pieces"}
	for _, m := range modes.All() {
		p := experiment(64, 1)
		cell := record.Cell{Mode: m.Name, Execution: "compiled"}
		p.Cells = []record.Cell{cell, {Mode: "train-on-batch", Execution: "eager"}}
		ran := change(recordOf(p), cell.String(), func(r *record.Run) { r.Feed = m.Feed })
		planned := drop(recordOf(p), func(r record.Run) bool { return r.Cell() == cell })
		for name, rec := range map[string]record.Record{"planned": planned, "ran": ran} {
			if want := m.Name + " (" + titles[m.Name] + ")"; !strings.Contains(table(t, rec, 0), want) {
				t.Errorf("%s: no %q in\n%s", name, want, table(t, rec, 0))
			}
		}
	}
}
