package modes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/nn"
	"fitbench/internal/record"
)

// ParseCells reads a list of modes as the command line gives it. An item is a mode, which then gets every execution of
// executions in their order, or a mode with its execution, as in "generator@eager". Spaces around names do not count.
// The modes are those of all engines; which of them an engine has is not asked here.
// The error names the item and what is accepted: either list empty, an empty item, an unknown mode or execution, or the same pair
// of mode and execution twice, however it came about.
func ParseCells(modes, executions []string) ([]record.Cell, error) {
	bare, err := parseExecutions(executions)
	if err != nil {
		return nil, err
	}
	if len(modes) == 0 {
		return nil, fmt.Errorf("no mode is given; %s", acceptedModes())
	}
	var cells []record.Cell
	for _, item := range modes {
		parsed, err := parseItem(strings.TrimSpace(item), bare)
		if err != nil {
			return nil, err
		}
		for _, c := range parsed {
			if slices.Contains(cells, c) {
				return nil, fmt.Errorf("%s is given twice; each pair of mode and execution is accepted once, and a mode without an execution stands for %s",
					c, strings.Join(expand(c.Mode, bare), ", "))
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}

func parseExecutions(items []string) ([]string, error) {
	if len(items) == 0 {
		return nil, fmt.Errorf("no execution is given; accepted: %s", strings.Join(nn.Names(), ", "))
	}
	trimmed := make([]string, len(items))
	for i, item := range items {
		trimmed[i] = strings.TrimSpace(item)
		if err := checkExecution(trimmed[i]); err != nil {
			return nil, err
		}
	}
	return trimmed, nil
}

func parseItem(item string, bare []string) ([]record.Cell, error) {
	name, execution, named := strings.Cut(item, "@")
	name, execution = strings.TrimSpace(name), strings.TrimSpace(execution)
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("%q names no known mode; %s", item, acceptedModes())
	}
	executions := bare
	if named {
		if err := checkExecution(execution); err != nil {
			return nil, fmt.Errorf("%q: %w", item, err)
		}
		executions = []string{execution}
	}
	cells := make([]record.Cell, len(executions))
	for i, e := range executions {
		cells[i] = record.Cell{Mode: name, Execution: e}
	}
	return cells, nil
}

func checkExecution(name string) error {
	if slices.Contains(nn.Names(), name) {
		return nil
	}
	accepted := strings.Join(nn.Names(), ", ")
	if name == "" {
		return errors.New("an execution's name is empty; accepted: " + accepted)
	}
	return fmt.Errorf("execution %q is not known; accepted: %s", name, accepted)
}

func acceptedModes() string {
	return fmt.Sprintf("accepted: %s, each alone or with @ and an execution (%s), as in generator@eager",
		strings.Join(Names(), ", "), strings.Join(nn.Names(), ", "))
}

// Names are those of all modes: of this package's own and of those that only other engines have.
func Names() []string {
	return append(names(), "pipeline-map-first", "timeseries-helper", "fit-sequence", "fit-sequence-unshuffled")
}

func expand(mode string, executions []string) []string {
	pairs := make([]string, len(executions))
	for i, e := range executions {
		pairs[i] = record.Cell{Mode: mode, Execution: e}.String()
	}
	return pairs
}
