// Package data makes what is trained on: NumPy's legacy random numbers, the series with its anomalies, the classes of its windows,
// and the order of an epoch. Everything is the same, draw for draw, as a NumPy program with the same seed gets.
// It does not build batches and knows nothing of a model.
package data

import "context"

// piece is how many samples are worked on between two looks at the context: a fraction of a millisecond to a few.
const piece = 1 << 16

// inPieces calls do for consecutive pieces [lo, hi) of [0, n) and stops with ctx.Err() when ctx ends.
func inPieces(ctx context.Context, n int, do func(lo, hi int)) error {
	for lo := 0; lo < n; lo += piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		do(lo, min(lo+piece, n))
	}
	return nil
}
