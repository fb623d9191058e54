package record

// Experiment is the data part of the experiment that the benchmark repeats, as it was reported: the series of that length, its
// anomalies, and the windows taken from it. The other fields of the plan are zero.
func Experiment() Plan {
	return Plan{Samples: 1_049_344, Window: 104, Anomalies: 50_000, Noise: 0.2, Shift: 0.5, Seed: 0}
}
