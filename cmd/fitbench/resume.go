package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"fitbench/internal/bench"
	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/report"

	"github.com/spf13/pflag"
)

// resume takes over the runs of a kept record, which must be of the same plan, machine and build. Rounds may differ: more go on where
// those of the file end. Where --rounds was not given they are the file's.
func resume(b *bench.Options, o *sweepOptions, given *pflag.FlagSet) error {
	if o.outputFile != "" && o.outputFile != o.resume {
		return usagef("--resume %s and --output-file %s: the record goes on where it is kept; give one of the two", o.resume, o.outputFile)
	}
	kept, err := loadRecord(o.resume)
	if err != nil {
		return fmt.Errorf("--resume %w", err)
	}
	if !given.Changed("rounds") {
		b.Plan.Rounds = kept.Plan.Rounds
	}
	asked := b.Plan
	asked.Rounds = kept.Plan.Rounds
	if names := differences(kept.Plan, asked); len(names) > 0 {
		return usagef("--resume %s has another plan: %s", o.resume, strings.Join(names, "; "))
	}
	if names := differences(kept.Environment, b.Environment); len(names) > 0 {
		return usagef("--resume %s is of another machine or build, whose runs are not comparable: %s", o.resume, strings.Join(names, "; "))
	}
	if err := ownRuns(kept, *b); err != nil {
		return fmt.Errorf("--resume %s: %w; a file that fitbench kept is accepted", o.resume, err)
	}
	b.Done, o.outputFile = kept.Runs, o.resume
	if n := lastRound(kept.Runs); b.Plan.Rounds < n {
		return usagef("--rounds %d: --resume %s has runs of %d rounds, which would be lost; %d or more are accepted", b.Plan.Rounds, o.resume, n, n)
	}
	return nil
}

// ownRuns is an error where the record has runs that its own plan, machine and build could not have made: they would be lost, or taken
// for what they are not.
func ownRuns(kept record.Record, b bench.Options) error {
	type place struct {
		engine    string
		batchSize int
		cell      record.Cell
		round     int
	}
	seen := map[place]bool{}
	for i, r := range kept.Runs {
		p := place{r.Engine, r.BatchSize, r.Cell(), r.Round}
		known := slices.ContainsFunc(b.Engines, func(c bench.Contender) bool { return c.Name == r.Engine })
		switch {
		case !known || !slices.Contains(kept.Plan.Sizes(), r.BatchSize) || !slices.Contains(kept.Plan.Cells, r.Cell()) || r.Round < 1 || r.Round > kept.Plan.Rounds:
			return fmt.Errorf("runs[%d], %s at batch %d by %s in round %d, is not in its plan", i, r.Cell(), r.BatchSize, r.Engine, r.Round)
		case seen[p] && r.Error == "":
			return fmt.Errorf("runs[%d], %s at batch %d by %s in round %d, is there twice", i, r.Cell(), r.BatchSize, r.Engine, r.Round)
		case r.Engine == footing.OwnEngine && r.Error == "" && (r.Kernel != kept.Environment.Kernel || r.Threads != kept.Plan.Threads || r.Injected != ""):
			return fmt.Errorf("runs[%d], %s in round %d, has kernel %q, %d threads and work added %q; kernel %q, %d threads and none are those of its plan",
				i, r.Cell(), r.Round, r.Kernel, r.Threads, r.Injected, kept.Environment.Kernel, kept.Plan.Threads)
		}
		seen[p] = r.Error == ""
	}
	return nil
}

// lastRound is the highest round of the runs.
func lastRound(runs []record.Run) int {
	last := 0
	for _, r := range runs {
		last = max(last, r.Round)
	}
	return last
}

// loadRecord reads a kept record.
func loadRecord(path string) (record.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return record.Record{}, err
	}
	rec, err := report.Decode(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return record.Record{}, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

// differences names the fields of two values of a type that differ, as in `steps is 100, asked for is 200`, by their JSON names.
func differences[T any](kept, asked T) []string {
	a, b := fields(kept), fields(asked)
	var names []string
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var differing []string
	for _, name := range names {
		if a[name] != b[name] {
			differing = append(differing, fmt.Sprintf("%s is %s, asked for is %s", name, orAbsent(a[name]), orAbsent(b[name])))
		}
	}
	return differing
}

// fields are the JSON texts of a plain struct's fields.
func fields(v any) map[string]string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("fields: a plan and an environment can always be written")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		panic("fields: what was written can be read")
	}
	texts := map[string]string{}
	for name, value := range raw {
		texts[name] = string(value)
	}
	return texts
}

func orAbsent(text string) string {
	if text == "" {
		return "absent"
	}
	return text
}
