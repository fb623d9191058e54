package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fitbench/internal/nn/model"
	"fitbench/internal/npy"
)

const stepsName = "steps.json"

// stepsFile is steps.json: the training steps of another implementation.
type stepsFile struct {
	Keras      string `json:"keras"` // the versions that trained; may be missing
	TensorFlow string `json:"tensorflow"`

	Batch      int `json:"batch"`
	Steps      int `json:"steps"`
	Parameters []struct {
		Name  string `json:"name"`
		Shape []int  `json:"shape"`
	} `json:"parameters"`
	Adam struct {
		LearningRate float64 `json:"learning_rate"`
		Beta1        float64 `json:"beta_1"`
		Beta2        float64 `json:"beta_2"`
		Epsilon      float64 `json:"epsilon"`
	} `json:"adam"`
	Loss     []float64 `json:"loss"`     // [Steps], of each batch before its update
	Accuracy []float64 `json:"accuracy"` // [Steps]
}

func readSteps(f *goldenFolder, samples int) (stepsFile, error) {
	var s stepsFile
	if err := f.object(stepsName, &s, "batch", "steps", "parameters", "adam", "loss", "accuracy"); err != nil {
		return s, err
	}
	if err := s.validate(samples); err != nil {
		return s, fmt.Errorf("%s: %w", stepsName, err)
	}
	return s, nil
}

func (s stepsFile) validate(samples int) error {
	if s.Batch < 1 || s.Batch > samples {
		return fmt.Errorf("batch is %d; 1 to %d, the samples of the series, are possible", s.Batch, samples)
	}
	if s.Steps < 1 {
		return fmt.Errorf("steps is %d; at least 1 is needed", s.Steps)
	}
	if len(s.Loss) != s.Steps || len(s.Accuracy) != s.Steps {
		return fmt.Errorf("%d losses and %d accuracies; %d steps need as many", len(s.Loss), len(s.Accuracy), s.Steps)
	}
	if err := errors.Join(checkVersion("keras", s.Keras), checkVersion("tensorflow", s.TensorFlow)); err != nil {
		return err
	}
	for i, accuracy := range s.Accuracy {
		if accuracy < 0 || accuracy > 1 {
			return fmt.Errorf("accuracy %d is %v; 0 to 1 are possible", i, accuracy)
		}
	}
	for _, c := range []struct {
		name     string
		value    float64
		accepted bool
		range_   string
	}{
		{"learning_rate", s.Adam.LearningRate, s.Adam.LearningRate > 0, "more than 0"},
		{"beta_1", s.Adam.Beta1, s.Adam.Beta1 >= 0 && s.Adam.Beta1 < 1, "0 to less than 1"},
		{"beta_2", s.Adam.Beta2, s.Adam.Beta2 >= 0 && s.Adam.Beta2 < 1, "0 to less than 1"},
		{"epsilon", s.Adam.Epsilon, s.Adam.Epsilon > 0, "more than 0"},
	} {
		if !c.accepted {
			return fmt.Errorf("adam's %s is %v; %s is needed", c.name, c.value, c.range_)
		}
	}
	return nil
}

// network finds the hyperparameters from the shapes of the parameters, and takes the memory of an execution that trains it.
func network(f *goldenFolder, s stepsFile, window int) (model.Hyperparameters, error) {
	h, err := hyperparameters(s, window, f.left())
	if err != nil {
		return h, err
	}
	return h, f.take(fmt.Sprintf("training %d parameters on %d samples a step takes", h.Layout().Size, s.Batch), arenaBytes(h)+activationBytes(h, s.Batch))
}

// arenaBytes is an upper estimate of what one execution allocates that grows with its parameters, all of it float32: where steps are
// compiled up to 32 arenas of gradients for as many shards, beside the weights, their gradient and Adam's moments, and where the kernel
// has lanes up to 16 more for as many parts, with their sums by lanes (at most 90 arenas, where the pool leaves one position); less
// where steps are eager.
func arenaBytes(h model.Hyperparameters) float64 {
	const arenas = 40 + 16 + 90
	return 4 * arenas * float64(h.Layout().Size)
}

