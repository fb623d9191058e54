//go:build !purego

package kernel

// avx512 is the variant for CPUs with AVX-512 F, DQ and VL. What it has no loop for is portable Go.
func avx512() *Impl {
	impl := portable()
	impl.Name, impl.ShardWork = "avx512", vectorShardWork
	impl.Narrow = func(dst []float32, src []float64) {
		need(len(src), len(dst))
		if len(dst) > 0 {
			narrowAVX512(len(dst), &dst[0], &src[0])
		}
	}
	impl.Adam = func(s AdamStep, w, m, v, g []float32) {
		n := len(w)
		need(min(len(m), len(v), len(g)), n)
		if n > 0 {
			adamAVX512(n, &w[0], &m[0], &v[0], &g[0], s.Alpha, s.Rate1, s.Rate2, s.Epsilon)
		}
	}
	impl.Accumulate = func(dst, src []float32) {
		need(len(src), len(dst))
		if len(dst) > 0 {
			accumulateAVX512(len(dst), &dst[0], &src[0])
		}
	}
	rowCode{
		wide:    true,
		biasAdd: biasAddAVX512, columnSum: columnSumAVX512, maxPool: maxPoolAVX512, maxPoolGrad: maxPoolGradAVX512,
		relu: reluAVX512, reluGrad: reluGradAVX512,
	}.install(impl)
	impl.Lanes = laneCode{
		pickBytes: 4, adamStream: adamStreamAVX512,
		convReLUPool: convReLUPoolAVX512, dense: denseAVX512, logits: logitsAVX512,
		headGrad: headGradAVX512, denseInputGrad: denseInputGradAVX512, denseWeightGrad: denseWeightGradAVX512, convGrad: convGradAVX512,
		pack32: func(d int, x, src []float32, w windows) uint32 {
			return pack32AVX512(d, &x[0], &src[0], w.n, &w.starts[0])
		},
		pack64: func(d int, x []float32, src []float64, w windows) uint32 {
			return pack64AVX512(d, &x[0], &src[0], w.n, &w.starts[0])
		},
	}.lanes()
	return impl
}
