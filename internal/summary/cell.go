package summary

import (
	"cmp"
	"fmt"
	"slices"

	"fitbench/internal/footing"
	"fitbench/internal/record"
)

// setting is what cells must share to be compared.
type setting struct {
	engine    string
	batchSize int
}

// key tells the cells of a record apart.
type key struct {
	setting
	cell record.Cell
}

// label names the cell, with its batch size and its engine where these are not the same for all.
func (k key) label(all []key) string {
	name := k.cell.String()
	if slices.ContainsFunc(all, func(other key) bool { return other.batchSize != k.batchSize }) {
		name += fmt.Sprintf(" at batch %d", k.batchSize)
	}
	if slices.ContainsFunc(all, func(other key) bool { return other.engine != k.engine }) {
		name += " by " + k.engine
	}
	return name
}

func keyOf(r record.Run) key {
	return key{setting{r.By(), r.BatchSize}, r.Cell()}
}

// keys lists the cells of a record in the summary's order.
func keys(rec record.Record) []key {
	var settings []setting
	for _, r := range rec.Runs {
		if s := keyOf(r).setting; !slices.Contains(settings, s) {
			settings = append(settings, s)
		}
	}
	// Sizes that have not been reached belong to every engine that has begun, or to no known one.
	engines := []string{""}
	if len(settings) > 0 {
		engines = nil
		for _, s := range settings {
			if !slices.Contains(engines, s.engine) {
				engines = append(engines, s.engine)
			}
		}
	}
	for _, engine := range engines {
		for _, size := range rec.Plan.Sizes() {
			if s := (setting{engine, size}); !slices.Contains(settings, s) && (len(rec.Plan.BatchSizes) > 0 || len(settings) == 0) {
				settings = append(settings, s)
			}
		}
	}
	// Engines come as the plan names them, whatever ran first.
	slices.SortStableFunc(settings, func(a, b setting) int { return place(rec.Plan, a.engine) - place(rec.Plan, b.engine) })
	slices.SortStableFunc(engines, func(a, b string) int { return place(rec.Plan, a) - place(rec.Plan, b) })
	// Sizes come as the plan has them, whatever the order of the runs; those that it does not have come last.
	bySize := func(s setting) int {
		if i := slices.Index(rec.Plan.Sizes(), s.batchSize); i >= 0 {
			return i
		}
		return len(rec.Plan.Sizes())
	}
	if len(rec.Plan.BatchSizes) > 0 {
		slices.SortStableFunc(settings, func(a, b setting) int {
			return cmp.Or(slices.Index(engines, a.engine)-slices.Index(engines, b.engine), bySize(a)-bySize(b))
		})
	}
	var all []key
	for _, s := range settings {
		for _, c := range rec.Plan.Cells {
			// An engine may lack what others of the plan do several steps a call of: that is there once it has run.
			if k := (key{s, c}); c.StepsPerExecution < 2 || hasRun(rec, k) {
				all = append(all, k)
			}
		}
		for _, r := range rec.Runs {
			if k := keyOf(r); k.setting == s && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// place is where the plan names an engine. Those that it does not name come last.
func place(p record.Plan, engine string) int {
	i := slices.IndexFunc(p.Engines, func(name string) bool { return name == engine || name == "native" && engine == footing.OwnEngine })
	if i < 0 {
		return len(p.Engines)
	}
	return i
}

func hasRun(rec record.Record, k key) bool {
	return slices.ContainsFunc(rec.Runs, func(r record.Run) bool { return keyOf(r) == k })
}

// cellOf condenses the runs of one cell.
func cellOf(rec record.Record, k key) Cell {
	c := Cell{Cell: k.cell, Engine: k.engine, BatchSize: k.batchSize, Planned: slices.Contains(rec.Plan.Cells, k.cell)}
	var finished []record.Run
	for _, r := range rec.Runs {
		if keyOf(r) != k {
			continue
		}
		c.Runs++
		c.Feed, c.Injected = cmp.Or(c.Feed, r.Feed), cmp.Or(c.Injected, r.Injected)
		if r.Error != "" {
			c.Failed++
			continue
		}
		finished = append(finished, r)
	}
	used := c.choose(finished)
	c.Used = len(used)
	c.UsedDisturbed = slices.ContainsFunc(used, disturbed)
	c.GivenUp = c.Planned && givenUp(rec, k)
	c.measure(used)
	c.epoch(rec.Plan.At(max(k.batchSize, 1)), used)
	c.Scattered = c.StepMilliseconds.HasSpread && c.StepMilliseconds.Spread > MaxSpread
	c.Conclusive = c.Used > 0 && !c.UsedDisturbed && !c.Scattered && c.Injected == ""
	return c
}

// choose counts the finished runs and picks those for the medians: all without the disturbed ones where enough are left of which it
// is known that they were not disturbed.
func (c *Cell) choose(finished []record.Run) []record.Run {
	for _, r := range finished {
		switch {
		case r.Disturbed:
			c.Disturbed++
		case Unwatched(r):
			c.Unwatched++
		}
	}
	if len(finished)-c.Disturbed-c.Unwatched < MinUndisturbed {
		return finished
	}
	return slices.DeleteFunc(slices.Clone(finished), disturbed)
}

func disturbed(r record.Run) bool { return r.Disturbed }

// Unwatched tells whether it is unknown if a run was disturbed: the load of other processes could not be measured, since the run was
// too short or the system does not tell.
func Unwatched(r record.Run) bool { return r.OtherCPUPercent == nil && !r.Disturbed }

// givenUp tells whether a cell was left out of its last rounds after failing twice running.
func givenUp(rec record.Record, k key) bool {
	runs := 0
	failures := 0 // running
	for _, r := range rec.Runs {
		if keyOf(r) != k {
			continue
		}
		runs++
		failures++
		if r.Error == "" {
			failures = 0
		}
	}
	return failures >= 2 && runs < rec.Plan.Rounds
}

// measure fills in the medians of the runs that count.
func (c *Cell) measure(used []record.Run) {
	for _, m := range []struct {
		to   *Value
		from func(r record.Run) *float64
	}{
		{&c.StepMilliseconds, func(r record.Run) *float64 { return r.StepMilliseconds }},
		{&c.InputWaitMilliseconds, func(r record.Run) *float64 { return r.InputWaitMilliseconds }},
		{&c.WaitMeanMilliseconds, func(r record.Run) *float64 { return perStep(r.InputWaitSeconds, r.Steps) }},
		{&c.ComputeMeanMilliseconds, func(r record.Run) *float64 { return perStep(r.StepSeconds, r.Steps) }},
		{&c.SteadyCPUPercent, func(r record.Run) *float64 { return r.SteadyCPUPercent }},
		{&c.ImportSeconds, func(r record.Run) *float64 { return r.ImportSeconds }},
		{&c.FirstStepSeconds, func(r record.Run) *float64 { return r.FirstStepSeconds }},
		{&c.BuildSeconds, func(r record.Run) *float64 { return r.Phases.Build }},
		{&c.PeakRSSBytes, func(r record.Run) *float64 { return count(r.PeakRSSBytes) }},
		{&c.FeedBytes, func(r record.Run) *float64 { return count(r.FeedBytes) }},
		{&c.OpsPerStep, func(r record.Run) *float64 { return count(r.OpsPerStep) }},
		{&c.TensorBytesPerStep, func(r record.Run) *float64 { return count(r.TensorBytesPerStep) }},
		{&c.CopiedBytesPerStep, func(r record.Run) *float64 { return count(r.CopiedBytesPerStep) }},
		{&c.Split.Dispatch, part(func(s *record.StepSplit) *float64 { return &s.Dispatch })},
		{&c.Split.Allocation, part(func(s *record.StepSplit) *float64 { return &s.Allocation })},
		{&c.Split.Casts, part(func(s *record.StepSplit) *float64 { return &s.Casts })},
		{&c.Split.Arithmetic, part(func(s *record.StepSplit) *float64 { return &s.Arithmetic })},
		{&c.Loss, func(r record.Run) *float64 { return r.Loss }},
		{&c.Accuracy, func(r record.Run) *float64 { return r.Accuracy }},
		{&c.ClassOneShare, func(r record.Run) *float64 { return r.ClassOneShare }},
	} {
		var x []float64
		for _, r := range used {
			if v := m.from(r); v != nil {
				x = append(x, *v)
			}
		}
		*m.to = valueOf(x)
	}
}

// count is a counted figure as a real one.
func count(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return record.Of(float64(*n))
}

// perStep is a sum in seconds over a run as milliseconds a step.
func perStep(seconds *float64, steps int) *float64 {
	if seconds == nil || steps < 1 {
		return nil
	}
	return record.Of(*seconds * 1e3 / float64(steps))
}

// part reads one part of a run's split, where it has one.
func part(of func(s *record.StepSplit) *float64) func(r record.Run) *float64 {
	return func(r record.Run) *float64 {
		if r.StepSplit == nil {
			return nil
		}
		return of(r.StepSplit)
	}
}

// epoch fills in the time of the trained epochs, or of one epoch computed from the steady state.
func (c *Cell) epoch(p record.Plan, used []record.Run) {
	if p.Epochs == 0 {
		c.EpochComputed = true
		if c.BatchSize > 0 && c.StepMilliseconds.OK {
			c.EpochSeconds = c.StepMilliseconds.times(float64(p.Samples/c.BatchSize) / 1e3)
		}
		return
	}
	var x []float64
	for _, r := range used {
		if len(r.Epochs) != p.Epochs {
			continue
		}
		sum := 0.0
		for _, e := range r.Epochs {
			sum += e.WallSeconds
		}
		x = append(x, sum)
	}
	c.EpochSeconds = valueOf(x)
}
