// Package modes is how batches reach the training step, and the training run itself with its measuring. A mode is one row of the
// table in All: a feed, that is a way in which a batch comes to be, one file each, under the name that a Keras user knows.
// Train runs one training run in this process and fills its record.
//
// How a step is computed is not decided here (package nn), nor which runs come when and in which process.
package modes

import (
	"context"
	"fmt"
	"strings"

	"fitbench/internal/record"
)

// Mode is one row of the table of modes: a feed under the name of the way of training that uses it.
type Mode struct {
	// Name is the mode's name on the command line and in records.
	Name string
	// Feed names the way in which a batch comes to be: array, queue, inline, windows.
	Feed string
	// Title is the mode's name in a table.
	Title string

	// reported is the execution that TensorFlow 2.0.0 gave to this way of training; empty where there was no such way.
	reported string
	open     func(ctx context.Context, s source) (Feed, error)
	needs    func(p record.Plan) need
}

// All is the table of modes, in the order in which they are shown.
func All() []Mode {
	return []Mode{
		{Name: "fit", Feed: "array", Title: "fit (array)", reported: "compiled", open: openArray, needs: arrayNeeds},
		{Name: "generator", Feed: "queue", Title: "generator (queue)", reported: "eager", open: openQueue, needs: queueNeeds},
		{Name: "train-on-batch", Feed: "inline", Title: "train-on-batch (inline)", reported: "eager", open: openInline, needs: inlineNeeds},
		{Name: "fit-windows", Feed: "windows", Title: "fit-windows (offsets)", open: openWindows, needs: windowsNeeds},
	}
}

// Lookup returns the mode of that name; the error lists the names that there are.
func Lookup(name string) (Mode, error) {
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
	}
	return Mode{}, fmt.Errorf("mode %q is not known; accepted: %s", name, strings.Join(names(), ", "))
}

// ReportedExecution is the execution with which TensorFlow 2.0.0 ran the mode: fit compiled, generator and train-on-batch eager.
// It is false for fit-windows, which had no counterpart there, and for an unknown mode.
func ReportedExecution(mode string) (string, bool) {
	m, err := Lookup(mode)
	if err != nil || m.reported == "" {
		return "", false
	}
	return m.reported, true
}

func names() []string {
	all := All()
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return names
}
