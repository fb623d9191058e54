package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"fitbench/internal/meter"
)

// report turns readings into text.
type report struct {
	readings readings
	rounds   int
	others   meter.Disturbance
	bench    *bench
}

func (r report) text() string {
	sections := []string{r.head(), "Whole step, one thread\n" + r.whole().String()}
	for _, size := range batchSizes() {
		if parts := r.parts(size); len(parts) > 1 {
			sections = append(sections, fmt.Sprintf("Parts of the step at batch %d, one thread, ns/sample\n", size)+parts.String())
		}
	}
	if r.bench.hasTwoCores() {
		sections = append(sections, "Two threads of one model against one; two models, and two yardsticks, at once, one a core, against one alone; ns/sample\n"+r.two().String())
	} else {
		sections = append(sections, "Two threads against one: not measured, there is one core.\n")
	}
	return strings.Join(sections, "\n")
}

// head says where and how the figures came about.
func (r report) head() string {
	where := "not pinned on " + runtime.GOOS
	if c := r.bench.cores; len(c) > 0 {
		where = fmt.Sprintf("one thread pinned to core %d, two to cores %v", c[0], []int(c))
	}
	against := "no yardstick"
	if r.yardstick() != nil {
		against = "the yardstick in C"
	}
	return fmt.Sprintf("Compiled step against %s | %s, %s/%s | %s\n", against, meter.ReadMachine().CPUModel, runtime.GOOS, runtime.GOARCH, where) +
		fmt.Sprintf("%d rounds, in each everything once for %d ms | medians ± half the range between the quartiles; ratios are taken within rounds\n",
			r.rounds, r.bench.burst.Milliseconds()) +
		r.noise()
}

// noise says what else the machine did.
func (r report) noise() string {
	tell := func(percent *float64) string {
		if percent == nil {
			return "not measured"
		}
		return strconv.FormatFloat(*percent, 'f', 0, 64) + " % of a core"
	}
	text := "others' CPU " + tell(r.others.OtherCPUPercent) + ", steal " + tell(r.others.StealPercent)
	if r.others.Disturbed() {
		text += ": too much, conclude nothing from these figures"
	}
	return text + "\n"
}

// whole compares all variants with the yardstick, and with the best of them.
func (r report) whole() table {
	best := r.bench.impls[0].Name
	t := table{{"kernel", "batch", "ns/sample", "", "x yardstick", "", "x " + best, ""}}
	for _, size := range batchSizes() {
		for _, who := range append(r.yardstick(), r.variants(false)...) {
			ns := r.of(size, who, inOneThread)
			row := append([]string{who, strconv.Itoa(size)}, nanoseconds(ns)...)
			for _, other := range []string{theYardstick, best} {
				if who == other {
					row = append(row, "1", "")
				} else {
					row = append(row, ratio(ratios(ns, r.of(size, other, inOneThread)))...)
				}
			}
			t = append(t, row)
		}
	}
	return t
}

// parts compares the variants that have lanes with the yardstick, part by part.
func (r report) parts(size int) table {
	variants := r.variants(true)
	if len(variants) == 0 {
		return nil
	}
	header := append([]string{"part"}, r.yardstick()...)
	for _, who := range variants {
		header = append(header, who, "x yardstick", "")
	}
	t := table{header}
	for _, part := range partNames() {
		t = append(t, r.part(size, part, variants))
	}
	return append(t, r.rest(size, variants), r.part(size, inOneThread, variants))
}

func (r report) part(size int, part string, variants []string) []string {
	row := []string{part}
	for _, who := range r.yardstick() {
		row = append(row, nanoseconds(r.of(size, who, part))[0])
	}
	for _, who := range variants {
		ns := r.of(size, who, part)
		row = append(row, nanoseconds(ns)[0])
		row = append(row, ratio(ratios(ns, r.of(size, theYardstick, part)))...)
	}
	return row
}

// rest is the row of what the parts leave over. It has no ratios: those of differences say nothing.
func (r report) rest(size int, variants []string) []string {
	row := []string{"all else"}
	for _, who := range append(r.yardstick(), variants...) {
		cell := "-"
		if ns, ok := r.readings.rest(size, who); ok {
			cell = strconv.FormatFloat(ns, 'f', 0, 64)
		}
		row = append(row, cell)
		if who != theYardstick {
			row = append(row, "", "")
		}
	}
	return row
}

// two compares what a second core brings.
func (r report) two() table {
	t := table{{"", "batch", "one core", "two", "gain", "", "share of the yardstick's", ""}}
	for _, size := range batchSizes() {
		for _, who := range r.yardstick() {
			t = append(t, r.onTwo(size, who, who, inTwo))
		}
		best := r.bench.impls[0].Name
		for _, way := range []struct{ name, how string }{{"two models", inTwoModels}, {"two threads", inTwo}} {
			t = append(t, append(r.onTwo(size, best+", "+way.name, best, way.how), ratio(r.readings.shares(size, best, way.how))...))
		}
	}
	return t
}

// onTwo is the row of what one gains on two cores in one of the two ways.
func (r report) onTwo(size int, name, who, how string) []string {
	row := []string{name, strconv.Itoa(size), nanoseconds(r.of(size, who, inOneThread))[0], nanoseconds(r.of(size, who, how))[0]}
	return append(row, ratio(r.readings.gains(size, who, how))...)
}

func (r report) of(size int, who, what string) []float64 { return r.readings[figure{size, who, what}] }

// yardstick is its name where there is one.
func (r report) yardstick() []string {
	if len(r.bench.yardsticks) == 0 {
		return nil
	}
	return []string{theYardstick}
}

// variants are the names of those measured: of all, or of those with lanes alone.
func (r report) variants(withLanes bool) []string {
	var names []string
	for _, impl := range r.bench.impls {
		if impl.Lanes != nil || !withLanes {
			names = append(names, impl.Name)
		}
	}
	return names
}

// nanoseconds are the cells of a median and its spread.
func nanoseconds(values []float64) []string { return cells(values, 0) }

// ratio are the cells of a ratio and its spread.
func ratio(values []float64) []string { return cells(values, 2) }

func cells(values []float64, decimals int) []string {
	s := summarise(values)
	if !s.measured {
		return []string{"-", ""}
	}
	format := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	return []string{format(s.median), "±" + format(s.spread)}
}
