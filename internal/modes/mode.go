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
	// Feed names the way in which a batch comes to be: array, queue, inline, windows, pipeline, chunks.
	Feed string

	open  func(ctx context.Context, s source) (Feed, error)
	needs func(p record.Plan) need
}

// All is the table of modes, in the order in which they are shown.
func All() []Mode {
	return []Mode{
		{Name: "fit", Feed: "array", open: openArray, needs: arrayNeeds},
		{Name: "generator", Feed: "queue", open: openGenerator, needs: generatorNeeds},
		{Name: "train-on-batch", Feed: "inline", open: openInline, needs: inlineNeeds},
		{Name: "fit-windows", Feed: "windows", open: openWindows, needs: windowsNeeds},
		{Name: "pipeline", Feed: "pipeline", open: openPipeline, needs: pipelineNeeds},
		{Name: "fit-chunked", Feed: "chunks", open: openChunks, needs: chunksNeeds},
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

func names() []string {
	all := All()
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return names
}
