package baseline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/compare"
	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// Validate tells whether a record can serve as a baseline: of this schema, whole, without a failed run, with figures that can have
// been measured, all runs on an equal footing, and without work that was added on purpose. The error says what is wrong and where.
// One round is enough for everything but times.
func Validate(rec record.Record) error {
	if err := validate(rec); err != nil {
		return err
	}
	for i, r := range rec.Runs {
		if r.Injected != "" {
			return fmt.Errorf("runs[%d], %s, has work that was added on purpose (%s); "+
				"a baseline is of the program as it is", i, r.Cell(), r.Injected)
		}
	}
	return nil
}

// validate is Validate for both sides of a check: work may be added to the head on purpose.
func validate(rec record.Record) error {
	for _, rule := range []func(record.Record) error{schema, plan, finite, measurable, finished, complete} {
		if err := rule(rec); err != nil {
			return err
		}
	}
	return errors.Join(footing.Check(rec.Runs)...)
}

func schema(rec record.Record) error {
	if rec.SchemaVersion != record.SchemaVersion {
		return fmt.Errorf("schema_version is %d; %d is accepted", rec.SchemaVersion, record.SchemaVersion)
	}
	return nil
}

func plan(rec record.Record) error {
	p := rec.Plan
	switch {
	case p.Samples < 1 || slices.Min(p.Sizes()) < 1 || p.Rounds < 1:
		return fmt.Errorf("the plan has %d samples, batch size %d, %d rounds; each is at least 1",
			p.Samples, slices.Min(p.Sizes()), p.Rounds)
	case len(p.Engines) > 0:
		return fmt.Errorf("the plan names engines (%s), and a file must not say which programs are started; "+
			"a baseline is of fitbench's own engine, whose plan names none", strings.Join(p.Engines, ", "))
	case slices.ContainsFunc(rec.Runs, func(r record.Run) bool { return r.Role != "" }):
		return errors.New("it holds the runs of a check of two engines; a baseline is made by --update-baseline")
	case len(p.Cells) == 0:
		return errors.New("the plan names no cells; a record of fitbench names at least one")
	case len(rec.Runs) == 0:
		return errors.New("it holds no runs")
	}
	return nil
}

// finished is an error where runs failed.
func finished(rec record.Record) error {
	failures := summary.Failures(rec)
	if len(failures) == 0 {
		return nil
	}
	texts := make([]string, len(failures))
	for i, f := range failures {
		texts[i] = f.String()
	}
	return fmt.Errorf("it holds failed runs: %s", strings.Join(texts, "; "))
}

// complete is an error where runs are missing that the plan asked for, or there more than once.
func complete(rec record.Record) error {
	type place struct {
		engine string
		size   int
		cell   record.Cell
	}
	type turn struct {
		place
		round int
	}
	runs, turns, engines := map[place]int{}, map[turn]bool{}, []string{}
	for _, r := range rec.Runs {
		at := place{r.Engine, r.BatchSize, r.Cell()}
		if turns[turn{at, r.Round}] {
			return fmt.Errorf("it holds round %d of %s at batch size %d twice: the file is edited", r.Round, r.Cell(), r.BatchSize)
		}
		turns[turn{at, r.Round}] = true
		runs[at]++
		if !slices.Contains(engines, r.Engine) {
			engines = append(engines, r.Engine)
		}
	}
	for _, engine := range engines {
		for _, size := range rec.Plan.Sizes() {
			for _, cell := range rec.Plan.Cells {
				if n := runs[place{engine, size, cell}]; n < rec.Plan.Rounds {
					return fmt.Errorf("it holds %d of %d rounds of %s at batch size %d: the benchmark was interrupted, or the file is edited",
						n, rec.Plan.Rounds, cell, size)
				}
			}
		}
	}
	return nil
}

// SamePlan is an error that names the fields in which a plan differs from that of a baseline.
func SamePlan(base, head record.Plan) error {
	differences := compare.Plans(record.Record{Plan: base}, record.Record{Plan: head})
	if len(differences) == 0 {
		return nil
	}
	texts := make([]string, len(differences))
	for i, d := range differences {
		texts[i] = fmt.Sprintf("%s is %s there and %s here", d.Field, d.Base, d.Head)
	}
	return fmt.Errorf("the baseline has another plan: %s; give the same flags as for the baseline, or replace it with --update-baseline",
		strings.Join(texts, "; "))
}