// activationBytes is the same of what grows with the batch: where steps are run op by op some eight tensors of the convolution's size
// and as many of the hidden layer's for all samples; next to nothing where they are compiled.
func activationBytes(h model.Hyperparameters, batch int) float64 {
	const tensors = 8
	aSample := float64(h.ConvOut())*float64(h.Filters) + float64(h.Units)
	return 4 * tensors * aSample * float64(batch)
}

func hyperparameters(s stepsFile, window int, limit int64) (model.Hyperparameters, error) {
	// A network of ones tells what the parameters are called and how many axes each has.
	like := model.Hyperparameters{Window: 1, Filters: 1, Kernel: 1, Pool: 1, Units: 1, Classes: 1}.Layout().Variables()
	if len(s.Parameters) != len(like) {
		return model.Hyperparameters{}, fmt.Errorf("%d parameters; the network has %d", len(s.Parameters), len(like))
	}
	for i, p := range s.Parameters {
		if p.Name != like[i].Name || len(p.Shape) != len(like[i].Shape) {
			return model.Hyperparameters{}, fmt.Errorf("parameter %d is %q with %d axes; %q with %d is needed", i, p.Name, len(p.Shape), like[i].Name, len(like[i].Shape))
		}
		if size := elements(p.Shape); !(size >= 1 && 4*size <= float64(limit)) {
			return model.Hyperparameters{}, fmt.Errorf("%s has shape %s; axes from 1 on that take at most %d bytes are possible", p.Name, npy.Tuple(p.Shape), limit)
		}
	}
	conv, dense1, dense2 := s.Parameters[0].Shape, s.Parameters[2].Shape, s.Parameters[4].Shape
	h := model.Hyperparameters{
		Window: window, Kernel: conv[0], Filters: conv[2], Units: dense1[1], Classes: dense2[1],
		LearningRate: s.Adam.LearningRate, Beta1: s.Adam.Beta1, Beta2: s.Adam.Beta2, Epsilon: s.Adam.Epsilon,
	}
	if h.Kernel > window {
		return h, fmt.Errorf("the convolution's kernel has %d taps; windows have %d values", h.Kernel, window)
	}
	var err error
	if h.Pool, err = pool(h, dense1[0]); err != nil {
		return h, err
	}
	if err := h.Validate(); err != nil {
		return h, err
	}
	for i, v := range h.Layout().Variables() {
		if !slices.Equal(v.Shape, s.Parameters[i].Shape) {
			return h, fmt.Errorf("%s has shape %s; beside the other parameters it must be %s", v.Name, npy.Tuple(s.Parameters[i].Shape), npy.Tuple(v.Shape))
		}
	}
	return h, nil
}

// elements is the product of a shape, NaN where an axis is below 1; as a float it cannot overflow.
func elements(shape []int) float64 {
	size := 1.0
	for _, n := range shape {
		if n < 1 {
			return math.NaN()
		}
		size *= float64(n)
	}
	return size
}

// pool is the width of the max-pool, which stands in no parameter's shape: the one that makes the convolution's positions into those
// that the first dense layer takes. Where several do, the experiment's is meant, if it is one of them.
func pool(h model.Hyperparameters, flat int) (int, error) {
	var fitting []int
	for p := 1; p <= min(model.MaxPool, h.ConvOut()); p++ {
		if h.Pool = p; h.Flat() == flat {
			fitting = append(fitting, p)
		}
	}
	usual := model.Default(h.Window).Pool
	switch {
	case len(fitting) == 0:
		return 0, fmt.Errorf("no max-pool makes %d positions of %d filters into the %d inputs of dense1_kernel", h.ConvOut(), h.Filters, flat)
	case len(fitting) == 1:
		return fitting[0], nil
	case slices.Contains(fitting, usual):
		return usual, nil
	}
	return 0, fmt.Errorf("max-pools of %d to %d fit the %d inputs of dense1_kernel alike; which is meant cannot be told", fitting[0], fitting[len(fitting)-1], flat)
}
