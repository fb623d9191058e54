package eager

import "testing"

func TestAnOperationRefusesWhatDoesNotFit(t *testing.T) {
	f := func(dims ...int) *tensor { return ramp(newShape(dims...)) }
	i := func(values ...int) *tensor { return tensorAs(newShape(len(values)), values) }
	double := tensorAs(newShape(2), []float64{1, 2})
	adam := func(change int, by *tensor) []*tensor {
		in := []*tensor{f(2), f(2), f(2), scalar(1), scalar(1), scalar(1), scalar(1), f(2)}
		in[change] = by
		return in
	}
	for _, c := range []struct {
		op    string
		attrs attrs
		in    []*tensor
		says  string
	}{
		{"Frobnicate", attrs{}, nil, "none of that name"},
		{"Neg", attrs{}, []*tensor{f(1), f(1)}, "2 inputs are given; it takes 1"},
		{"Neg", attrs{}, []*tensor{double}, "input 0 is float64; it takes float32"},
		{"Neg", attrs{}, []*tensor{nil}, "input 0 is released already"},
		{"Neg", attrs{}, []*tensor{f(1), f(1), f(1), f(1), f(1), f(1), f(1), f(1), f(1)}, "at most 8"},
		{"Reshape", attrs{shape: newShape(3)}, []*tensor{f(2, 2)}, "[3] has 3 elements; the input of shape [2,2] has 4"},
		{"ExpandDims", attrs{axis: 3}, []*tensor{f(2, 2)}, "axis 3"},
		{"ExpandDims", attrs{axis: 0}, []*tensor{f(1, 1, 1, 1)}, "[1,1,1,1]"},
		{"Squeeze", attrs{axis: 0}, []*tensor{f(2, 1)}, "not of size 1"},
		{"ReadVariableOp", attrs{}, nil, "0 inputs"},
		{"Gather", attrs{size: 4}, []*tensor{f(3, 1), i(0)}, "windows of 4 rows; 1 to 3"},
		{"Gather", attrs{}, []*tensor{f(3, 1), i(0)}, "windows of 0 rows"},
		{"Gather", attrs{size: 2}, []*tensor{i(1), i(0)}, "int64; it takes float32 or float64"},
		{"Gather", attrs{size: 2}, []*tensor{f(3, 1), f(1)}, "it takes int64"},
		{"Gather", attrs{size: 2}, []*tensor{f(3), i(0)}, "rank 2"},
		{"Cast", attrs{dtype: int64s}, []*tensor{double}, "float64 cannot be cast to int64"},
		{"Cast", attrs{dtype: float32s}, []*tensor{f(1)}, "float32 cannot be cast"},
		{"OneHot", attrs{size: 2}, []*tensor{i(1)}, "it takes uint8"},
		{"OneHot", attrs{}, []*tensor{tensorAs(newShape(1), []uint8{0})}, "depth is 0"},
		{"Tile", attrs{shape: newShape(2)}, []*tensor{f(2, 1)}, "multiples [2]"},
		{"Tile", attrs{shape: newShape(2, 1)}, []*tensor{f(2, 1)}, "only one element or a last axis"},
		{"Tile", attrs{shape: newShape(1, 0)}, []*tensor{f(2, 1)}, "at least 1"},
		{"Fill", attrs{}, []*tensor{f(1)}, "it takes 0"},
		{"Mul", attrs{}, []*tensor{f(2), f(3)}, "[2] and [3] do not go together"},
		{"Mul", attrs{}, []*tensor{f(2, 1), f(2, 2)}, "do not go together"},
		{"AddV2", attrs{}, []*tensor{i(1), f(1)}, "input 1 is float32; it takes int64"},
		{"LessEqual", attrs{}, []*tensor{f(2), f(1)}, "do not go together"},
		{"Equal", attrs{}, []*tensor{i(1), i(1, 2)}, "not the same"},
		{"Select", attrs{}, []*tensor{tensorAs(newShape(1), []bool{true}), f(1), f(2)}, "input 2 has shape [2]; the mask has [1]"},
		{"Sum", attrs{axis: 0}, []*tensor{f(2, 2)}, "axis 0"},
		{"Sum", attrs{axis: lastAxis}, []*tensor{f()}, "shape []"},
		{"AddN", attrs{}, []*tensor{f(2), f(3)}, "not the same"},
		{"ArgMax", attrs{}, []*tensor{f()}, "scalar"},
		{"Conv2D", attrs{}, []*tensor{f(1, 3, 1), f(1, 2, 1, 2)}, "[N,1,D,1]"},
		{"Conv2D", attrs{}, []*tensor{f(1, 1, 3, 1), f(1, 4, 1, 2)}, "K at most 3"},
		{"BiasAdd", attrs{}, []*tensor{f(2, 3), f(2)}, "[...,n] and [n]"},
		{"MaxPool", attrs{size: 6}, []*tensor{f(1, 5, 1, 1)}, "pool is 6; 1 to 5"},
		{"MaxPool", attrs{size: 2}, []*tensor{f(1, 5, 2, 1)}, "[N,T,1,F]"},
		{"MatMul", attrs{}, []*tensor{f(2, 3), f(2, 3)}, "do not go together"},
		{"MatMul", attrs{transposeA: true, transposeB: true}, []*tensor{f(2, 2), f(2, 2)}, "do not go together"},
		{"MatMul", attrs{}, []*tensor{f(2, 3), f(3)}, "rank 2"},
		{"Softmax", attrs{}, []*tensor{f(2)}, "rank 2"},
		{"Conv2DBackpropFilter", attrs{shape: newShape(1, 2, 1, 1)}, []*tensor{f(1, 1, 3, 1), f(1, 1, 3, 1)}, "it takes [1,1,2,1]"},
		{"Conv2DBackpropFilter", attrs{shape: newShape(2)}, []*tensor{f(1, 1, 3, 1), f(1, 1, 3, 1)}, "[1,K,1,F]"},
		{"BiasAddGrad", attrs{}, []*tensor{f(2)}, "[...,n]"},
		{"MaxPoolGrad", attrs{size: 2}, []*tensor{f(1, 4, 1, 1), f(1, 2, 1, 1), f(1, 4, 1, 1)}, "input 2 has shape [1,4,1,1]; it takes [1,2,1,1]"},
		{"ReluGrad", attrs{}, []*tensor{f(2), f(3)}, "not the same"},
		{"AssignAddVariableOp", attrs{}, []*tensor{count(1), f()}, "float32; it takes int64"},
		{"ResourceApplyAdam", attrs{}, adam(7, f(3)), "input 7 is float32 of shape [3]; it takes float32 of shape [2]"},
		{"ResourceApplyAdam", attrs{}, adam(4, f(1)), "input 4"},
		{"ResourceApplyAdam", attrs{}, []*tensor{f(2)}, "it takes 8"},
	} {
		t.Run(c.op+": "+c.says, func(t *testing.T) {
			m := newModel(t, small(), 1, 1)
			if y := m.dispatch(c.op, c.attrs, c.in...); y != nil {
				t.Error("there is a result")
			}
			wantError(t, m.err, "operation "+c.op+": ", c.says)
			if m.memory.outstanding != 0 || m.counts.Ops != 0 {
				t.Errorf("%d tensors and %d operations are counted, want none", m.memory.outstanding, m.counts.Ops)
			}
		})
	}
}

