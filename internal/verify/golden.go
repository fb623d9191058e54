package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"fitbench/internal/nn/model"
)

// golden is what a folder holds, found consistent: shapes fit together, all numbers are finite, all sample numbers exist.
type golden struct {
	series  seriesFile
	steps   stepsFile
	network model.Hyperparameters

	order          []int32   // [steps][batch]
	batchX         []float32 // [batch][window]
	batchLabels    []uint8   // [batch]
	initialWeights []float32 // [parameters]
	probabilities  []float32 // [batch][classes]
	gradients      []float32 // [parameters]
	weightsAfter   []weightsAfter
}

// weightsAfter are the weights after that many steps.
type weightsAfter struct {
	steps  int
	values []float32 // [parameters]
}

func readGolden(f *goldenFolder) (*golden, error) {
	g := new(golden)
	var err error
	if g.series, err = readSeries(f); err != nil {
		return nil, f.orElsewhere(err)
	}
	if g.steps, err = readSteps(f, g.series.Samples); err != nil {
		return nil, err
	}
	if g.network, err = network(f, g.steps, g.series.Window); err != nil {
		return nil, fmt.Errorf("%s: %w", stepsName, err)
	}
	return g, g.readArrays(f)
}

// orElsewhere says of a folder without series.json what a golden folder holds, and where below it one may lie.
func (f *goldenFolder) orElsewhere(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = fmt.Errorf("%w; a golden folder holds %s, %s, order.npy, batch0_x.npy, batch0_labels.npy, weights_init.npy, probabilities0.npy, "+
		"gradients0.npy and weights_after_K.npy", err, seriesName, stepsName)
	if below, _ := fs.Glob(f.FS, "*/"+seriesName); len(below) > 0 {
		err = fmt.Errorf("%w; %q below it may be meant", err, path.Dir(below[0]))
	}
	return err
}

// origin says what made the golden values, as far as the folder tells.
func (g *golden) origin() string {
	trained := "another implementation, which its folder does not name"
	switch keras, tensorflow := g.steps.Keras, g.steps.TensorFlow; {
	case keras != "" && tensorflow != "":
		trained = "Keras " + keras + " on TensorFlow " + tensorflow
	case keras != "":
		trained = "Keras " + keras
	case tensorflow != "":
		trained = "TensorFlow " + tensorflow
	}
	if g.series.NumPy == "" {
		return trained
	}
	return trained + ", with the series of NumPy " + g.series.NumPy
}

// checkVersion keeps what is not a version out of what is printed: a folder may hold anything.
func checkVersion(name, version string) error {
	for _, r := range version {
		if len(version) > maxVersion || r <= ' ' || r > '~' {
			return fmt.Errorf("%q is %.80q; a version of up to %d printable ASCII characters without spaces is accepted", name, version, maxVersion)
		}
	}
	return nil
}

const maxVersion = 40

func (g *golden) readArrays(f *goldenFolder) error {
	batch, parameters := g.steps.Batch, g.network.Layout().Size
	var errs [6]error
	g.order, errs[0] = below[int32](f, "order.npy", g.series.Samples, g.steps.Steps, batch)
	g.batchX, errs[1] = finite(f, "batch0_x.npy", batch, g.network.Window)
	g.batchLabels, errs[2] = below[uint8](f, "batch0_labels.npy", g.network.Classes, batch)
	g.initialWeights, errs[3] = finite(f, "weights_init.npy", parameters)
	g.probabilities, errs[4] = finite(f, "probabilities0.npy", batch, g.network.Classes)
	g.gradients, errs[5] = finite(f, "gradients0.npy", parameters)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return g.readWeightsAfter(f, parameters)
}

func (g *golden) readWeightsAfter(f *goldenFolder, parameters int) error {
	const prefix, suffix = "weights_after_", ".npy"
	names, err := fs.Glob(f.FS, prefix+"*"+suffix)
	if err != nil {
		return err
	}
	for _, name := range names {
		count := strings.TrimSuffix(strings.TrimPrefix(name, prefix), suffix)
		steps, err := strconv.Atoi(count)
		if err != nil || steps < 1 || steps > g.steps.Steps {
			return fmt.Errorf("%s: %q is no number of steps; 1 to %d, which %s has, are possible", name, count, g.steps.Steps, stepsName)
		}
		values, err := finite(f, name, parameters)
		if err != nil {
			return err
		}
		g.weightsAfter = append(g.weightsAfter, weightsAfter{steps, values})
	}
	slices.SortFunc(g.weightsAfter, func(a, b weightsAfter) int { return cmp.Compare(a.steps, b.steps) })
	return nil
}
