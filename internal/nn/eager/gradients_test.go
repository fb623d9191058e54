package eager

import (
	"math"
	"testing"
)

// Each gradient is held to central differences of the weighted sum of the operation's results, computed through dispatch with the
// tape off. The weights differ, so that no mix-up of elements goes unnoticed.
func TestAGradientAgreesWithFiniteDifferences(t *testing.T) {
	positive := func(s shape) *tensor {
		x := ramp(s)
		for i, v := range x.f32() {
			x.f32()[i] = 1 + v*v
		}
		return x
	}
	r := func(dims ...int) *tensor { return ramp(newShape(dims...)) }
	p := func(dims ...int) *tensor { return positive(newShape(dims...)) }
	for _, c := range []struct {
		what  string
		op    string
		attrs attrs
		in    []*tensor
		only  int // 1 + the one input that is watched; 0 for all
	}{
		{"reshape", "Reshape", attrs{shape: newShape(3, 2)}, []*tensor{r(2, 3)}, 0},
		{"expand", "ExpandDims", attrs{axis: 1}, []*tensor{r(2, 3)}, 0},
		{"squeeze", "Squeeze", attrs{axis: 1}, []*tensor{r(2, 1, 3)}, 0},
		{"read", "ReadVariableOp", attrs{}, []*tensor{r(2, 3)}, 0},
		{"tile last axis", "Tile", attrs{shape: newShape(1, 3)}, []*tensor{r(2, 1)}, 0},
		{"negate", "Neg", attrs{}, []*tensor{r(3)}, 0},
		{"logarithm", "Log", attrs{}, []*tensor{p(3)}, 0},
		{"ReLU", "Relu", attrs{}, []*tensor{r(7)}, 0},
		{"add", "AddV2", attrs{}, []*tensor{r(3), p(3)}, 0},
		{"add a scalar", "AddV2", attrs{}, []*tensor{r(3), p()}, 0},
		{"subtract a column", "Sub", attrs{}, []*tensor{r(2, 3), p(2, 1)}, 0},
		{"subtract from a scalar", "Sub", attrs{}, []*tensor{p(), r(3)}, 0},
		{"multiply", "Mul", attrs{}, []*tensor{r(3), p(3)}, 0},
		{"multiply by a column", "Mul", attrs{}, []*tensor{r(2, 3), p(2, 1)}, 0},
		{"multiply by a scalar", "Mul", attrs{}, []*tensor{r(3), p()}, 0},
		{"divide", "RealDiv", attrs{}, []*tensor{r(3), p(3)}, 0},
		{"divide by a column", "RealDiv", attrs{}, []*tensor{r(2, 3), p(2, 1)}, 0},
		{"divide, no NaN", "DivNoNan", attrs{}, []*tensor{r(3), p()}, 0},
		{"minimum", "Minimum", attrs{}, []*tensor{r(7), tensorOf(shape{}, 0.3)}, 0},
		{"maximum", "Maximum", attrs{}, []*tensor{r(7), tensorOf(shape{}, 0.3)}, 0},
		{"sum of all", "Sum", attrs{axis: allAxes}, []*tensor{r(2, 3)}, 0},
		{"sum of rows", "Sum", attrs{axis: lastAxis}, []*tensor{r(2, 3)}, 0},
		{"sum of rows, kept", "Sum", attrs{axis: lastAxis, keepDims: true}, []*tensor{r(2, 3)}, 0},
		{"convolution", "Conv2D", attrs{}, []*tensor{r(2, 1, 5, 1), p(1, 3, 1, 2)}, 2},
		{"bias", "BiasAdd", attrs{}, []*tensor{r(2, 3, 2), p(2)}, 0},
		{"max-pool", "MaxPool", attrs{size: 2}, []*tensor{r(2, 5, 1, 2)}, 0},
		{"product", "MatMul", attrs{}, []*tensor{r(2, 3), p(3, 4)}, 0},
		{"softmax", "Softmax", attrs{}, []*tensor{r(2, 3)}, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			m := newModel(t, small(), 1, 1)
			weighted := func() *tensor {
				y := m.dispatch(c.op, c.attrs, c.in...)
				if m.err != nil {
					t.Fatal(m.err)
				}
				m.replace(&y, "Mul", attrs{}, positive(y.shape))
				m.replace(&y, "Sum", attrs{axis: allAxes})
				return y
			}
			m.tape.start()
			var watched []*tensor
			for i, x := range c.in {
				if c.only == 0 || c.only == i+1 {
					m.tape.watch(x)
					watched = append(watched, x)
				}
			}
			m.backward(weighted())
			for i, x := range watched {
				dx := m.take(x)
				if m.err != nil {
					t.Fatal(m.err)
				}
				if dx.shape != x.shape {
					t.Errorf("gradient %d has shape %v, want %v", i, dx.shape, x.shape)
				}
				wantValues(t, "gradient", values(dx), differences(x, func() float64 { return float64(weighted().scalar()) }), 3e-3)
			}
		})
	}
}

