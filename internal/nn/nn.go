// Package nn is the table of executions: the ways in which this program can run a training step. Each lies in a package of its
// own; what they have in common is in package model.
package nn

import (
	"fmt"
	"strings"

	"fitbench/internal/nn/compiled"
	"fitbench/internal/nn/eager"
	"fitbench/internal/nn/model"
)

// execution is one row of the table.
type execution struct {
	name string
	make func(model.Config) (model.Execution, error)
}

func executions() []execution {
	return []execution{
		{"compiled", func(c model.Config) (model.Execution, error) { return execute(compiled.New(c)) }},
		{"eager", func(c model.Config) (model.Execution, error) { return execute(eager.New(c)) }},
	}
}

// execute keeps a failed maker's typed nil out of the interface.
func execute[E model.Execution](e E, err error) (model.Execution, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Names lists the executions in the default order.
func Names() []string {
	var names []string
	for _, e := range executions() {
		names = append(names, e.name)
	}
	return names
}

// New makes the execution of that name. The error is Config.Validate's, or lists the names there are.
func New(name string, c model.Config) (model.Execution, error) {
	for _, e := range executions() {
		if e.name == name {
			return e.make(c)
		}
	}
	return nil, fmt.Errorf("execution %q is unknown; there are: %s", name, strings.Join(Names(), ", "))
}
