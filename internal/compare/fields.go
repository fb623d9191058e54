package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fitbench/internal/footing"
	"fitbench/internal/record"
)

// Difference is a property in which two records differ.
type Difference struct {
	// Field names the property, as in "CPU model".
	Field string
	// Base and Head are its values as text, "unknown", "unset" or "none" where there is none.
	Base, Head string
}

// Names of the properties that a figure may need to agree; the others are named in one place only.
const (
	cpuModel     = "CPU model"
	usableCores  = "usable cores"
	onlineCores  = "cores online"
	threads      = "threads"
	kernelName   = "kernel"
	goVersion    = "Go"
	osName       = "OS"
	architecture = "architecture"

	samples       = "samples"
	window        = "window"
	anomalies     = "anomalies"
	noise         = "noise"
	shift         = "shift"
	seed          = "seed"
	steps         = "steps"
	epochs        = "epochs"
	samplesPerRun = "samples per run"
	workers       = "workers"
	queueSize     = "queue size"
	chunkSize     = "chunk size"
	jitCompile    = "jit_compile"
)

// What stands for a value that is not there.
const (
	unknown = "unknown"
	unset   = "unset"
)

// property is one that records may differ in.
type property struct {
	name string
	// of is the value as text, empty where the record has none.
	of func(record.Record) string
	// none stands for an empty value.
	none string
	// must tells that two records agree in it only where both know it.
	must bool
}

func (p property) text(r record.Record) string {
	if s := p.of(r); s != "" {
		return s
	}
	return p.none
}

// environmentProperties is the table of what is known of the machine, the build and the way in which runs use them.
func environmentProperties() []property {
	of := func(name, none string, of func(record.Environment) string) property {
		return property{name: name, none: none, of: func(r record.Record) string { return of(r.Environment) }}
	}
	must := func(p property) property { p.must = true; return p }
	return []property{
		must(of(cpuModel, unknown, func(e record.Environment) string { return e.CPUModel })),
		must(of(usableCores, unknown, func(e record.Environment) string { return positive(e.UsableCores) })),
		of(onlineCores, unknown, func(e record.Environment) string { return positive(e.OnlineCores) }),
		must(property{name: threads, none: unknown, of: func(r record.Record) string { return positive(r.Plan.Threads) }}),
		must(of(kernelName, unknown, func(e record.Environment) string { return e.Kernel })),
		must(of(goVersion, unknown, func(e record.Environment) string { return e.Go })),
		must(of(osName, unknown, func(e record.Environment) string { return e.OS })),
		of("OS version", unknown, func(e record.Environment) string { return e.OSVersion }),
		must(of(architecture, unknown, func(e record.Environment) string { return e.Arch })),
		of("revision", unknown, func(e record.Environment) string { return e.Revision }),
		{name: "engine versions", none: unknown, of: engineVersions},
		of("GOGC", unset, func(e record.Environment) string { return e.GOGC }),
		of("GODEBUG", unset, func(e record.Environment) string { return e.GODEBUG }),
		{name: "work added on purpose", none: "none", of: injected},
	}
}

// planProperties is the table of what is asked of the runs. What may differ between runs of the same work is left out: rounds, and the
// threads and the kernel, which are properties of the environment here.
func planProperties() []property {
	of := func(name string, of func(record.Plan) string) property {
		return property{name: name, none: unset, of: func(r record.Record) string { return of(r.Plan) }}
	}
	return []property{
		of(samples, func(p record.Plan) string { return strconv.Itoa(p.Samples) }),
		of(window, func(p record.Plan) string { return strconv.Itoa(p.Window) }),
		of(anomalies, func(p record.Plan) string { return strconv.Itoa(p.Anomalies) }),
		of(noise, func(p record.Plan) string { return real(p.Noise) }),
		of(shift, func(p record.Plan) string { return real(p.Shift) }),
		of(seed, func(p record.Plan) string { return strconv.FormatUint(uint64(p.Seed), 10) }),
		of("batch size", func(p record.Plan) string { return joined(p.Sizes()) }),
		of(steps, func(p record.Plan) string { return positive(p.Steps) }),
		of(epochs, func(p record.Plan) string { return positive(p.Epochs) }),
		of(samplesPerRun, func(p record.Plan) string { return positive(p.SamplesPerRun) }),
		of(workers, func(p record.Plan) string { return positive(p.Workers) }),
		of(queueSize, func(p record.Plan) string { return positive(p.QueueSize) }),
		of(jitCompile, func(p record.Plan) string {
			if p.JITCompile == nil {
				return ""
			}
			return strconv.FormatBool(*p.JITCompile)
		}),
		of(chunkSize, func(p record.Plan) string { return positive(p.ChunkSize) }),
		of("modes", func(p record.Plan) string { return inOrder(p.Cells) }),
		of("engines", func(p record.Plan) string { return strings.Join(p.Engines, ", ") }),
	}
}

// Environments lists in what the machines and builds of two records differ.
func Environments(base, head record.Record) []Difference {
	return differences(environmentProperties(), base, head)
}

// Plans lists in what the work of two records differs: their data, their training, and the cells that were compared. Rounds are no
// difference.
func Plans(base, head record.Record) []Difference {
	return differences(planProperties(), base, head)
}

func differences(properties []property, base, head record.Record) []Difference {
	var all []Difference
	for _, p := range properties {
		if b, h := p.text(base), p.text(head); b != h {
			all = append(all, Difference{p.name, b, h})
		}
	}
	return all
}

// engineVersions are the versions that other engines told of themselves; this program's own is the revision.
func engineVersions(r record.Record) string {
	var all []string
	for _, run := range r.Runs {
		if s := run.Engine + " " + run.EngineVersion; run.EngineVersion != "" && run.Engine != footing.OwnEngine && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// injected is the work that was added to runs on purpose.
func injected(r record.Record) string {
	var all []string
	for _, run := range r.Runs {
		if run.Injected != "" && !slices.Contains(all, run.Injected) {
			all = append(all, run.Injected)
		}
	}
	return strings.Join(all, ", ")
}

// positive is a number that is 0 where it is not known or not set.
func positive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func real(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// inOrder names cells alphabetically: the order in which they take their turns is no difference.
func inOrder(cells []record.Cell) string {
	return joined(slices.SortedFunc(slices.Values(cells), func(a, b record.Cell) int { return cmp.Compare(a.String(), b.String()) }))
}

func joined[T any](list []T) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}
