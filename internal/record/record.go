// Package record is the result of a benchmark as plain data: what was asked (Plan), where it ran (Environment), and what each
// training run measured (Run). Its JSON form is the one kept in files and read by other programs; every table and every sentence
// that fitbench prints is computed from it alone.
//
// A value that was not measured is a nil pointer and absent from the JSON, never 0. Field names carry their units.
// The package computes nothing and imports nothing of the project.
package record

import "strconv"

// SchemaVersion is the version of the JSON form. It is raised when a field changes its meaning or goes away; fields may be added
// without raising it, so readers ignore the fields that they do not know.
const SchemaVersion = 1

// Record is one invocation of the benchmark.
type Record struct {
	SchemaVersion int         `json:"schema_version"`
	Plan          Plan        `json:"plan"`
	Environment   Environment `json:"environment"`
	// Runs holds the runs in the order in which they ended.
	Runs []Run `json:"runs"`
}

// Plan is what was asked for: the data, the training, and the cells of the comparison.
type Plan struct {
	Samples   int     `json:"samples"`
	Window    int     `json:"window"`
	Anomalies int     `json:"anomalies"`
	Noise     float64 `json:"noise"`
	Shift     float64 `json:"shift"`
	Seed      uint32  `json:"seed"`
	// BatchSize is that of every run; 0 where there are several sizes.
	BatchSize int `json:"batch_size"`
	// BatchSizes are a sweep's, ascending.
	BatchSizes []int `json:"batch_sizes,omitempty"`
	// Steps is the number of training steps of each run; 0 where Epochs is given.
	Steps int `json:"steps,omitempty"`
	// SamplesPerRun bounds the steps of a sweep's runs, so that those of large batches do not take the time of all others: see At.
	SamplesPerRun int `json:"samples_per_run,omitempty"`
	// Epochs is the number of whole epochs of each run; 0 where Steps is given.
	Epochs int `json:"epochs,omitempty"`
	// JITCompile tells Keras whether XLA is to compile the step, as the argument of compile of that name; nil for its default.
	JITCompile *bool `json:"jit_compile,omitempty"`
	// Rounds is how often each cell is run.
	Rounds int `json:"rounds"`
	// Threads is the number of threads of one training step.
	Threads int `json:"threads"`
	// Kernel names the kernel of every run, "auto" (also where it is absent) for the best that the CPU has.
	Kernel string `json:"kernel,omitempty"`
	// Workers is the number of goroutines that build batches for a queue (generator, pipeline), QueueSize the batches it holds.
	Workers   int `json:"workers"`
	QueueSize int `json:"queue_size"`
	// ChunkSize is the samples in a piece of fit-chunked; 0 and absent for 131,072.
	ChunkSize int    `json:"chunk_size,omitempty"`
	Cells     []Cell `json:"cells"`
	// Inject is work to add on purpose, which tests a check: a cell or "kernel" for all, and a share of its step, as in "kernel=10%".
	Inject string `json:"inject,omitempty"`
	// Engines names the engines that are compared, as on the command line; absent where it is the native one alone.
	Engines []string `json:"engines,omitempty"`
}

// Sizes are the batch sizes of the plan, at least one.
func (p Plan) Sizes() []int {
	if len(p.BatchSizes) > 0 {
		return p.BatchSizes
	}
	return []int{p.BatchSize}
}

// MinSweepSteps is the number of steps that a sweep's run takes at least, unless the plan has fewer: enough for a steady state.
const MinSweepSteps = 20

// At is the plan of a single run at one of the sizes: that size, and the steps for it, which are Steps, or so many fewer that
// SamplesPerRun samples are trained, but not below MinSweepSteps.
func (p Plan) At(batchSize int) Plan {
	if p.SamplesPerRun > 0 && p.Epochs == 0 {
		p.Steps = min(p.Steps, max(p.SamplesPerRun/batchSize, MinSweepSteps))
	}
	p.BatchSize, p.BatchSizes, p.SamplesPerRun, p.Engines = batchSize, nil, 0, nil
	return p
}

// StepsPerEpoch is floor(samples / batch size), as the experiment and Keras's Sequence count them.
func (p Plan) StepsPerEpoch() int { return p.Samples / p.BatchSize }

// TotalSteps is the number of training steps of one run.
func (p Plan) TotalSteps() int {
	if p.Epochs > 0 {
		return p.Epochs * p.StepsPerEpoch()
	}
	return p.Steps
}

// SteadyFrom is the number of first steps of a run of that many steps that do not count for the steady state: 100, or half of
// them where there are fewer than 200.
func SteadyFrom(steps int) int { return min(100, steps/2) }

// Cell is one combination that the plan compares.
type Cell struct {
	// Mode names the way of training as a user knows it: fit, generator, train-on-batch, fit-windows, pipeline, fit-chunked.
	Mode string `json:"mode"`
	// Execution is how a step is run: compiled or eager.
	Execution string `json:"execution"`
	// StepsPerExecution is how many steps the engine runs in one call, 2 or more; 0 and absent for one.
	StepsPerExecution int `json:"steps_per_execution,omitempty"`
}

