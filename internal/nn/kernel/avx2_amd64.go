//go:build !purego

package kernel

// avx2 is the variant for CPUs with AVX2 and FMA. What it has no loop for is portable Go.
func avx2() *Impl {
	impl := portable()
	impl.Name, impl.ShardWork = "avx2", vectorShardWork
	impl.Narrow = func(dst []float32, src []float64) {
		need(len(src), len(dst))
		if len(dst) > 0 {
			narrowAVX2(len(dst), &dst[0], &src[0])
		}
	}
	impl.Adam = func(s AdamStep, w, m, v, g []float32) {
		n := len(w)
		need(min(len(m), len(v), len(g)), n)
		if n > 0 {
			adamAVX2(n, &w[0], &m[0], &v[0], &g[0], s.Alpha, s.Rate1, s.Rate2, s.Epsilon)
		}
	}
	impl.Accumulate = func(dst, src []float32) {
		need(len(src), len(dst))
		if len(dst) > 0 {
			accumulateAVX2(len(dst), &dst[0], &src[0])
		}
	}
	rowCode{
		biasAdd: biasAddAVX2, columnSum: columnSumAVX2, maxPool: maxPoolAVX2, maxPoolGrad: maxPoolGradAVX2,
		relu: reluAVX2, reluGrad: reluGradAVX2,
	}.install(impl)
	impl.Lanes = laneCode{
		pickBytes: 4, adamStream: adamStreamAVX2,
		convReLUPool: convReLUPoolAVX2, dense: denseAVX2, logits: logitsAVX2,
		headGrad: headGradAVX2, denseInputGrad: denseInputGradAVX2, denseWeightGrad: denseWeightGradAVX2, convGrad: convGradAVX2,
		pack32: func(d int, x, src []float32, w windows) uint32 {
			return pack32AVX2(d, &x[0], &src[0], w.n, &w.starts[0])
		},
		pack64: func(d int, x []float32, src []float64, w windows) uint32 {
			return pack64AVX2(d, &x[0], &src[0], w.n, &w.starts[0])
		},
	}.lanes()
	return impl
}
