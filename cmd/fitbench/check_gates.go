package main

import (
	"strconv"
	"strings"
	"time"

	"fitbench/internal/modes"
	"fitbench/internal/record"
	"fitbench/internal/verdict"
)

// Defaults of a check. Its plan is small, so that there are rounds enough within the time, but its runs are long enough to tell whether
// something else used the machine meanwhile.
const (
	defaultMinChange    = share(0.05)
	defaultMaxTime      = 3 * time.Minute
	defaultCheckSamples = 1 << 16
	defaultCheckSteps   = 5000
	defaultCheckRounds  = 10 // against a baseline
	falseAlarm          = 0.01
	// baselineConfidence is that of each figure's interval against a baseline: over six cells 1 % false alarms, by Bonferroni's inequality.
	baselineConfidence = 0.997
)

func defaultGates() []string {
	return []string{"fit@compiled", "generator@compiled", "train-on-batch@eager", "fit-windows@compiled"}
}

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
			return record.Of(float64(*r.PeakRSSBytes) / 1e6)
		}},
	}
}

// gate is a figure of a cell that a check watches.
type gate struct {
	name string
	metric
	cell record.Cell
}

// parseGates reads the gates, at most verdict.MaxGates of them.
func parseGates(names []string) ([]gate, error) {
	if len(names) > verdict.MaxGates {
		return nil, usagef("--gate %s: %d gates; 1 to %d are accepted", strings.Join(names, ","), len(names), verdict.MaxGates)
	}
	var gates []gate
	for _, name := range names {
		g, err := parseGate(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		for _, other := range gates {
			if other.name == g.name {
				return nil, usagef("--gate %s is given twice; each gate is accepted once", g.name)
			}
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func parseGate(name string) (gate, error) {
	all := metrics()
	chosen, cell := all[0], name
	for _, m := range all[1:] {
		if rest, ok := strings.CutPrefix(name, m.prefix); ok {
			chosen, cell = m, rest
		}
	}
	if !strings.Contains(cell, "@") {
		return gate{}, usagef("--gate %q: a mode with its execution is accepted, as in fit@compiled, alone for ms a step or behind cpu: or memory:", name)
	}
	cells, err := modes.ParseCells([]string{cell}, []string{"compiled"})
	if err != nil {
		return gate{}, usagef("--gate %q: %w", name, err)
	}
	return gate{name: chosen.prefix + cells[0].String(), metric: chosen, cell: cells[0]}, nil
}

// cellsOf are the cells that the gates need, each once.
func cellsOf(gates []gate) []record.Cell {
	var cells []record.Cell
	seen := map[record.Cell]bool{}
	for _, g := range gates {
		if !seen[g.cell] {
			seen[g.cell] = true
			cells = append(cells, g.cell)
		}
	}
	return cells
}

// parseShare reads 5% or 0.05.
func parseShare(s string) (float64, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		v /= 100
	}
	return v, err
}
