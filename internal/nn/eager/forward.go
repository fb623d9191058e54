package eager

// The variables in the arena's order.
const (
	convKernel = iota
	convBias
	dense1Kernel
	dense1Bias
	dense2Kernel
	dense2Bias
)

// fuzz is Keras's epsilon, which keeps probabilities away from 0 and 1 in the loss.
const fuzz = 1e-7

// constants are scalars that a runtime keeps rather than makes anew.
type constants struct{ zero, one, fuzz *tensor }

func newConstants() constants {
	return constants{zero: scalar(0), one: scalar(1), fuzz: scalar(fuzz)}
}

// forward is the network's output [N][Classes] for x [N][Window][1] of n samples.
func (m *Model) forward(x *tensor, n int) *tensor {
	y := m.conv1D(x)
	m.bias(&y, convBias)
	m.replace(&y, "Relu", attrs{})
	m.maxPool1D(&y)
	m.replace(&y, "Reshape", attrs{shape: newShape(n, m.config.Flat())})
	m.dense(&y, dense1Kernel, dense1Bias)
	m.replace(&y, "Relu", attrs{})
	m.dense(&y, dense2Kernel, dense2Bias)
	m.replace(&y, "Softmax", attrs{})
	return y
}

// conv1D is a 2D convolution over an image one pixel high.
func (m *Model) conv1D(x *tensor) *tensor {
	const height = 1
	image := m.dispatch("ExpandDims", attrs{axis: height}, x)
	filter := m.dispatch("ReadVariableOp", attrs{}, m.variables[convKernel].value)
	m.replace(&filter, "ExpandDims", attrs{axis: 0})
	m.replace(&image, "Conv2D", attrs{}, filter)
	m.release(filter)
	m.replace(&image, "Squeeze", attrs{axis: height})
	return image
}

// maxPool1D is a 2D pool over an image one pixel wide.
func (m *Model) maxPool1D(y **tensor) {
	const width = 2
	m.replace(y, "ExpandDims", attrs{axis: width})
	m.replace(y, "MaxPool", attrs{size: m.config.Pool})
	m.replace(y, "Squeeze", attrs{axis: width})
}

func (m *Model) dense(y **tensor, kernel, bias int) {
	w := m.dispatch("ReadVariableOp", attrs{}, m.variables[kernel].value)
	m.replace(y, "MatMul", attrs{}, w)
	m.release(w)
	m.bias(y, bias)
}

func (m *Model) bias(y **tensor, variable int) {
	b := m.dispatch("ReadVariableOp", attrs{}, m.variables[variable].value)
	m.replace(y, "BiasAdd", attrs{}, b)
	m.release(b)
}

// loss is the mean of Keras's categorical cross-entropy on probabilities (keras/backend.py, keras/utils/losses_utils.py),
// with a weight of 1 for every sample and for the loss.
func (m *Model) loss(p, target *tensor) *tensor {
	l := m.crossEntropy(p, target)
	m.replace(&l, "Mul", attrs{}, m.constants.one)
	samples := m.dispatch("Size", attrs{}, l)
	m.replace(&samples, "Cast", attrs{dtype: float32s})
	m.replace(&l, "Sum", attrs{axis: allAxes})
	m.replace(&l, "DivNoNan", attrs{}, samples)
	m.release(samples)
	m.replace(&l, "Mul", attrs{}, m.constants.one)
	m.replace(&l, "AddV2", attrs{}, m.constants.zero)
	return l
}

// crossEntropy is -sum(target * log(clip(p / sum(p)))) of each sample, [N].
func (m *Model) crossEntropy(p, target *tensor) *tensor {
	sum := m.dispatch("Sum", attrs{axis: lastAxis, keepDims: true}, p)
	q := m.dispatch("RealDiv", attrs{}, p, sum)
	m.release(sum)
	high := m.dispatch("Sub", attrs{}, m.constants.one, m.constants.fuzz)
	m.replace(&q, "Minimum", attrs{}, high)
	m.release(high)
	m.replace(&q, "Maximum", attrs{}, m.constants.fuzz)
	m.replace(&q, "Log", attrs{})
	m.replace(&q, "Mul", attrs{}, target)
	m.replace(&q, "Sum", attrs{axis: lastAxis})
	m.replace(&q, "Neg", attrs{})
	return q
}

// correct is how many samples have their largest probability at their class, a scalar.
func (m *Model) correct(p, target *tensor) *tensor {
	said := m.dispatch("ArgMax", attrs{axis: lastAxis}, p)
	class := m.dispatch("ArgMax", attrs{axis: lastAxis}, target)
	m.replace(&said, "Equal", attrs{}, class)
	m.release(class)
	m.replace(&said, "Cast", attrs{dtype: float32s})
	m.replace(&said, "Sum", attrs{axis: allAxes})
	return said
}
