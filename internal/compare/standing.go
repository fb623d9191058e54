package compare

import (
	"slices"

	"fitbench/internal/record"
)

// Kind is a group of figures that are compared, or not, for the same reasons.
type Kind int

const (
	// Counts are operations and copied bytes a step: the same everywhere for the same batch.
	Counts Kind = iota
	// TensorBytes are bytes of tensors a step. Kernels cut reductions into different numbers of partial sums, and each is a tensor.
	TensorBytes
	// Orders are digests of the order of samples, Weights of the final weights.
	Orders
	Weights
	// Memory is the peak of the process. Every thread has working memory of its own.
	Memory
	// Times are the time of a step and the CPU load.
	Times
)

// needs is what must agree for figures of a kind to be compared.
type needs struct {
	kind Kind
	name string
	// environment and plan are names of properties.
	environment, plan []string
}

// table says what each kind needs. Cells are compared at the same batch size only, so it is not named.
func table() []needs {
	order := []string{samples, seed, steps, epochs, samplesPerRun}
	loaded := []string{samples, window, workers, queueSize, chunkSize, jitCompile}
	return []needs{
		{Counts, "operations and bytes copied a step", nil, []string{window}},
		{TensorBytes, "bytes of tensors a step", []string{kernelName}, []string{window}},
		{Orders, "order of samples", nil, order},
		{Weights, "final weights", []string{kernelName, architecture, goVersion}, append([]string{window, anomalies, noise, shift}, order...)},
		{Memory, "peak memory", []string{osName, architecture, kernelName, threads}, loaded},
		{Times, "step time and CPU load", []string{cpuModel, usableCores, onlineCores, kernelName, threads}, loaded},
	}
}

// Kinds are all kinds, in the order in which they are shown.
func Kinds() []Kind {
	var all []Kind
	for _, n := range table() {
		all = append(all, n.kind)
	}
	return all
}

// String is the kind as a reader knows it.
func (k Kind) String() string { return k.needs().name }

func (k Kind) needs() needs {
	all := table()
	return all[slices.IndexFunc(all, func(n needs) bool { return n.kind == k })]
}

// Obstacles are what keeps figures of a kind from being compared between two records: the properties that differ, and those of the
// machine that neither record knows, since nothing tells that they agree. There is none where they can be compared.
func Obstacles(k Kind, base, head record.Record) []Difference {
	n := k.needs()
	all := Among(n.environment, Environments(base, head))
	for _, p := range environmentProperties() {
		if slices.Contains(n.environment, p.name) && p.must && p.of(base) == "" && p.of(head) == "" {
			all = append(all, Difference{p.name, p.none, p.none})
		}
	}
	return append(all, Among(n.plan, Plans(base, head))...)
}

// Among keeps the differences of those names.
func Among(names []string, all []Difference) []Difference {
	return slices.DeleteFunc(slices.Clone(all), func(d Difference) bool { return !slices.Contains(names, d.Field) })
}
