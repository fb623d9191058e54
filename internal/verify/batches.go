package verify

import (
	"context"

	"fitbench/internal/data"
)

// checkOrder compares order.npy with the orders of the epochs that its steps go through; an epoch has floor(samples/batch) steps.
func checkOrder(ctx context.Context, g *golden) (Check, error) {
	order := make([]int32, g.series.Samples)
	inEpoch := g.series.Samples / g.steps.Batch * g.steps.Batch
	wrong := 0.0
	for epoch, rest := 0, g.order; len(rest) > 0; epoch++ {
		if err := data.EpochOrder(ctx, order, g.series.Seed, epoch); err != nil {
			return Check{}, err
		}
		n := min(inEpoch, len(rest))
		wrong += countDiffering(order[:n], rest[:n])
		rest = rest[n:]
	}
	return newCheck("order.npy orders of the epochs", wrong, 0, "sample numbers differ"), nil
}

// roundingTolerance is one unit in the last place of a float32: a value whose last bits of float64 differ may be rounded to the neighbour.
const roundingTolerance = 0x1p-23

// checkFirstBatch compares the windows and labels of the first batch, as this program makes them, with the folder's.
func checkFirstBatch(g *golden, set *data.Set) []Check {
	var most largest
	labels := make([]uint8, g.steps.Batch)
	for s, i := range g.order[:g.steps.Batch] {
		labels[s] = set.Labels[i]
		golden := g.batchX[s*g.series.Window:][:g.series.Window]
		for k, v := range set.Values[i:][:g.series.Window] {
			most.add(relativeDifference(float64(float32(v)), float64(golden[k])))
		}
	}
	return []Check{
		newCheck("batch0_x.npy windows of the first batch", float64(most), roundingTolerance, relative),
		newCheck("batch0_labels.npy labels of the first batch", countDiffering(labels, g.batchLabels), 0, unequal),
	}
}
