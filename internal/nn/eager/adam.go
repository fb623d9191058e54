package eager

import "fitbench/internal/nn/model"

// optimizer is Adam in Keras's form with its variables: the number of steps done, the hyperparameters, the moments.
type optimizer struct {
	iterations, increment *tensor // int64 scalars
	rate, beta1, beta2    *tensor // scalars
	// 1-beta1, 1-beta2 and epsilon, rounded to float32 once: the subtraction in float32 would leave 1-0.999 5e-5 off.
	rate1, rate2, epsilon *tensor
	m, v                  []float32 // arenas of the moments
	moments               []moments // by variable
}

// moments are the first and second moment of one variable, over the arenas.
type moments struct{ m, v *tensor }

func newOptimizer(h model.Hyperparameters) optimizer {
	layout := h.Layout()
	o := optimizer{
		iterations: count(0), increment: count(1),
		rate: scalar(h.LearningRate), beta1: scalar(h.Beta1), beta2: scalar(h.Beta2),
		rate1: scalar(1 - h.Beta1), rate2: scalar(1 - h.Beta2), epsilon: scalar(h.Epsilon),
		m: make([]float32, layout.Size), v: make([]float32, layout.Size),
	}
	for _, v := range layout.Variables() {
		s := newShape(v.Shape...)
		o.moments = append(o.moments, moments{m: resident(s, v.Of(o.m)), v: resident(s, v.Of(o.v))})
	}
	return o
}

// Moments are Adam's first and second moments, laid out as the weights, views.
func (m *Model) Moments() (first, second []float32) { return m.optimizer.m, m.optimizer.v }

// scalar makes a resident float32 scalar, count an int64 one.
func scalar(value float64) *tensor { return resident(shape{}, []float32{float32(value)}) }

func count(n int) *tensor {
	t := resident(shape{}, nil)
	t.dtype, t.buf.ints = int64s, []int{n}
	return t
}

// applyGradients updates every variable: first the step's scalars, as operations, then one operation a variable.
func (m *Model) applyGradients() {
	o := &m.optimizer
	alpha := m.stepSize()
	for i, v := range m.variables {
		mo := o.moments[i]
		m.dispatch("ResourceApplyAdam", attrs{}, v.value, mo.m, mo.v, alpha, o.rate1, o.rate2, o.epsilon, v.gradient)
	}
	m.dispatch("AssignAddVariableOp", attrs{}, o.iterations, o.increment)
	m.release(alpha)
}

// stepSize is rate * sqrt(1-beta2^t) / (1-beta1^t), where t counts this step (Kingma and Ba 2015, end of section 2).
func (m *Model) stepSize() *tensor {
	o := &m.optimizer
	t := m.dispatch("ReadVariableOp", attrs{}, o.iterations)
	m.replace(&t, "AddV2", attrs{}, o.increment)
	m.replace(&t, "Cast", attrs{dtype: float32s})

	alpha := m.oneMinusPower(o.beta2, t)
	m.replace(&alpha, "Sqrt", attrs{})
	correction := m.oneMinusPower(o.beta1, t)
	m.replace(&alpha, "RealDiv", attrs{}, correction)
	m.release(correction)
	m.release(t)

	rate := m.dispatch("ReadVariableOp", attrs{}, o.rate)
	m.replace(&alpha, "Mul", attrs{}, rate)
	m.release(rate)
	return alpha
}

// oneMinusPower is 1 - variable^t.
func (m *Model) oneMinusPower(variable, t *tensor) *tensor {
	beta := m.dispatch("ReadVariableOp", attrs{}, variable)
	m.replace(&beta, "Pow", attrs{}, t)
	rest := m.dispatch("Sub", attrs{}, m.constants.one, beta)
	m.release(beta)
	return rest
}
