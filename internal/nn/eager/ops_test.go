package eager

import (
	"math"
	"testing"
)

func TestAnOperationComputesWhatHandArithmeticSays(t *testing.T) {
	nan := math.NaN()
	nan32 := float32(nan)
	v := func(values ...float32) *tensor { return tensorOf(newShape(len(values)), values...) }
	grid := func(rows, n int, values ...float32) *tensor { return tensorOf(newShape(rows, n), values...) }
	scalarOf := func(x float32) *tensor { return tensorOf(shape{}, x) }
	for _, c := range []struct {
		what  string
		op    string
		attrs attrs
		in    []*tensor
		shape shape
		want  []float64
	}{
		{"reshape", "Reshape", attrs{shape: newShape(2, 2)}, []*tensor{v(1, 2, 3, 4)}, newShape(2, 2), []float64{1, 2, 3, 4}},
		{"expand", "ExpandDims", attrs{axis: 1}, []*tensor{grid(2, 1, 1, 2)}, newShape(2, 1, 1), []float64{1, 2}},
		{"squeeze", "Squeeze", attrs{axis: 0}, []*tensor{grid(1, 2, 1, 2)}, newShape(2), []float64{1, 2}},
		{"read", "ReadVariableOp", attrs{}, []*tensor{v(1, 2)}, newShape(2), []float64{1, 2}},

		{"gather float32", "Gather", attrs{size: 2}, []*tensor{grid(4, 1, 5, 6, 7, 8), tensorAs(newShape(3), []int{2, 0, 1})},
			newShape(3, 2, 1), []float64{7, 8, 5, 6, 6, 7}},
		{"gather float64, two channels", "Gather", attrs{size: 1}, []*tensor{tensorAs(newShape(2, 2), []float64{1, 2, 3, 4}),
			tensorAs(newShape(2), []int{1, 0})}, newShape(2, 1, 2), []float64{3, 4, 1, 2}},
		{"cast float64", "Cast", attrs{}, []*tensor{tensorAs(newShape(2), []float64{0.1, nan})}, newShape(2), []float64{float64(float32(0.1)), nan}},
		{"cast int64", "Cast", attrs{}, []*tensor{tensorAs(shape{}, []int{7})}, shape{}, []float64{7}},
		{"cast bool", "Cast", attrs{}, []*tensor{tensorAs(newShape(2), []bool{true, false})}, newShape(2), []float64{1, 0}},
		{"one-hot", "OneHot", attrs{size: 3}, []*tensor{tensorAs(newShape(3), []uint8{2, 0, 9})}, newShape(3, 3), []float64{0, 0, 1, 1, 0, 0, 0, 0, 0}},
		{"tile the last axis", "Tile", attrs{shape: newShape(1, 2)}, []*tensor{grid(2, 1, 3, 4)}, newShape(2, 2), []float64{3, 3, 4, 4}},
		{"tile one element", "Tile", attrs{shape: newShape(2, 2)}, []*tensor{grid(1, 1, 3)}, newShape(2, 2), []float64{3, 3, 3, 3}},

		{"negate", "Neg", attrs{}, []*tensor{v(1, -2)}, newShape(2), []float64{-1, 2}},
		{"reciprocal", "Reciprocal", attrs{}, []*tensor{v(4, -2)}, newShape(2), []float64{0.25, -0.5}},
		{"square root", "Sqrt", attrs{}, []*tensor{v(9, 2.25)}, newShape(2), []float64{3, 1.5}},
		{"logarithm", "Log", attrs{}, []*tensor{v(1, math.E)}, newShape(2), []float64{0, 1}},
		{"ReLU", "Relu", attrs{}, []*tensor{v(-1, 2, nan32)}, newShape(3), []float64{0, 2, nan}},
		{"fill", "Fill", attrs{shape: newShape(2), value: 3}, nil, newShape(2), []float64{3, 3}},

		{"add", "AddV2", attrs{}, []*tensor{v(1, 2), v(10, 20)}, newShape(2), []float64{11, 22}},
		{"add counts", "AddV2", attrs{}, []*tensor{tensorAs(shape{}, []int{4}), tensorAs(shape{}, []int{1})}, shape{}, []float64{5}},
		{"scalar minus tensor", "Sub", attrs{}, []*tensor{scalarOf(1), v(2, 3)}, newShape(2), []float64{-1, -2}},
		{"tensor minus column", "Sub", attrs{}, []*tensor{grid(2, 2, 1, 2, 3, 4), grid(2, 1, 1, 10)}, newShape(2, 2), []float64{0, 1, -7, -6}},
		{"multiply by a scalar", "Mul", attrs{}, []*tensor{v(2, 3), scalarOf(4)}, newShape(2), []float64{8, 12}},
		{"divide", "RealDiv", attrs{}, []*tensor{grid(1, 2, 1, 3), grid(1, 1, 4)}, newShape(1, 2), []float64{0.25, 0.75}},
		{"divide by zero", "RealDiv", attrs{}, []*tensor{v(1), v(0)}, newShape(1), []float64{math.Inf(1)}},
		{"divide, no NaN", "DivNoNan", attrs{}, []*tensor{v(1, 6), v(0, 3)}, newShape(2), []float64{0, 2}},
		{"minimum", "Minimum", attrs{}, []*tensor{v(1, 5, nan32), scalarOf(3)}, newShape(3), []float64{1, 3, nan}},
		{"maximum", "Maximum", attrs{}, []*tensor{v(1, 5, nan32), scalarOf(3)}, newShape(3), []float64{3, 5, nan}},
		{"power", "Pow", attrs{}, []*tensor{scalarOf(0.5), scalarOf(3)}, shape{}, []float64{0.125}},
		{"add tensors", "AddN", attrs{}, []*tensor{v(1, 2), v(3, 4)}, newShape(2), []float64{4, 6}},

		{"at most", "LessEqual", attrs{}, []*tensor{v(1, 2, 3, nan32), scalarOf(2)}, newShape(4), []float64{1, 1, 0, 0}},
		{"at least", "GreaterEqual", attrs{}, []*tensor{v(1, 2, 3, nan32), scalarOf(2)}, newShape(4), []float64{0, 1, 1, 0}},
		{"equal", "Equal", attrs{}, []*tensor{tensorAs(newShape(2), []int{1, 2}), tensorAs(newShape(2), []int{1, 3})}, newShape(2), []float64{1, 0}},
		{"select", "Select", attrs{}, []*tensor{tensorAs(newShape(2), []bool{true, false}), v(1, 2), v(3, 4)}, newShape(2), []float64{1, 4}},

		{"sum of all", "Sum", attrs{axis: allAxes}, []*tensor{grid(2, 2, 1, 2, 3, 4)}, shape{}, []float64{10}},
		{"sum of rows", "Sum", attrs{axis: lastAxis}, []*tensor{grid(2, 2, 1, 2, 3, 4)}, newShape(2), []float64{3, 7}},
		{"sum of rows, kept", "Sum", attrs{axis: lastAxis, keepDims: true}, []*tensor{grid(2, 2, 1, 2, 3, 4)}, newShape(2, 1), []float64{3, 7}},
		{"largest", "ArgMax", attrs{}, []*tensor{grid(2, 3, 1, 5, 5, 3, 2, 1)}, newShape(2), []float64{1, 0}},
		{"size", "Size", attrs{}, []*tensor{grid(2, 3, 0, 0, 0, 0, 0, 0)}, shape{}, []float64{6}},

		{"convolution", "Conv2D", attrs{}, []*tensor{tensorOf(newShape(1, 1, 3, 1), 1, 2, 3), tensorOf(newShape(1, 2, 1, 2), 1, 10, 2, 20)},
			newShape(1, 1, 2, 2), []float64{5, 50, 8, 80}},
		{"gradient of its filter", "Conv2DBackpropFilter", attrs{shape: newShape(1, 2, 1, 1)},
			[]*tensor{tensorOf(newShape(1, 1, 3, 1), 1, 2, 3), tensorOf(newShape(1, 1, 2, 1), 1, 10)}, newShape(1, 2, 1, 1), []float64{21, 32}},
		{"bias", "BiasAdd", attrs{}, []*tensor{grid(2, 2, 1, 2, 3, 4), v(10, 20)}, newShape(2, 2), []float64{11, 22, 13, 24}},
		{"gradient of a bias", "BiasAddGrad", attrs{}, []*tensor{grid(2, 2, 1, 2, 3, 4)}, newShape(2), []float64{4, 6}},
		{"max-pool drops what is left over", "MaxPool", attrs{size: 2}, []*tensor{tensorOf(newShape(1, 5, 1, 1), 1, 3, 2, 0, 9)},
			newShape(1, 2, 1, 1), []float64{3, 2}},
		{"gradient of a max-pool", "MaxPoolGrad", attrs{size: 2}, []*tensor{tensorOf(newShape(1, 5, 1, 1), 1, 3, 2, 2, 9),
			tensorOf(newShape(1, 2, 1, 1), 3, 2), tensorOf(newShape(1, 2, 1, 1), 10, 20)}, newShape(1, 5, 1, 1), []float64{0, 10, 20, 0, 0}},
		{"gradient of a ReLU", "ReluGrad", attrs{}, []*tensor{v(5, 6), v(0, 1)}, newShape(2), []float64{0, 6}},
		{"product", "MatMul", attrs{}, []*tensor{grid(1, 2, 1, 2), grid(2, 2, 1, 2, 3, 4)}, newShape(1, 2), []float64{7, 10}},
		{"product, first transposed", "MatMul", attrs{transposeA: true}, []*tensor{grid(2, 1, 1, 2), grid(2, 2, 1, 2, 3, 4)}, newShape(1, 2), []float64{7, 10}},
		{"product, second transposed", "MatMul", attrs{transposeB: true}, []*tensor{grid(1, 2, 1, 2), grid(2, 2, 1, 2, 3, 4)}, newShape(1, 2), []float64{5, 11}},
		{"softmax", "Softmax", attrs{}, []*tensor{grid(1, 2, 0, float32(math.Log(3)))}, newShape(1, 2), []float64{0.25, 0.75}},
	} {
		t.Run(c.what, func(t *testing.T) {
			m := newModel(t, small(), 1, 1)
			y := m.dispatch(c.op, c.attrs, c.in...)
			if m.err != nil {
				t.Fatal(m.err)
			}
			if y.shape != c.shape {
				t.Errorf("shape is %v, want %v", y.shape, c.shape)
			}
			wantValues(t, c.op, values(y), c.want, 1e-6)
			if m.counts.Ops != 1 {
				t.Errorf("%d operations counted, want 1", m.counts.Ops)
			}
		})
	}
}

