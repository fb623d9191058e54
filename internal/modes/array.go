package modes

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"fitbench/internal/data"
	"fitbench/internal/record"
)

// openArray is fit's feed: the array of every sample's window, [samples][window] float32, in one allocation before the first step;
// its rows are then picked by the epoch's order. Keras's fit holds the same array, cast to float32 once.
func openArray(ctx context.Context, s source) (Feed, error) {
	array, err := buildArray(ctx, s.set, s.threads)
	if err != nil {
		return nil, err
	}
	return newPicked(s, array, s.set.Window), nil
}

func arrayNeeds(p record.Plan) need {
	return need{
		bytes:  product(int64(p.Samples), int64(p.Window), 4),
		what:   fmt.Sprintf("its array of %d x %d float32", p.Samples, p.Window),
		remedy: "fit-windows trains on the same windows without the array",
	}
}

// arrayPiece is the number of rows built between two looks at the context: a fraction of a millisecond of work.
const arrayPiece = 1024

// buildArray is [samples][window], row i the window of sample i, built by that many goroutines. The error is ctx's.
func buildArray(ctx context.Context, set *data.Set, threads int) ([]float32, error) {
	samples, window := set.Samples(), set.Window
	array := make([]float32, samples*window)
	var next atomic.Int64
	var done sync.WaitGroup
	for range threads {
		done.Go(func() {
			narrow := make([]float32, arrayPiece+window-1)
			for ctx.Err() == nil {
				from := int(next.Add(arrayPiece)) - arrayPiece
				if from >= samples {
					return
				}
				fillRows(array, narrow, set, from, min(from+arrayPiece, samples))
			}
		})
	}
	done.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return array, nil
}

// fillRows writes rows from to to of the array. Each value is converted once into narrow and then copied into its rows, rather than
// converted anew for each of them.
func fillRows(array, narrow []float32, set *data.Set, from, to int) {
	window := set.Window
	for i, v := range set.Values[from : to+window-1] {
		narrow[i] = float32(v)
	}
	for row := from; row < to; row++ {
		copy(array[row*window:(row+1)*window], narrow[row-from:])
	}
}
