package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// pythonsVariable names engines that are there, as in keras:/x/bin/python,torch:/y/bin/python.
const pythonsVariable = "FITBENCH_PYTHONS"

// pythons are the frameworks that this machine has for tests.
func pythons(t *testing.T) []*Program {
	t.Helper()
	list := os.Getenv(pythonsVariable)
	if list == "" {
		t.Skip(pythonsVariable + " names no interpreters: a list as in keras:/x/bin/python,torch:/y/bin/python is accepted")
	}
	var all []*Program
	for spec := range strings.SplitSeq(list, ",") {
		p, err := Parse(spec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestPythonEnginesKeepEveryRuleOfTheProtocol(t *testing.T) {
	for _, p := range pythons(t) {
		t.Run(p.Name(), func(t *testing.T) {
			passed, err := Conform(t.Context(), p, record.Cell{Mode: "train-on-batch", Execution: "eager"}, func(c Check) {
				if c.Err != nil || c.Left != "" {
					t.Errorf("%s: %v %s", c.Rule, c.Err, c.Left)
				}
			})
			if !passed || err != nil {
				t.Errorf("passed %v, %v", passed, err)
			}
		})
	}
}

func TestPythonEnginesThatAreInterruptedWhileTheyCompileEndByThemselves(t *testing.T) {
	for _, p := range pythons(t) {
		t.Run(p.Name(), func(t *testing.T) {
			job := conformanceJob(record.Cell{Mode: "fit", Execution: "compiled"})
			job.Plan.Steps = endless
			ctx, cancel := context.WithCancelCause(t.Context())
			var seen []string
			got := p.Run(ctx, job, func(e modes.Event) {
				seen = append(seen, e.Kind)
				if e.Phase == modes.PhaseTrain {
					cancel(errors.New("Ctrl-C"))
				}
			})
			if !strings.HasPrefix(got.Error, "interrupted (Ctrl-C)") || strings.Contains(got.Error, "was killed") || slices.Contains(seen, modes.KindProgress) {
				t.Errorf("error %q after the events %v", got.Error, seen)
			}
		})
	}
}

// What is written at the end of a framework's name is the interpreter's: the versions that a record keeps are those that were used.
func TestPythonEnginesSayTheirVersions(t *testing.T) {
	for _, p := range pythons(t) {
		found, err := Discover(t.Context(), []string{p.path})
		if err != nil || len(found) == 0 || found[0].Err != nil {
			t.Fatalf("%s: %+v, %v", p.Name(), found, err)
		}
		name, _, _ := strings.Cut(p.Name(), ":")
		i := slices.IndexFunc(found[0].Frameworks, func(f Framework) bool { return f.Name == name })
		if i < 0 || found[0].Frameworks[i].Missing != "" {
			t.Fatalf("%s: the interpreter is said to have %+v", p.Name(), found[0].Frameworks)
		}
		job := conformanceJob(record.Cell{Mode: "no-such-mode", Execution: "eager"})
		got := p.Run(t.Context(), job, nil)
		if !strings.Contains(got.EngineVersion, "Python "+found[0].Version) || !strings.HasPrefix(got.Error, "no-such-mode@eager is not among what this engine knows") {
			t.Errorf("%s: version %q, error %q", p.Name(), got.EngineVersion, got.Error)
		}
		for _, version := range strings.Split(found[0].Frameworks[i].Versions, ", ") {
			number := version[strings.LastIndex(version, " ")+1:]
			if !strings.Contains(got.EngineVersion, number) {
				t.Errorf("%s says it is %q; the interpreter has %s", p.Name(), got.EngineVersion, version)
			}
		}
	}
}
