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

// CanSeveral tells whether an engine can run several steps of a cell in one call. Of one that only the program itself knows it is taken
// to be so.
func CanSeveral(spec string, cell record.Cell) bool {
	for _, f := range forms() {
		if rest, ok := f.takes(spec); ok {
			return f.several != nil && f.several(rest, cell.Single().String())
		}
	}
	return false
}

// Can tells whether an engine, one whose cells have passed CheckCells, can do a cell with as many steps an execution as that has.
func Can(spec string, cell record.Cell) bool {
	return cell.StepsPerExecution < 2 || CanSeveral(spec, cell)
}

// CheckCells says which cell an engine lacks, of those engines and cells. The error names both and the cells that the engine has.
func CheckCells(specs []string, cells []record.Cell) error {
	for _, spec := range specs {
		known := Cells(spec)
		for _, c := range cells {
			if known != nil && !slices.Contains(known, c.Single().String()) {
				return fmt.Errorf("engine %q has no %s; it has %s", spec, c.Single(), strings.Join(known, ", "))
			}
		}
	}
	return nil
}

// IsFramework tells whether a name is that of a framework in the user's own Python.
func IsFramework(spec string) bool { return frameworkOf(spec) != "" }

// IsKeras tells whether it is that of Keras, in one of its packages.
func IsKeras(spec string) bool { return strings.HasSuffix(frameworkOf(spec), "keras") }

// IsTorch tells whether it is that of PyTorch without Keras on top.
func IsTorch(spec string) bool { return frameworkOf(spec) == "torch" }

// frameworkOf is the name of an engine's framework, without backend and interpreter; empty where it is none.
func frameworkOf(spec string) string {
	for _, f := range frameworks() {
		if _, ok := f.takes(spec); ok {
			return f.name
		}
	}
	return ""
}