// differences are the central differences of f by the elements of x.
func differences(x *tensor, f func() float64) []float64 {
	const h = 1.0 / 64
	var d []float64
	for i, v := range x.f32() {
		x.f32()[i] = v + h
		above := f()
		x.f32()[i] = v - h
		below := f()
		x.f32()[i] = v
		d = append(d, (above-below)/(2*h))
	}
	return d
}

func TestTheGradientOfATensorUsedTwiceIsASum(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	x := tensorOf(newShape(2), 3, 5)
	m.tape.start()
	m.tape.watch(x)
	y := m.dispatch("Mul", attrs{}, x, x)
	m.replace(&y, "AddV2", attrs{}, x)
	m.replace(&y, "Sum", attrs{axis: allAxes})
	m.backward(y)
	wantValues(t, "gradient of x*x+x", values(m.take(x)), []float64{7, 11}, 0)
	if m.err != nil {
		t.Fatal(m.err)
	}
}

func TestTheTapeKeepsOnlyWhatGradientsRead(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	x, unwatched := ramp(newShape(4)), ramp(newShape(4))
	m.tape.start()
	m.tape.watch(x)
	m.release(m.dispatch("Neg", attrs{}, unwatched))
	if n := len(m.tape.entries); n != 0 {
		t.Errorf("%d operations on unwatched tensors are on the tape", n)
	}
	negated := m.dispatch("Neg", attrs{}, x) // its gradient reads nothing
	shut := m.dispatch("Relu", attrs{}, negated)
	m.release(negated)
	m.release(shut) // the tape still reads this result
	if n := m.memory.outstanding; n != 1 {
		t.Errorf("%d tensors are held, want the ReLU's result alone", n)
	}
	m.backward(nil)
	if n := m.memory.outstanding; n != 0 {
		t.Errorf("%d tensors are held after the tape let go", n)
	}
}

func TestATensorThatTheLossDoesNotDependOnIsAnError(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	x, y := ramp(newShape(2)), ramp(newShape(2))
	m.tape.start()
	m.tape.watch(x)
	m.tape.watch(y)
	m.backward(m.dispatch("Sum", attrs{axis: allAxes}, x))
	m.release(m.take(x))
	if m.take(y) != nil || m.err == nil {
		t.Error("there is a gradient")
	}
}

func TestAClippedProbabilityHasNoGradient(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	p, target := tensorOf(newShape(1, 2), 1, 0), tensorOf(newShape(1, 2), 1, 0)
	m.tape.start()
	m.tape.watch(p)
	loss := m.loss(p, target)
	// -log(1 - 1e-7) in float32, whose nearest value below 1 - 1e-7 is 1 - 2^-23.
	wantValues(t, "loss", values(loss), []float64{-math.Log(1 - 0x1p-23)}, 1e-8)
	m.backward(loss)
	wantValues(t, "gradient", values(m.take(p)), []float64{0, 0}, 0)
}