func TestAnUpdateChangesItsVariable(t *testing.T) {
	m := newModel(t, small(), 1, 1)
	n := count(4)
	m.dispatch("AssignAddVariableOp", attrs{}, n, count(1))
	one := func(x float32) *tensor { return tensorOf(newShape(1), x) }
	w, first, second := one(1), one(0), one(0)
	m.dispatch("ResourceApplyAdam", attrs{}, w, first, second, scalar(0.1), scalar(0.5), scalar(0.25), scalar(1), one(2))
	if m.err != nil {
		t.Fatal(m.err)
	}
	wantValues(t, "count", values(n), []float64{5}, 0)
	// m = 0 + 0.5*2, v = 0 + 0.25*4, w = 1 - 0.1*1/(1+1).
	wantValues(t, "first moment", values(first), []float64{1}, 1e-7)
	wantValues(t, "second moment", values(second), []float64{1}, 1e-7)
	wantValues(t, "variable", values(w), []float64{0.95}, 1e-7)
}

func TestLargeWorkGivesTheSameWhateverTheThreads(t *testing.T) {
	x := ramp(newShape(40000, 24))
	for name, a := range map[string]attrs{"BiasAddGrad": {}, "Sum": {axis: allAxes}, "Neg": {}, "Softmax": {}} {
		var want []float64
		for _, threads := range []int{1, 2, 7} {
			m := newModel(t, small(), 1, threads)
			for range 2 { // what the first leaves in the buffers must not matter to the second
				y := m.dispatch(name, a, x)
				if m.call.shards < 2 {
					t.Fatalf("%s is cut into %d shards; the test needs several", name, m.call.shards)
				}
				got := values(y)
				if want == nil {
					want = got
				}
				wantValues(t, name, got, want, 0)
				m.release(y)
			}
		}
	}
}
