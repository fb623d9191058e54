// Package verify holds this program's results against golden values: a folder in which another implementation left its series, its
// orders and its training steps (testdata/golden/README.md describes the files). It regenerates the data, trains every execution on
// every kernel from the folder's initial weights, and says by how much each result differs and how much may be.
// It judges no times, and trusts nothing that stands in the folder.
package verify

import (
	"context"
	"io/fs"
	"runtime"

	"fitbench/internal/data"
	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// DefaultMemoryLimit is how much memory a verification may take where Options do not say, in bytes.
const DefaultMemoryLimit = 2 << 30

// Options say what is verified. The zero value is everything that this program has.
type Options struct {
	Executions []string                                                   // nil: nn.Names()
	Kernels    []*kernel.Impl                                             // nil: kernel.Available()
	Threads    int                                                        // of a step; 0: those of a benchmark here, at least 2. The results do not depend on it.
	New        func(name string, c model.Config) (model.Execution, error) // nil: nn.New
	// MemoryLimit, in bytes, is held against what the sizes in the folder would take in all (series, arrays, training) before it is
	// allocated; 0: DefaultMemoryLimit. The text of series.json and steps.json, at most 64 MB each, is not counted.
	MemoryLimit int64
}

func (o Options) withDefaults() Options {
	if o.Executions == nil {
		o.Executions = nn.Names()
	}
	if o.Kernels == nil {
		o.Kernels = kernel.Available()
	}
	if o.Threads == 0 {
		o.Threads = max(2, runtime.GOMAXPROCS(0)) // one alone would miss what goes wrong between threads
	}
	if o.New == nil {
		o.New = nn.New
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = DefaultMemoryLimit
	}
	return o
}

// Run verifies this program against the golden values in the root of folder. A result that differs too much is a Check that is not
// OK; an error, which names the file, says that the folder cannot be used, and is ctx.Err() when ctx ends meanwhile.
func Run(ctx context.Context, folder fs.FS, o Options) (Report, error) {
	o = o.withDefaults()
	g, err := readGolden(&goldenFolder{FS: folder, limit: o.MemoryLimit})
	if err != nil {
		return Report{}, err
	}
	checks, err := g.check(ctx, o)
	if err != nil {
		return Report{}, err
	}
	return Report{Origin: g.origin(), Checks: checks}, nil
}

// check makes the data, trains, and compares.
func (g *golden) check(ctx context.Context, o Options) ([]Check, error) {
	set, err := data.Generate(ctx, g.series.config())
	if err != nil {
		return nil, err
	}
	checks, err := checkSeries(ctx, g.series, set)
	if err != nil {
		return nil, err
	}
	order, err := checkOrder(ctx, g)
	if err != nil {
		return nil, err
	}
	checks = append(checks, order)
	checks = append(checks, checkFirstBatch(g, set)...)
	x := set.Narrow()
	for _, execution := range o.Executions {
		for _, impl := range o.Kernels {
			trained, err := checkTraining(ctx, g, set, x, execution, impl, o)
			if err != nil {
				return nil, err
			}
			checks = append(checks, trained...)
		}
	}
	return checks, nil
}
