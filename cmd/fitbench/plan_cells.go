package main

import (
	"slices"
	"strings"

	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// cells are those that the flags ask for, which every engine must have.
func (f *planFlags) cells() ([]record.Cell, error) {
	wanted, executions, chosen := f.modes, f.executions, f.set.Changed("modes")
	if !chosen && slices.ContainsFunc(f.engines, engine.IsFramework) {
		wanted = frameworkModes()
		if !f.set.Changed("executions") {
			executions = []string{"compiled"}
		}
	}
	cells, err := modes.ParseCells(wanted, executions)
	if err != nil {
		return nil, usagef("--modes %s with --executions %s: %w", strings.Join(f.modes, ","), strings.Join(f.executions, ","), err)
	}
	if !chosen {
		return f.common(cells)
	}
	return cells, f.have(cells)
}

// frameworkModes are the default ones where a framework is measured. Each takes its time to begin, so there is one execution of each.
func frameworkModes() []string { return []string{"fit", "generator", "train-on-batch", "fit-windows"} }

// contenders are the engines that a run will be of.
func (f *planFlags) contenders() []string {
	if len(f.engines) == 0 {
		return []string{nativeEngine}
	}
	return f.engines
}

// have is an error where an engine lacks one of the cells.
func (f *planFlags) have(cells []record.Cell) error {
	if err := engine.CheckCells(f.contenders(), cells); err != nil {
		return usagef("--modes: %w", err)
	}
	return nil
}

// common are those of the cells, which nobody asked for by name, that every engine has.
func (f *planFlags) common(cells []record.Cell) ([]record.Cell, error) {
	left := slices.DeleteFunc(slices.Clone(cells), func(c record.Cell) bool { return f.have([]record.Cell{c}) != nil })
	if len(left) == 0 {
		return nil, f.have(cells)
	}
	return left, nil
}
