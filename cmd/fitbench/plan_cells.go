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
			executions = []string{usualExecution(f.engines)}
		}
	}
	cells, err := modes.ParseCells(wanted, executions)
	if err != nil {
		return nil, usagef("--modes %s with --executions %s: %w", strings.Join(f.modes, ","), strings.Join(f.executions, ","), err)
	}
	if !chosen {
		return f.common(cells)
	}
	if !f.set.Changed("executions") {
		cells = f.executable(cells)
	}
	return cells, f.have(cells)
}

// executable leaves out what an engine lacks of a bare mode of which it has another execution.
func (f *planFlags) executable(cells []record.Cell) []record.Cell {
	lacked := func(c record.Cell) bool { return f.have([]record.Cell{c}) != nil }
	return slices.DeleteFunc(slices.Clone(cells), func(c record.Cell) bool {
		return lacked(c) && !slices.Contains(f.modes, c.String()) && slices.ContainsFunc(cells, func(other record.Cell) bool {
			return other.Mode == c.Mode && !lacked(other)
		})
	})
}

// severalSteps are the cells for each of the numbers of steps an execution. Where one of the engines cannot do a cell with several, it is
// there with one step as well, so that no engine is without it. Without numbers the cells are as they were.
func severalSteps(cells []record.Cell, numbers []int, engines []string) []record.Cell {
	several := slices.DeleteFunc(slices.Clone(numbers), func(n int) bool { return n == 1 })
	if len(several) == 0 {
		return cells
	}
	var all []record.Cell
	for _, c := range cells {
		can := func(spec string) bool { return engine.CanSeveral(spec, c) }
		cannot := func(spec string) bool { return !can(spec) }
		if len(several) < len(numbers) || slices.ContainsFunc(engines, cannot) {
			all = append(all, c)
		}
		if slices.ContainsFunc(engines, can) {
			for _, n := range several {
				c.StepsPerExecution = n
				all = append(all, c)
			}
		}
	}
	return all
}

// anySeveral is an error where several steps an execution were asked for and none of the cells has them.
func anySeveral(cells []record.Cell, numbers []int) error {
	several := func(c record.Cell) bool { return c.StepsPerExecution > 1 }
	if !slices.ContainsFunc(numbers, func(n int) bool { return n > 1 }) || slices.ContainsFunc(cells, several) {
		return nil
	}
	return usagef("--steps-per-execution %s: no engine here runs several steps of these modes in one call; keras, tf-keras and jax do so with compiled ones, but for train-on-batch, and not Keras on torch (add --engine keras, for example)",
		wholes{target: &numbers})
}

// usualExecution is the one that users of the engines have: PyTorch's run a step as it is, and few compile it; all others are compiled.
func usualExecution(engines []string) string {
	if slices.ContainsFunc(engines, func(spec string) bool { return !engine.IsTorch(spec) }) {
		return "compiled"
	}
	return "eager"
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
