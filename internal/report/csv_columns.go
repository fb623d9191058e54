package report

import (
	"strconv"

	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// csvColumn is one column of the CSV form. Its name carries the unit; exactly one of text and figure is there.
type csvColumn struct {
	name   string
	text   func(r csvRow) string
	figure func(r csvRow) *float64
}

// csvColumns are the columns in their order. Programs read them by name or by place: new ones come last.
func csvColumns() []csvColumn {
	var all []csvColumn
	for _, part := range [][]csvColumn{recordColumns(), setupColumns(), timeColumns(), resourceColumns(), outcomeColumns()} {
		all = append(all, part...)
	}
	return all
}

// recordColumns are the same for all runs of a record.
func recordColumns() []csvColumn {
	return []csvColumn{
		{name: "source", text: func(r csvRow) string { return r.source }},
		{name: "cpu_model", text: func(r csvRow) string { return r.env.CPUModel }},
		{name: "usable_cores", text: func(r csvRow) string { return unlessZero(r.env.UsableCores) }},
		{name: "os", text: func(r csvRow) string { return r.env.OS }},
		{name: "arch", text: func(r csvRow) string { return r.env.Arch }},
		{name: "go", text: func(r csvRow) string { return r.env.Go }},
		{name: "revision", text: func(r csvRow) string { return r.env.Revision }},
		{name: "samples", text: func(r csvRow) string { return strconv.Itoa(r.plan.Samples) }},
		{name: "window", text: func(r csvRow) string { return strconv.Itoa(r.plan.Window) }},
		{name: "anomalies", text: func(r csvRow) string { return strconv.Itoa(r.plan.Anomalies) }},
		{name: "noise", figure: func(r csvRow) *float64 { return &r.plan.Noise }},
		{name: "shift", figure: func(r csvRow) *float64 { return &r.plan.Shift }},
		{name: "seed", text: func(r csvRow) string { return strconv.FormatUint(uint64(r.plan.Seed), 10) }},
		{name: "workers", text: func(r csvRow) string { return strconv.Itoa(r.plan.Workers) }},
		{name: "queue_size", text: func(r csvRow) string { return strconv.Itoa(r.plan.QueueSize) }},
	}
}

// setupColumns are what the run was.
func setupColumns() []csvColumn {
	return []csvColumn{
		{name: "mode", text: func(r csvRow) string { return r.run.Mode }},
		{name: "feed", text: func(r csvRow) string { return r.run.Feed }},
		{name: "execution", text: func(r csvRow) string { return r.run.Execution }},
		{name: "engine", text: func(r csvRow) string { return r.run.Engine }},
		{name: "engine_version", text: func(r csvRow) string { return r.run.EngineVersion }},
		{name: "kernel", text: func(r csvRow) string { return r.run.Kernel }},
		{name: "threads", text: func(r csvRow) string { return unlessZero(r.run.Threads) }},
		{name: "round", text: func(r csvRow) string { return strconv.Itoa(r.run.Round) }},
		{name: "batch_size", text: func(r csvRow) string { return strconv.Itoa(r.run.BatchSize) }},
		{name: "steps", text: func(r csvRow) string { return strconv.Itoa(r.run.Steps) }},
		{name: "samples_trained", text: func(r csvRow) string { return strconv.FormatInt(r.run.SamplesTrained, 10) }},
		{name: "injected", text: func(r csvRow) string { return r.run.Injected }},
	}
}

// timeColumns are times and the CPU load.
func timeColumns() []csvColumn {
	return []csvColumn{
		{name: "wall_seconds", figure: func(r csvRow) *float64 { return r.run.WallSeconds }},
		{name: "user_seconds", figure: func(r csvRow) *float64 { return r.run.UserSeconds }},
		{name: "system_seconds", figure: func(r csvRow) *float64 { return r.run.SystemSeconds }},
		{name: "cpu_percent", figure: func(r csvRow) *float64 { return r.run.CPUPercent }},
		{name: "generate_seconds", figure: func(r csvRow) *float64 { return r.run.Phases.Generate }},
		{name: "build_seconds", figure: func(r csvRow) *float64 { return r.run.Phases.Build }},
		{name: "model_seconds", figure: func(r csvRow) *float64 { return r.run.Phases.Model }},
		{name: "shuffle_seconds", figure: func(r csvRow) *float64 { return r.run.Phases.Shuffle }},
		{name: "train_seconds", figure: func(r csvRow) *float64 { return r.run.Phases.Train }},
		{name: "steady_steps", text: func(r csvRow) string { return unlessZero(r.run.SteadySteps) }},
		{name: "step_milliseconds", figure: func(r csvRow) *float64 { return r.run.StepMilliseconds }},
		{name: "input_wait_milliseconds", figure: func(r csvRow) *float64 { return r.run.InputWaitMilliseconds }},
		{name: "input_wait_seconds", figure: func(r csvRow) *float64 { return r.run.InputWaitSeconds }},
		{name: "step_seconds", figure: func(r csvRow) *float64 { return r.run.StepSeconds }},
		{name: "steady_cpu_percent", figure: func(r csvRow) *float64 { return r.run.SteadyCPUPercent }},
		{name: "first_step_seconds", figure: func(r csvRow) *float64 { return r.run.FirstStepSeconds }},
		{name: "dispatch_milliseconds", figure: splitColumn(func(s *record.StepSplit) *float64 { return &s.Dispatch })},
		{name: "allocation_milliseconds", figure: splitColumn(func(s *record.StepSplit) *float64 { return &s.Allocation })},
		{name: "casts_milliseconds", figure: splitColumn(func(s *record.StepSplit) *float64 { return &s.Casts })},
		{name: "arithmetic_milliseconds", figure: splitColumn(func(s *record.StepSplit) *float64 { return &s.Arithmetic })},
		{name: "reference_seconds", figure: func(r csvRow) *float64 { return r.run.ReferenceSeconds }},
	}
}

// resourceColumns are memory, counts, and what disturbed the run.
func resourceColumns() []csvColumn {
	return []csvColumn{
		{name: "peak_rss_bytes", text: func(r csvRow) string { return unlessAbsent(r.run.PeakRSSBytes) }},
		{name: "feed_bytes", text: func(r csvRow) string { return unlessAbsent(r.run.FeedBytes) }},
		{name: "tensor_bytes_per_step", text: func(r csvRow) string { return unlessAbsent(r.run.TensorBytesPerStep) }},
		{name: "copied_bytes_per_step", text: func(r csvRow) string { return unlessAbsent(r.run.CopiedBytesPerStep) }},
		{name: "ops_per_step", text: func(r csvRow) string { return unlessAbsent(r.run.OpsPerStep) }},
		{name: "go_allocated_bytes", text: func(r csvRow) string { return unlessAbsent(r.run.GoAllocatedBytes) }},
		{name: "go_collections", text: func(r csvRow) string { return unlessAbsent(r.run.GoCollections) }},
		{name: "other_cpu_percent", figure: func(r csvRow) *float64 { return r.run.OtherCPUPercent }},
		{name: "steal_percent", figure: func(r csvRow) *float64 { return r.run.StealPercent }},
		{name: "cpu_pressure_percent", figure: func(r csvRow) *float64 { return r.run.CPUPressurePercent }},
		{name: "disturbed", text: func(r csvRow) string {
			if summary.Unwatched(*r.run) {
				return ""
			}
			return strconv.FormatBool(r.run.Disturbed)
		}},
	}
}

// outcomeColumns are what was trained, and what went wrong; then, so that the others keep their places, what came later.
func outcomeColumns() []csvColumn {
	return []csvColumn{
		{name: "order_digest", text: func(r csvRow) string { return r.run.OrderDigest }},
		{name: "weights_digest", text: func(r csvRow) string { return r.run.WeightsDigest }},
		{name: "loss", figure: func(r csvRow) *float64 { return r.run.Loss }},
		{name: "accuracy", figure: func(r csvRow) *float64 { return r.run.Accuracy }},
		{name: "class_one_share", figure: func(r csvRow) *float64 { return r.run.ClassOneShare }},
		{name: "error", text: func(r csvRow) string { return r.run.Error }},
		{name: "role", text: func(r csvRow) string { return r.run.Role }},
		{name: "import_seconds", figure: func(r csvRow) *float64 { return r.run.ImportSeconds }},
		{name: "series_difference", figure: func(r csvRow) *float64 { return r.run.SeriesDifference }},
		{name: "steps_per_execution", text: func(r csvRow) string { return unlessZero(r.run.StepsPerExecution) }},
		{name: "op_by_op", text: func(r csvRow) string {
			if r.run.OpByOp {
				return "true"
			}
			return ""
		}},
		{name: "chunk_size", text: func(r csvRow) string { return unlessZero(r.plan.ChunkSize) }},
	}
}

// splitColumn reads one part of a run's split, where it has one.
func splitColumn(of func(s *record.StepSplit) *float64) func(r csvRow) *float64 {
	return func(r csvRow) *float64 {
		if r.run.StepSplit == nil {
			return nil
		}
		return of(r.run.StepSplit)
	}
}

// unlessZero is n, empty where 0 stands for what was not measured.
func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func unlessAbsent(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}
