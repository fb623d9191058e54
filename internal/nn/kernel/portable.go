package kernel

// portable is the variant in plain Go that every build has.
//
// Its loops are shaped for a compiler that neither vectorises nor moves a bounds check out of a loop: seven sums at a time, because
// seven sums, their seven products and the factor they share fill the fifteen registers there are on amd64 (an eighth sum lives on
// the stack and costs half the speed), and array pointers of constant length, which cost one bounds check for all their elements.
func portable() *Impl {
	return &Impl{
		ShardWork:    1 << 17,
		Name:         "go",
		ConvReLUPool: convReLUPool, ConvReLUPoolGrad: convReLUPoolGrad,
		Conv1D: conv1D, Conv1DGrad: conv1DGrad, MaxPool: maxPool, MaxPoolGrad: maxPoolGrad,
		MatMul: matMul, MatMulTA: matMulTA, MatMulTB: matMulTB,
		BiasAdd: biasAdd, ColumnSum: columnSum, ReLU: relu, ReLUGrad: reluGrad, Softmax: softmax,
		Narrow: narrow, Adam: adam, Accumulate: Accumulate,
	}
}