func TestNothingRunsAfterAnError(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	m.dispatch("Frobnicate", attrs{})
	first := m.err
	if y := m.dispatch("Neg", attrs{}, ramp(newShape(2))); y != nil || m.counts.Ops != 0 {
		t.Error("an operation ran")
	}
	if m.err != first {
		t.Errorf("the error became %v, want the first, %v", m.err, first)
	}
}

func TestAWatchedInputNeedsAGradient(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	x := ramp(newShape(2))
	m.tape.start()
	m.tape.watch(x)
	m.dispatch("Sqrt", attrs{}, x)
	wantError(t, m.err, "Sqrt", "no gradient")
}

func TestAReleasedInputIsRefused(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	x := m.dispatch("Neg", attrs{}, ramp(newShape(2)))
	m.release(x)
	m.dispatch("Neg", attrs{}, x)
	wantError(t, m.err, "Neg", "input 0 is released already")
}

func TestAGradientThatIsNotThereIsAnError(t *testing.T) {
	image, filter := ramp(newShape(1, 1, 3, 1)), ramp(newShape(1, 2, 1, 1))
	square := ramp(newShape(2, 2))
	for _, c := range []struct {
		op    string
		attrs attrs
		in    []*tensor
	}{
		{"Conv2D", attrs{}, []*tensor{image, filter}},
		{"MatMul", attrs{transposeA: true}, []*tensor{square, square}},
		{"MatMul", attrs{transposeB: true}, []*tensor{square, square}},
	} {
		m := newModel(t, small(), 1, 1)
		m.tape.start()
		m.tape.watch(c.in[0])
		y := m.dispatch(c.op, c.attrs, c.in...)
		m.backward(y)
		wantError(t, m.err, c.op, "not implemented")
	}
}
