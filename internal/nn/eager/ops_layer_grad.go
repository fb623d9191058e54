package eager

import (
	"fmt"

	"fitbench/internal/nn/kernel"
)

// layerGradOps are the layers' gradients that are operations of their own.
func layerGradOps() []op {
	return []op{
		{name: "Conv2DBackpropFilter", check: checkConvGrad, reduce: reduceConvGrad},
		{name: "BiasAddGrad", check: checkBiasAddGrad, reduce: reduceBiasAddGrad},
		{name: "MaxPoolGrad", check: checkMaxPoolGrad, body: bodyMaxPoolGrad},
		{name: "ReluGrad", check: checkReluGrad, body: bodyReluGrad},
	}
}

// checkConvGrad: x [N][1][D][1] and dy [N][1][D-K+1][F] give the gradient of the filter, whose shape [1][K][1][F] is an attribute.
func checkConvGrad(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	x, dy, w := c.in[0].shape, c.in[1].shape, c.shape
	if x.rank != 4 || w.rank != 4 || w != newShape(1, w.dims[1], 1, w.dims[3]) || x != newShape(x.dims[0], 1, x.dims[2], 1) {
		return fmt.Errorf("shapes %v and %v; it takes [N,1,D,1] and a filter [1,K,1,F]", x, w)
	}
	c.conv = kernel.Conv{Window: x.dims[2], Taps: w.dims[1], Filters: w.dims[3], Pool: 1}
	if want := newShape(x.dims[0], 1, c.conv.Out(), c.conv.Filters); dy != want {
		return fmt.Errorf("input 1 has shape %v; it takes %v", dy, want)
	}
	c.sums = true
	c.returns(float32s, w)
	c.work(x.dims[0], c.conv.Out()*c.conv.Filters*c.conv.Taps)
	return nil
}

func reduceConvGrad(c *call, sum []float32, lo, hi int) {
	x, dy := c.in[0].f32()[lo*c.conv.Window:], c.in[1].f32()[lo*c.conv.Out()*c.conv.Filters:]
	c.kernels.Conv1DGrad(c.conv, hi-lo, sum, x, dy)
}

// checkBiasAddGrad: dy [...][n] gives its sum over all but the last axis.
func checkBiasAddGrad(c *call) error {
	if err := c.want(float32s); err != nil {
		return err
	}
	dy := c.in[0].shape
	if dy.rank < 2 {
		return fmt.Errorf("input 0 has shape %v; it takes [...,n]", dy)
	}
	c.sums, c.width = true, dy.last()
	c.returns(float32s, newShape(c.width))
	c.work(c.in[0].size/c.width, 2*c.width)
	return nil
}

func reduceBiasAddGrad(c *call, sum []float32, lo, hi int) {
	c.kernels.ColumnSum(hi-lo, c.width, sum, c.in[0].f32()[lo*c.width:])
}

// checkMaxPoolGrad: x [N][T][1][F], the pool's result y and the gradient dy of y's shape.
func checkMaxPoolGrad(c *call) error {
	if err := c.want(float32s, float32s, float32s); err != nil {
		return err
	}
	x := c.in[0].shape
	if x.rank != 4 || x.dims[2] != 1 || c.size < 1 || c.size > x.dims[1] {
		return fmt.Errorf("input 0 has shape %v and pool is %d; it takes [N,T,1,F] and 1 to T", x, c.size)
	}
	c.conv = poolOf(x, c.size)
	want := newShape(x.dims[0], c.conv.Pooled(), 1, x.dims[3])
	for i := 1; i < 3; i++ {
		if s := c.in[i].shape; s != want {
			return fmt.Errorf("input %d has shape %v; it takes %v", i, s, want)
		}
	}
	c.returns(float32s, x)
	c.work(x.dims[0], 2*x.dims[1]*x.dims[3])
	return nil
}

func bodyMaxPoolGrad(c *call, lo, hi int) {
	in, out := c.conv.Window*c.conv.Filters, c.conv.Pooled()*c.conv.Filters
	x, y, dy := c.in[0].f32()[lo*in:], c.in[1].f32()[lo*out:], c.in[2].f32()[lo*out:]
	c.kernels.MaxPoolGrad(c.conv, hi-lo, c.out.f32()[lo*in:], x, y, dy)
}

// checkReluGrad: dy and the ReLU's result, of one shape.
func checkReluGrad(c *call) error {
	if err := c.want(float32s, float32s); err != nil {
		return err
	}
	if a, b := c.in[0].shape, c.in[1].shape; a != b {
		return fmt.Errorf("shapes %v and %v are not the same", a, b)
	}
	c.returns(float32s, c.in[0].shape)
	c.work(c.in[0].size, 2)
	return nil
}

func bodyReluGrad(c *call, lo, hi int) {
	c.kernels.ReLUGrad(c.out.f32()[lo:hi], c.in[0].f32()[lo:hi], c.in[1].f32()[lo:hi])
}
