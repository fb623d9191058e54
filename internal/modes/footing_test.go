package modes

import (
	"context"
	"testing"

	"fitbench/internal/nn"
	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// footingPlan has an epoch of four batches and one cut short; a batch is large enough for several shards in both executions.
func footingPlan() record.Plan {
	return record.Plan{
		Samples: 230, Window: 40, Anomalies: 5, Noise: 0.2, Shift: 0.5, Seed: 11,
		BatchSize: 50, Steps: 6, Rounds: 1, Threads: 1, Workers: 1, QueueSize: 10,
	}
}

func trainAll(t *testing.T, p record.Plan) []record.Run {
	t.Helper()
	var runs []record.Run
	for _, m := range All() {
		for _, e := range nn.Names() {
			run := Train(t.Context(), Job{Plan: p, Cell: record.Cell{Mode: m.Name, Execution: e}, Round: 1}, nil)
			if run.Error != "" {
				t.Fatalf("%s: %s", run.Cell(), run.Error)
			}
			runs = append(runs, run)
		}
	}
	return runs
}

func TestAllCellsTrainTheSameOrderAndEachExecutionToEqualWeights(t *testing.T) {
	many := footingPlan()
	many.Threads, many.Workers, many.QueueSize, many.ChunkSize = 3, 4, 2, 150
	runs := append(trainAll(t, footingPlan()), trainAll(t, many)...)
	weights := map[string]string{}
	for _, r := range runs {
		if r.OrderDigest == "" || r.OrderDigest != runs[0].OrderDigest {
			t.Errorf("%s with %d threads trained another order", r.Cell(), r.Threads)
		}
		if weights[r.Execution] == "" {
			weights[r.Execution] = r.WeightsDigest
		}
		if r.WeightsDigest == "" || r.WeightsDigest != weights[r.Execution] {
			t.Errorf("%s with %d threads came to other weights", r.Cell(), r.Threads)
		}
	}
}

func TestAnotherSeedIsAnotherOrderAndOtherWeights(t *testing.T) {
	job := Job{Plan: footingPlan(), Cell: record.Cell{Mode: "fit-windows", Execution: "compiled"}, Round: 1}
	one := Train(t.Context(), job, nil)
	job.Plan.Seed++
	other := Train(t.Context(), job, nil)
	if one.OrderDigest == other.OrderDigest || one.WeightsDigest == other.WeightsDigest {
		t.Error("the digests do not tell the seeds apart")
	}
}

// The same samples handed over as float64 rows with one-hot labels and as float32 offsets with classes.
func TestTheHandingOverDoesNotShowInTheWeights(t *testing.T) {
	const batch = 50
	s := source{set: smallSet(t, 230, 40), classes: 2, batch: batch, threads: 1, workers: 1, queue: 1, chunk: 100}
	for _, name := range nn.Names() {
		digests := map[string]string{}
		for _, m := range All() {
			digests[m.Name] = trainedWeights(t, name, m, s)
		}
		for mode, digest := range digests {
			if digest != digests["fit"] {
				t.Errorf("%s: weights after %s are not those after fit", name, mode)
			}
		}
	}
}

func trainedWeights(t *testing.T, execution string, m Mode, s source) string {
	t.Helper()
	impl, err := kernel.Select("auto")
	if err != nil {
		t.Fatal(err)
	}
	shapes := model.Default(s.set.Window)
	e, err := nn.New(execution, model.Config{
		Hyperparameters: shapes, BatchSize: s.batch, Threads: 1, Impl: impl, Weights: shapes.InitialWeights(3),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	before := weightsDigest(e.Weights())
	trainOneEpoch(t, m, s, e)
	after := weightsDigest(e.Weights())
	if after == before {
		t.Fatalf("%s: %s did not change the weights", execution, m.Name)
	}
	return after
}

func trainOneEpoch(t *testing.T, m Mode, s source, e model.Execution) {
	t.Helper()
	f, err := m.open(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	order := backwards(s.set.Samples())
	start(t, f, order)
	for range len(order) / s.batch {
		batch, _, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Step(batch); err != nil {
			t.Fatal(err)
		}
	}
}
