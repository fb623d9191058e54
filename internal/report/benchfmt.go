package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// Benchfmt writes the records in Go's benchmark format (https://go.dev/design/14313-benchmark-format), for benchstat and its like:
// one line a run, named BenchmarkStep/mode=fit/exec=compiled/batch=64-2 with the threads of a step at the end, its steps as
// iterations and the median steady step as ns/op, then further figures. What two results must share to be compared is in
// configuration lines; the revision and the version of Go are not among them, since benchstat would put results that differ in
// one into tables of their own. Where there are several records, the key source tells them apart (benchstat -col source).
// A run that failed, or measured none of the figures, is a comment. A figure that is not finite is an error; nothing is written then.
func Benchfmt(w io.Writer, recs []record.Record, o Options) error {
	b := benchWriter{config: map[string]string{}}
	for _, u := range benchUnits() {
		if u.metadata != "" {
			fmt.Fprintf(&b.out, "Unit %s %s\n", u.unit, u.metadata)
		}
	}
	for i, rec := range recs {
		if len(recs) > 1 {
			b.set("source", o.source(i))
		}
		for _, r := range rec.Runs {
			if err := b.run(rec, r); err != nil {
				return fmt.Errorf("record in Go's benchmark format: %s, round %d: %w", r.Cell(), r.Round, err)
			}
		}
	}
	_, err := w.Write(b.out.Bytes())
	return err
}

// benchWriter writes runs one after the other and the configuration where it changes.
type benchWriter struct {
	out    bytes.Buffer
	config map[string]string // as a reader knows it at this point
}

// set makes a configuration key have a value for what follows; an empty one takes the key away.
func (b *benchWriter) set(key, value string) {
	value = strings.Join(strings.Fields(value), " ")
	if b.config[key] == value {
		return
	}
	b.config[key] = value
	b.out.WriteString(strings.TrimRight(key+": "+value, " ") + "\n")
}

// run writes one run with the configuration that it was under.
func (b *benchWriter) run(rec record.Record, r record.Run) error {
	figures, err := benchFigures(r)
	switch {
	case err != nil:
		return err
	case r.Error != "":
		fmt.Fprintf(&b.out, "# %s, batch %d, round %d: failed\n", typeset.ASCII(r.Cell().String()), r.BatchSize, r.Round)
		return nil
	case figures == "":
		fmt.Fprintf(&b.out, "# %s, batch %d, round %d: nothing was measured\n", typeset.ASCII(r.Cell().String()), r.BatchSize, r.Round)
		return nil
	}
	b.set("cpu", rec.Environment.CPUModel)
	b.set("goos", rec.Environment.OS)
	b.set("goarch", rec.Environment.Arch)
	b.set("samples", strconv.Itoa(rec.Plan.Samples))
	b.set("window", strconv.Itoa(rec.Plan.Window))
	b.set("engine", r.Engine)
	b.set("role", r.Role)
	b.set("kernel", r.Kernel)
	b.set("threads", unlessZero(r.Threads))
	b.set("injected", r.Injected)
	fmt.Fprintf(&b.out, "%s %d%s\n", benchName(r), r.Steps, figures)
	return nil
}

// benchName is the run's name, the same in every round.
func benchName(r record.Run) string {
	name := fmt.Sprintf("BenchmarkStep/mode=%s/exec=%s/batch=%d", benchWord(r.Mode), benchWord(r.Execution), r.BatchSize)
	if r.StepsPerExecution > 1 {
		name += fmt.Sprintf("/atonce=%d", r.StepsPerExecution)
	}
	if r.Threads > 0 {
		name += fmt.Sprintf("-%d", r.Threads)
	}
	return name
}

// benchWord is s without what would end a name or a part of it.
func benchWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, s)
}

// benchFigures are a run's figures with their units, each behind a space; empty where there is none.
func benchFigures(r record.Run) (string, error) {
	var b strings.Builder
	for _, u := range benchUnits() {
		v := u.of(r)
		if v == nil {
			continue
		}
		text, err := plainNumber(*v)
		if err != nil {
			return "", fmt.Errorf("%s is %w", u.unit, err)
		}
		b.WriteString(" " + text + " " + u.unit)
	}
	return b.String(), nil
}

// benchUnit is one figure of a line.
type benchUnit struct {
	unit string
	// metadata says how the figure is to be compared: which direction is better, and whether it is counted and so exact.
	metadata string
	of       func(r record.Run) *float64
}

// benchUnits are the figures in their order.
func benchUnits() []benchUnit {
	const lower, exact = "better=lower", "better=lower assume=exact"
	return []benchUnit{
		{"ns/op", lower, func(r record.Run) *float64 { return nanoseconds(r.StepMilliseconds) }},
		{"wait-ns/op", lower, func(r record.Run) *float64 { return nanoseconds(r.InputWaitMilliseconds) }},
		{"cpu-%", "", func(r record.Run) *float64 { return r.SteadyCPUPercent }},
		{"cpu-sec", lower, cpuSeconds},
		{"build-sec", lower, func(r record.Run) *float64 { return r.Phases.Build }},
		{"peak-B", lower, func(r record.Run) *float64 { return realOf(r.PeakRSSBytes) }},
		{"feed-B", exact, func(r record.Run) *float64 { return realOf(r.FeedBytes) }},
		{"ops/op", exact, func(r record.Run) *float64 { return realOf(r.OpsPerStep) }},
		{"tensor-B/op", exact, func(r record.Run) *float64 { return realOf(r.TensorBytesPerStep) }},
		{"copied-B/op", exact, func(r record.Run) *float64 { return realOf(r.CopiedBytesPerStep) }},
		{"other-cpu-%", "", func(r record.Run) *float64 { return r.OtherCPUPercent }},
		{"steal-%", "", func(r record.Run) *float64 { return r.StealPercent }},
	}
}

// nanoseconds is a time in ms in ns, to a thousandth: the last bits of the product are not measured.
func nanoseconds(ms *float64) *float64 {
	if ms == nil {
		return nil
	}
	return record.Of(math.Round(*ms*1e9) / 1e3)
}

// cpuSeconds is the CPU time of the whole run, as its wall time counts it.
func cpuSeconds(r record.Run) *float64 {
	if r.UserSeconds == nil || r.SystemSeconds == nil {
		return nil
	}
	return record.Of(*r.UserSeconds + *r.SystemSeconds)
}

// realOf is a counted figure as a real one.
func realOf(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return record.Of(float64(*n))
}
