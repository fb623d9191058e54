package eager

import (
	"errors"
	"fmt"

	"fitbench/internal/nn/kernel"
)

// layerOps are the forward operations of the network's layers.
func layerOps() []op {
	return []op{
		{name: "Conv2D", check: checkConv, body: bodyConv, grad: gradConv, keeps: []int{0}},
		{name: "BiasAdd", check: checkBiasAdd, body: bodyBiasAdd, grad: gradBiasAdd},
		{name: "MaxPool", check: checkMaxPool, body: bodyMaxPool, grad: gradMaxPool, keeps: []int{0}, keepsResult: true},
		{name: "MatMul", check: checkMatMul, body: bodyMatMul, reduce: reduceMatMul, grad: gradMatMul, keeps: []int{0, 1}},
		{name: "Softmax", check: checkSoftmax, body: bodySoftmax, grad: gradSoftmax, keepsResult: true},
	}
}

// checkConv: x [N][1][D][1] and the filter [1][K][1][F] give [N][1][D-K+1][F], valid, stride 1. An image one pixel high and one
// channel deep is what conv1d makes of a series.
func checkConv(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	x, w := c.in[0].shape, c.in[1].shape
	if x.rank != 4 || x.dims[1] != 1 || x.dims[3] != 1 {
		return fmt.Errorf("input 0 has shape %v; it takes [N,1,D,1]", x)
	}
	if w.rank != 4 || w.dims[0] != 1 || w.dims[2] != 1 || w.dims[1] > x.dims[2] {
		return fmt.Errorf("input 1 has shape %v; it takes [1,K,1,F] with K at most %d", w, x.dims[2])
	}
	c.conv = kernel.Conv{Window: x.dims[2], Taps: w.dims[1], Filters: w.dims[3], Pool: 1}
	c.returns(float32s, newShape(x.dims[0], 1, c.conv.Out(), c.conv.Filters))
	c.work(x.dims[0], c.conv.Out()*c.conv.Filters*c.conv.Taps)
	return nil
}

func bodyConv(c *call, lo, hi int) {
	y := c.out.f32()[lo*c.conv.Out()*c.conv.Filters:]
	c.kernels.Conv1D(c.conv, hi-lo, y, c.in[0].f32()[lo*c.conv.Window:], c.in[1].f32())
}

func gradConv(m *Model, e *entry, dy *tensor) {
	if e.wants(0) {
		m.fail(errors.New("operation Conv2D: the gradient by its input is not implemented; only its filter may be watched"))
	}
	if e.wants(1) {
		m.give(e, 1, m.dispatch("Conv2DBackpropFilter", attrs{shape: e.shapes[1]}, e.in[0], dy))
	}
}

// checkBiasAdd: x [...][n] and the bias [n].
func checkBiasAdd(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	x, b := c.in[0].shape, c.in[1].shape
	if x.rank < 2 || b != newShape(x.last()) {
		return fmt.Errorf("shapes %v and %v; it takes [...,n] and [n]", x, b)
	}
	c.width = x.last()
	c.returns(float32s, x)
	c.work(c.in[0].size/c.width, 2*c.width)
	return nil
}

func bodyBiasAdd(c *call, lo, hi int) {
	at := lo * c.width
	c.kernels.BiasAdd(hi-lo, c.width, c.out.f32()[at:], c.in[0].f32()[at:], c.in[1].f32())
}

func gradBiasAdd(m *Model, e *entry, dy *tensor) {
	if e.wants(0) {
		m.give(e, 0, retain(dy))
	}
	if e.wants(1) {
		m.give(e, 1, m.dispatch("BiasAddGrad", attrs{}, dy))
	}
}

// checkMaxPool: x [N][T][1][F] gives [N][T/size][1][F]; positions left over at the end are dropped.
func checkMaxPool(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	x := c.in[0].shape
	if x.rank != 4 || x.dims[2] != 1 {
		return fmt.Errorf("input 0 has shape %v; it takes [N,T,1,F]", x)
	}
	if c.size < 1 || c.size > x.dims[1] {
		return fmt.Errorf("pool is %d; 1 to %d is possible", c.size, x.dims[1])
	}
	c.conv = poolOf(x, c.size)
	c.returns(float32s, newShape(x.dims[0], c.conv.Pooled(), 1, x.dims[3]))
	c.work(x.dims[0], 2*x.dims[1]*x.dims[3])
	return nil
}

