package data

import "context"

// Labels is the class of each window, [samples]: 1 where at least one anomaly lies in [i, i+window), 0 elsewhere. Windows wrap around
// the series' end as the data does. It takes O(samples) time and no memory but the result. Anomalies must be in [0, samples).
func Labels(samples, window int, anomalies []int32) []uint8 {
	labels, _ := labelWindows(context.Background(), samples, window, anomalies) // the background never ends, so there is no error
	return labels
}

// ReportedLabels is Labels as the reported script computes them: it takes a window's end modulo the number of samples, so that for the
// last windows, those that reach the end of the series or wrap around it, no anomaly can lie inside, and they are all 0.
func ReportedLabels(samples, window int, anomalies []int32) []uint8 {
	labels := Labels(samples, window, anomalies)
	clear(labels[samples-window:])
	return labels
}

func labelWindows(ctx context.Context, samples, window int, anomalies []int32) ([]uint8, error) {
	labels := make([]uint8, samples)
	if len(anomalies) == 0 {
		return labels, nil
	}
	// The anomalies are marked in the result itself, and each mark is read before a label overwrites it.
	first := anomalies[0]
	for _, a := range anomalies {
		labels[a] = 1
		first = min(first, a)
	}
	// From the end to the front, next is the nearest anomaly at i or behind it; behind the last one comes the first again.
	next := int(first) + samples
	err := inPieces(ctx, samples, func(lo, hi int) {
		for i := samples - 1 - lo; i >= samples-hi; i-- {
			if labels[i] == 1 {
				next = i
			}
			labels[i] = 0
			if next-i < window {
				labels[i] = 1
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}