// String names the cell as in "generator@eager" on the command line or, of several steps an execution, "fit/16@compiled".
func (c Cell) String() string { return c.Way() + "@" + c.Execution }

// Way is the cell without how a step is run: the mode and, of several steps an execution, how many, as in "fit/16".
func (c Cell) Way() string {
	if c.StepsPerExecution > 1 {
		return c.Mode + "/" + strconv.Itoa(c.StepsPerExecution)
	}
	return c.Mode
}

// In is the cell under another execution.
func (c Cell) In(execution string) Cell {
	c.Execution = execution
	return c
}

// Single is the cell with one step an execution.
func (c Cell) Single() Cell { return Cell{Mode: c.Mode, Execution: c.Execution} }

// Environment is the machine and the build.
type Environment struct {
	CPUModel string `json:"cpu_model,omitempty"`
	// UsableCores is the smaller of the CPU affinity's and the control group's limit.
	UsableCores int `json:"usable_cores"`
	// OnlineCores is the number of logical CPUs that the operating system shows; 0 and absent where unknown.
	OnlineCores int    `json:"online_cores,omitempty"`
	Kernel      string `json:"kernel"`
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	// OSVersion is the operating system's own release string.
	OSVersion string `json:"os_version,omitempty"`
	Go        string `json:"go"`
	// Revision is the version control revision of the build, with "+dirty" where the tree had changes.
	Revision string `json:"revision,omitempty"`
	// GOGC and GODEBUG are these variables as they were found; absent where unset.
	GOGC    string `json:"gogc,omitempty"`
	GODEBUG string `json:"godebug,omitempty"`
}

// Roles of runs in a check of two engines: base, base once more, which shows what the machine alone makes differ, and head.
const (
	RoleBase = "base"
	RoleTwin = "twin"
	RoleHead = "head"
)

// Run is one training run in a process of its own.
type Run struct {
	Mode      string `json:"mode"`
	Feed      string `json:"feed"`
	Execution string `json:"execution"`
	// StepsPerExecution is the cell's.
	StepsPerExecution int `json:"steps_per_execution,omitempty"`
	// OpByOp is true where the engine ran the step operation by operation although its execution is compiled, as some versions of
	// frameworks do in some of their ways of training.
	OpByOp bool `json:"op_by_op,omitempty"`
	// Engine is fitbench for this program's own, else the name on the command line; EngineVersion what it says of itself.
	Engine        string `json:"engine"`
	EngineVersion string `json:"engine_version,omitempty"`
	// Role is what the run stands for where a check compares two engines side by side, one of the constants; else empty.
	Role    string `json:"role,omitempty"`
	Kernel  string `json:"kernel,omitempty"`
	Threads int    `json:"threads"`
	// Round counts from 1.
	Round          int   `json:"round"`
	BatchSize      int   `json:"batch_size"`
	Steps          int   `json:"steps"`
	SamplesTrained int64 `json:"samples_trained"`

	// WallSeconds, UserSeconds and SystemSeconds cover one interval: from after the generating of the series to the end of the
	// last step. CPUPercent is (user + system) / wall over it; 100 % is one core.
	WallSeconds   *float64 `json:"wall_seconds,omitempty"`
	UserSeconds   *float64 `json:"user_seconds,omitempty"`
	SystemSeconds *float64 `json:"system_seconds,omitempty"`
	CPUPercent    *float64 `json:"cpu_percent,omitempty"`
	Phases        Phases   `json:"phases"`
	Epochs        []Epoch  `json:"epochs,omitempty"`

	// SteadySteps is the number of steps in the steady state, which the figures named steady and the medians are taken over.
	SteadySteps int `json:"steady_steps,omitempty"`
	// StepMilliseconds is the steady median of the whole step as the user waits for it: wait for the batch + step.
	StepMilliseconds *float64 `json:"step_milliseconds,omitempty"`
	// InputWaitMilliseconds is the steady median of the wait for the batch alone.
	InputWaitMilliseconds *float64 `json:"input_wait_milliseconds,omitempty"`
	// InputWaitSeconds and StepSeconds are the two parts summed over the whole run.
	InputWaitSeconds *float64 `json:"input_wait_seconds,omitempty"`
	StepSeconds      *float64 `json:"step_seconds,omitempty"`
	// SteadyCPUPercent is (user + system) / wall over the steady steps, the shuffles between epochs left out.
	SteadyCPUPercent *float64 `json:"steady_cpu_percent,omitempty"`
	// FirstStepSeconds is the time of the first step or, with several steps an execution, of the first execution.
	FirstStepSeconds *float64 `json:"first_step_seconds,omitempty"`
	// ImportSeconds is the time in which an engine loaded what it trains with, before the interval.
	ImportSeconds *float64 `json:"import_seconds,omitempty"`

	PeakRSSBytes *int64 `json:"peak_rss_bytes,omitempty"`
	// FeedBytes is what the mode had to build before its first step and keeps: the array of fit. 0 is a measured "nothing".
	FeedBytes *int64 `json:"feed_bytes,omitempty"`
	// TensorBytesPerStep, CopiedBytesPerStep and OpsPerStep are counted, not timed. A compiled step is one operation.
	TensorBytesPerStep *int64     `json:"tensor_bytes_per_step,omitempty"`
	CopiedBytesPerStep *int64     `json:"copied_bytes_per_step,omitempty"`
	OpsPerStep         *int64     `json:"ops_per_step,omitempty"`
	StepSplit          *StepSplit `json:"step_split_milliseconds,omitempty"`

	GoAllocatedBytes *int64 `json:"go_allocated_bytes,omitempty"`
	GoCollections    *int64 `json:"go_collections,omitempty"`

	// OtherCPUPercent is what processes other than this run and its parent used during the run, StealPercent what the hypervisor
	// took, both in percent of one core; in a check, of runs too short to tell, what they did in its
	// turn with the runs beside it. CPUPressurePercent is the share of wall time in which some task waited for a CPU.
	OtherCPUPercent    *float64 `json:"other_cpu_percent,omitempty"`
	StealPercent       *float64 `json:"steal_percent,omitempty"`
	CPUPressurePercent *float64 `json:"cpu_pressure_percent,omitempty"`
	// Disturbed is true where steal or other load was over 10 % of a core.
	Disturbed bool `json:"disturbed"`

	// ReferenceSeconds is what a loop that never changes took around the run: the unit of times that are kept.
	ReferenceSeconds *float64 `json:"reference_seconds,omitempty"`
	// Injected is work that was added on purpose to test a check, as in "fit@compiled=10%".
	Injected string `json:"injected,omitempty"`

	// OrderDigest is SHA-256 over the trained sample numbers as little-endian int64, WeightsDigest over the final weights as
	// little-endian float32; both in hexadecimal.
	OrderDigest   string `json:"order_digest,omitempty"`
	WeightsDigest string `json:"weights_digest,omitempty"`
	// Loss and Accuracy are the last epoch's running means.
	Loss     *float64 `json:"loss,omitempty"`
	Accuracy *float64 `json:"accuracy,omitempty"`
	// StepLosses are the mean losses of the batches, each before its update; of runs that prove equal work, and absent from others.
	StepLosses []float64 `json:"step_losses,omitempty"`
	// SeriesDifference is by how much a value of the engine's own series differs from fitbench's at most, in a run that proves equal work.
	SeriesDifference *float64 `json:"series_difference,omitempty"`
	// ClassOneShare is the share of the data's samples that are of class 1, 0 to 1: what accuracy must be held against.
	ClassOneShare *float64 `json:"class_one_share,omitempty"`
	// Error says why the run failed; empty where it did not. What was measured before stays.
	Error string `json:"error,omitempty"`
}