// poolOf is the geometry of a pool on x [N][T][1][F]: that of a convolution of one tap over T positions.
func poolOf(x shape, size int) kernel.Conv {
	return kernel.Conv{Window: x.dims[1], Taps: 1, Filters: x.dims[3], Pool: size}
}

func bodyMaxPool(c *call, lo, hi int) {
	in, out := c.conv.Window*c.conv.Filters, c.conv.Pooled()*c.conv.Filters
	c.kernels.MaxPool(c.conv, hi-lo, c.out.f32()[lo*out:], c.in[0].f32()[lo*in:])
}

func gradMaxPool(m *Model, e *entry, dy *tensor) {
	m.give(e, 0, m.dispatch("MaxPoolGrad", attrs{size: e.size}, e.in[0], e.out, dy))
}

// checkMatMul: a [m][k] b [k][n]; or a^T b with a [k][m], whose work is cut along k and summed; or a b^T with b [n][k].
func checkMatMul(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	for i := range 2 {
		if err := c.wantRank(i, 2); err != nil {
			return err
		}
	}
	a, b := c.in[0].shape, c.in[1].shape
	m, k := a.dims[0], a.dims[1]
	if c.transposeA {
		m, k = k, m
	}
	inner, n := b.dims[0], b.dims[1]
	if c.transposeB {
		inner, n = n, inner
	}
	if k != inner || c.transposeA && c.transposeB {
		return fmt.Errorf("shapes %v (transposed: %t) and %v (transposed: %t) do not go together", a, c.transposeA, b, c.transposeB)
	}
	c.returns(float32s, newShape(m, n))
	c.sums = c.transposeA
	if c.sums {
		c.work(k, m*n)
	} else {
		c.work(m, k*n)
	}
	return nil
}

func bodyMatMul(c *call, lo, hi int) {
	a, b := c.in[0], c.in[1]
	k, n := a.shape.dims[1], c.out.shape.dims[1]
	y, x := c.out.f32()[lo*n:], a.f32()[lo*k:]
	if c.transposeB {
		c.kernels.MatMulTB(hi-lo, n, k, y, x, b.f32())
		return
	}
	c.kernels.MatMul(hi-lo, k, n, y, x, b.f32())
}

func reduceMatMul(c *call, sum []float32, lo, hi int) {
	m, n := c.out.shape.dims[0], c.out.shape.dims[1]
	c.kernels.MatMulTA(hi-lo, m, n, sum, c.in[0].f32()[lo*m:], c.in[1].f32()[lo*n:])
}

// gradMatMul is for a product without transposes: da = dy b^T, db = a^T dy.
func gradMatMul(m *Model, e *entry, dy *tensor) {
	if e.transposeA || e.transposeB {
		m.fail(errors.New("operation MatMul: the gradient of a product with transposes is not implemented"))
	}
	if e.wants(0) {
		m.give(e, 0, m.dispatch("MatMul", attrs{transposeB: true}, dy, e.in[1]))
	}
	if e.wants(1) {
		m.give(e, 1, m.dispatch("MatMul", attrs{transposeA: true}, e.in[0], dy))
	}
}

// checkSoftmax works along the last axis of [rows][n].
func checkSoftmax(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	if err := c.wantRank(0, 2); err != nil {
		return err
	}
	c.width = c.in[0].shape.last()
	c.returns(float32s, c.in[0].shape)
	c.work(c.in[0].shape.dims[0], transcendental*c.width)
	return nil
}

func bodySoftmax(c *call, lo, hi int) {
	at := lo * c.width
	c.kernels.Softmax(hi-lo, c.width, c.out.f32()[at:], c.in[0].f32()[at:])
}

// gradSoftmax is (dy - sum(dy*y)) * y.
func gradSoftmax(m *Model, e *entry, dy *tensor) {
	sum := m.dispatch("Mul", attrs{}, dy, e.out)
	m.replace(&sum, "Sum", attrs{axis: lastAxis, keepDims: true})
	dx := m.dispatch("Sub", attrs{}, dy, sum)
	m.release(sum)
	m.replace(&dx, "Mul", attrs{}, e.out)
	m.give(e, 0, dx)
}
