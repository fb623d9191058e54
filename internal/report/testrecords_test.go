package report_test

import (
	"fmt"
	"slices"

	"fitbench/internal/record"
)

// experiment is the experiment's plan with the default grid.
func experiment(batchSize, rounds int) record.Plan {
	return record.Plan{
		Samples: 1049344, Window: 104, Anomalies: 50000, Noise: 0.2, Shift: 0.5,
		BatchSize: batchSize, Steps: 2000, Rounds: rounds, Threads: 2, Workers: 1, QueueSize: 10,
		Cells: []record.Cell{
			{Mode: "fit", Execution: "compiled"},
			{Mode: "generator", Execution: "compiled"}, {Mode: "generator", Execution: "eager"},
			{Mode: "train-on-batch", Execution: "compiled"}, {Mode: "train-on-batch", Execution: "eager"},
			{Mode: "fit-windows", Execution: "compiled"},
		},
	}
}

// cellFigures are the figures of one cell in its middle round.
type cellFigures struct {
	ms, wait, cpu, rss float64 // ms, ms, percent, MB
}

// figuresOf are made up, in the proportions of the sketch of the table.
func figuresOf(c record.Cell) cellFigures {
	return map[string]cellFigures{
		"fit@compiled":            {0.162, 0.001, 184, 462},
		"fit@eager":               {0.748, 0.001, 128, 463},
		"generator@compiled":      {0.174, 0.003, 191, 33},
		"generator@eager":         {0.752, 0.001, 142, 41},
		"train-on-batch@compiled": {0.171, 0.009, 179, 31},
		"train-on-batch@eager":    {0.750, 0.009, 128, 40},
		"fit-windows@compiled":    {0.159, 0.0004, 185, 31},
	}[c.String()]
}

// feedOf is the feed of each mode.
func feedOf(mode string) string {
	return map[string]string{"fit": "array", "generator": "queue", "train-on-batch": "inline", "fit-windows": "windows"}[mode]
}

// run is one run of a cell: in the middle round of five the cell's figures, in the others 1 and 2 % beside them.
func run(p record.Plan, c record.Cell, round int) record.Run {
	f := figuresOf(c)
	factor := 1.0
	if p.Rounds > 1 {
		factor += 0.01 * float64(round-(p.Rounds+1)/2)
	}
	r := record.Run{
		Mode: c.Mode, Feed: feedOf(c.Mode), Execution: c.Execution, StepsPerExecution: c.StepsPerExecution, Engine: "fitbench", Kernel: "avx2", Threads: p.Threads,
		Round: round, BatchSize: p.BatchSize, Steps: p.TotalSteps(), SamplesTrained: int64(p.TotalSteps() * p.BatchSize),
		WallSeconds: record.Of(f.ms * factor * float64(p.TotalSteps()) / 1e3),
		CPUPercent:  record.Of(f.cpu - 2), SteadyCPUPercent: record.Of(f.cpu),
		StepMilliseconds: record.Of(f.ms * factor), InputWaitMilliseconds: record.Of(f.wait),
		InputWaitSeconds: record.Of(f.wait * factor * float64(p.TotalSteps()) / 1e3),
		StepSeconds:      record.Of((f.ms - f.wait) * factor * float64(p.TotalSteps()) / 1e3),
		PeakRSSBytes:     record.Of(int64(f.rss * 1e6)), FeedBytes: record.Of(int64(0)), OpsPerStep: record.Of(int64(1)),
		Phases:       record.Phases{Build: record.Of(0.0001)},
		StealPercent: record.Of(0.2), OtherCPUPercent: record.Of(float64(round) / 2),
		OrderDigest: "0123456789abcdef", WeightsDigest: "weights of " + c.Execution,
		Loss: record.Of(0.031234), Accuracy: record.Of(0.9939), ClassOneShare: record.Of(1042942.0 / 1049344),
	}
	for range p.Epochs {
		seconds := f.ms * factor * float64(p.StepsPerEpoch()) / 1e3
		r.Epochs = append(r.Epochs, record.Epoch{Steps: p.StepsPerEpoch(), WallSeconds: seconds})
	}
	if c.Mode == "fit" {
		r.FeedBytes, r.Phases.Build = record.Of(int64(1049344*104*4)), record.Of(0.243)
	}
	if c.Execution == "eager" {
		r.OpsPerStep, r.TensorBytesPerStep = record.Of(int64(142)), record.Of(int64(3140000))
		r.CopiedBytesPerStep = record.Of(int64(400000))
		r.StepSplit = &record.StepSplit{Dispatch: 0.110, Allocation: 0.210, Casts: 0.020, Arithmetic: 0.400}
		r.Loss = record.Of(0.031237)
	}
	return r
}

func environment() record.Environment {
	return record.Environment{UsableCores: 2, OnlineCores: 4, Kernel: "avx2", OS: "linux", Arch: "amd64", Go: "go1.26"}
}

// recordOf runs every cell of the plan in every round.
func recordOf(p record.Plan) record.Record {
	rec := record.Record{
		SchemaVersion: record.SchemaVersion, Plan: p,
		Environment: environment(),
	}
	for round := 1; round <= p.Rounds; round++ {
		for _, c := range p.Cells {
			rec.Runs = append(rec.Runs, run(p, c, round))
		}
	}
	return rec
}

// drop leaves out the runs that a benchmark would not have done.
func drop(rec record.Record, unwanted func(r record.Run) bool) record.Record {
	rec.Runs = slices.DeleteFunc(rec.Runs, unwanted)
	return rec
}

// change edits the runs of a cell, "" for all.
func change(rec record.Record, cell string, edit func(r *record.Run)) record.Record {
	found := false
	for i := range rec.Runs {
		if cell == "" || rec.Runs[i].Cell().String() == cell {
			edit(&rec.Runs[i])
			found = true
		}
	}
	if !found {
		panic(fmt.Sprintf("no run of cell %q", cell))
	}
	return rec
}

// only keeps the cells of a plan that are named.
func only(p record.Plan, cells ...record.Cell) record.Plan {
	p.Cells = cells
	return p
}

// sweepCosts are made up: ms a step and us a sample of each cell.
func sweepCosts(c record.Cell) (perStep, perSample float64) {
	costs := map[string][2]float64{
		"fit@compiled": {0.020, 1.5}, "train-on-batch@eager": {0.600, 2.5}, "generator@compiled": {0.040, 1.55},
	}[c.String()]
	return costs[0], costs[1]
}

// sweepOf is a record of several batch sizes whose steps lie on lines, the rounds 1 % apart.
func sweepOf(sizes ...int) record.Record {
	p := experiment(0, 3)
	p.BatchSizes, p.SamplesPerRun = sizes, 1<<18
	p.Cells = []record.Cell{
		{Mode: "fit", Execution: "compiled"}, {Mode: "train-on-batch", Execution: "eager"}, {Mode: "generator", Execution: "compiled"},
	}
	rec := record.Record{SchemaVersion: 1, Plan: p, Environment: environment()}
	for round := 1; round <= p.Rounds; round++ {
		for _, size := range sizes {
			for _, c := range p.Cells {
				a, b := sweepCosts(c)
				r := run(p.At(size), c, round)
				r.StepMilliseconds = record.Of((a + b*float64(size)/1e3) * (1 + 0.01*float64(round-2)))
				r.OrderDigest, r.WeightsDigest = fmt.Sprint("order ", size), fmt.Sprint("weights of ", c.Execution, size)
				rec.Runs = append(rec.Runs, r)
			}
		}
	}
	return rec
}