// Cell is the combination that the run belongs to.
func (r Run) Cell() Cell {
	return Cell{Mode: r.Mode, Execution: r.Execution, StepsPerExecution: r.StepsPerExecution}
}

// By tells whose run it is: its engine, with its role where it has one. Runs of which that differs are not of the same kind.
func (r Run) By() string {
	if r.Role == "" {
		return r.Engine
	}
	return r.Engine + " (" + r.Role + ")"
}

// Phases are wall times in seconds. All but Generate lie in the interval of WallSeconds.
type Phases struct {
	// Generate is making the series.
	Generate *float64 `json:"generate,omitempty"`
	// Build is what the mode must do before its first step: the array of fit.
	Build *float64 `json:"build,omitempty"`
	// Model is making the model.
	Model *float64 `json:"model,omitempty"`
	// Shuffle is the drawing of the epochs' orders.
	Shuffle *float64 `json:"shuffle,omitempty"`
	// Train is the steps alone.
	Train *float64 `json:"train,omitempty"`
}

// Epoch is one epoch of a run; the last may have been cut short by the number of steps.
type Epoch struct {
	Steps int `json:"steps"`
	// WallSeconds is the time of its steps, its shuffle left out.
	WallSeconds float64 `json:"wall_seconds"`
	// Loss and Accuracy are running means over the epoch's batches, as Keras shows them.
	Loss     float64 `json:"loss"`
	Accuracy float64 `json:"accuracy"`
}

// StepSplit is where the time of an eager step goes, in milliseconds a step: medians of the steps that were timed inside.
type StepSplit struct {
	// Dispatch is looking operations up, checking shapes and dtypes, and the tape.
	Dispatch float64 `json:"dispatch"`
	// Allocation is getting tensors from the allocator and giving them back.
	Allocation float64 `json:"allocation"`
	// Casts is every operation that only converts or moves values: casts, gathering windows, one-hot labels.
	Casts float64 `json:"casts"`
	// Arithmetic is the other operations' own work.
	Arithmetic float64 `json:"arithmetic"`
}

// Of returns a pointer to v: a measured value, zero included.
func Of[T any](v T) *T { return &v }
