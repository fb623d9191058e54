package check

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/typeset"
	"fitbench/internal/verdict"
)

// metric is a figure of a run that a gate can watch.
type metric struct {
	prefix, title string
	of            func(r record.Run) *float64
}

func metrics() []metric {
	return []metric{
		{"", "ms a step", func(r record.Run) *float64 { return r.StepMilliseconds }},
		{"cpu:", "CPU seconds", func(r record.Run) *float64 {
			if r.UserSeconds == nil || r.SystemSeconds == nil {
				return nil
			}
			return record.Of(*r.UserSeconds + *r.SystemSeconds)
		}},
		{"memory:", "peak memory, MB", func(r record.Run) *float64 {
			if r.PeakRSSBytes == nil {
				return nil
			}
			return record.Of(float64(*r.PeakRSSBytes) / typeset.Megabyte)
		}},
	}
}

// GatePrefixes are what a gate's name may have before its cell, the empty one first.
func GatePrefixes() []string {
	var all []string
	for _, m := range metrics() {
		all = append(all, m.prefix)
	}
	return all
}

// Gate is a figure of a cell that a check watches.
type Gate struct {
	// Name is what ParseGates read, as in fit@compiled or cpu:fit@compiled.
	Name   string
	Cell   record.Cell
	metric metric
}

// Title names the figure for a reader, with its unit.
func (g Gate) Title() string { return g.Cell.String() + ", " + g.metric.title }

// figure is the gate's in the run of a role; nil where it was not measured.
func (g Gate) figure(turn []record.Run, role string) *float64 {
	for _, r := range turn {
		if r.Role == role {
			return g.metric.of(r)
		}
	}
	return nil
}

// ParseGates reads the names of gates: a mode with its execution, alone for ms a step, behind cpu: for its CPU seconds and behind memory:
// for its peak memory. The error says which name is wrong, and what is accepted.
func ParseGates(names []string) ([]Gate, error) {
	if len(names) > verdict.MaxGates {
		return nil, fmt.Errorf("%s: %d gates; 1 to %d are accepted", strings.Join(names, ","), len(names), verdict.MaxGates)
	}
	var gates []Gate
	for _, name := range names {
		g, err := parseGate(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(gates, func(other Gate) bool { return other.Name == g.Name }) {
			return nil, fmt.Errorf("%s is given twice; each gate is accepted once", g.Name)
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func parseGate(name string) (Gate, error) {
	all := metrics()
	chosen, cell := all[0], name
	for _, m := range all[1:] {
		if rest, ok := strings.CutPrefix(name, m.prefix); ok {
			chosen, cell = m, rest
		}
	}
	if !strings.Contains(cell, "@") {
		return Gate{}, fmt.Errorf("%q: a mode with its execution is accepted, as in fit@compiled, alone for ms a step, or as in cpu:fit@compiled and memory:fit@compiled", name)
	}
	cells, err := modes.ParseCells([]string{cell}, []string{"compiled"})
	if err != nil {
		return Gate{}, fmt.Errorf("%q: %w", name, err)
	}
	return Gate{Name: chosen.prefix + cells[0].String(), Cell: cells[0], metric: chosen}, nil
}

// Cells are the cells that the gates need, each once.
func Cells(gates []Gate) []record.Cell {
	var cells []record.Cell
	for _, g := range gates {
		if !slices.Contains(cells, g.Cell) {
			cells = append(cells, g.Cell)
		}
	}
	return cells
}
