package parity

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"fitbench/internal/data"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/npy"
	"fitbench/internal/record"
)

// ordersCompared is how many epochs' orders are handed over: those of a plan with many short epochs would be many times the series.
const ordersCompared = 4

// writeData leaves the plan's data in the folder.
func writeData(ctx context.Context, dir string, p record.Plan) (engine.NativeData, error) {
	set, err := data.Generate(ctx, modes.DataConfig(p))
	if err != nil {
		return engine.NativeData{}, err
	}
	epochs := min(ordersCompared, (p.TotalSteps()+p.StepsPerEpoch()-1)/p.StepsPerEpoch())
	orders := make([]int32, epochs*p.Samples)
	for e := range epochs {
		if err := data.EpochOrder(ctx, orders[e*p.Samples:(e+1)*p.Samples], p.Seed, e); err != nil {
			return engine.NativeData{}, err
		}
	}
	files := engine.NativeData{
		Series: filepath.Join(dir, "series.npy"), Anomalies: filepath.Join(dir, "anomalies.npy"),
		Labels: filepath.Join(dir, "labels.npy"), Orders: filepath.Join(dir, "orders.npy"),
	}
	return files, errors.Join(
		write(files.Series, set.Values[:p.Samples], p.Samples), write(files.Anomalies, set.Anomalies, len(set.Anomalies)),
		write(files.Labels, set.Labels, p.Samples), write(files.Orders, orders, epochs, p.Samples),
	)
}

func write[T npy.Writable](path string, values []T, shape ...int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(npy.Write(file, values, shape...), file.Close())
}
