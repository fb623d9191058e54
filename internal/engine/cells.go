package engine

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/record"
)

// nativeCells are those of this program.
func nativeCells() []string {
	var names []string
	for _, m := range modes.All() {
		for _, execution := range nn.Names() {
			names = append(names, record.Cell{Mode: m.Name, Execution: execution}.String())
		}
	}
	return names
}

// unknownCells are of a program that is not known before it is asked.
func unknownCells() []string { return nil }

// Cells names what an engine can do, as in "fit@compiled"; nil where only the program itself knows, and for a name of no known form.
func Cells(spec string) []string {
	for _, f := range forms() {
		if _, ok := f.takes(spec); ok {
			return f.cells()
		}
	}
	return nil
}

// CheckCells says which cell an engine lacks, of those engines and cells. The error names both and the cells that the engine has.
func CheckCells(specs []string, cells []record.Cell) error {
	for _, spec := range specs {
		known := Cells(spec)
		for _, c := range cells {
			if known != nil && !slices.Contains(known, c.String()) {
				return fmt.Errorf("engine %q has no %s; it has %s", spec, c, strings.Join(known, ", "))
			}
		}
	}
	return nil
}

// IsFramework tells whether a name is that of a framework in the user's own Python.
func IsFramework(spec string) bool {
	return slices.ContainsFunc(frameworks(), func(f framework) bool {
		_, ok := f.takes(spec)
		return ok
	})
}
