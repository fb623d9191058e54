package compiled

// trainShard runs forward and backward over the samples of one shard and leaves their summed gradient in its arena.
func (m *Model) trainShard(i int) {
	scratch := <-m.scratch
	defer func() { m.scratch <- scratch }()
	s := &m.active[i]
	s.loss, s.correct = 0, 0
	clear(s.gradients)
	from, to := shardRange(m.batch.Len(), len(m.active), i)
	for ; from < to; from += blockSize {
		m.trainBlock(s, scratch, from, min(from+blockSize, to))
	}
}

// trainBlock takes the samples [from, to) through all layers and back.
func (m *Model) trainBlock(s *shard, t *scratch, from, to int) {
	var (
		k, w, g = m.config.Impl, &m.views, &s.views
		n       = to - from
		flat    = m.config.Flat()
		h       = m.config.Units
		c       = m.config.Classes
	)
	x, starts := m.windows(t, from, to)

	k.ConvReLUPool(m.conv, starts, t.a, t.pick, x, w.convKernel, w.convBias)
	k.MatMul(n, flat, h, t.h, t.a, w.dense1Kernel)
	k.BiasAdd(n, h, t.h, t.h, w.dense1Bias)
	k.ReLU(t.h[:n*h], t.h)
	k.MatMul(n, h, c, t.z, t.h, w.dense2Kernel)
	k.BiasAdd(n, c, t.z, t.z, w.dense2Bias)

	m.head(s, t, from, to)

	k.MatMulTA(n, h, c, g.dense2Kernel, t.h, t.dz)
	k.ColumnSum(n, c, g.dense2Bias, t.dz)
	k.MatMulTB(n, h, c, t.dh, t.dz, w.dense2Kernel)
	k.ReLUGrad(t.dh[:n*h], t.dh, t.h)
	k.MatMulTA(n, flat, h, g.dense1Kernel, t.a, t.dh)
	k.ColumnSum(n, h, g.dense1Bias, t.dh)
	k.MatMulTB(n, flat, h, t.da, t.dh, w.dense1Kernel)
	k.ConvReLUPoolGrad(m.conv, starts, g.convKernel, g.convBias, x, t.da, t.pick)
}

// windows are the samples [from, to) in float32: the batch's own memory where it holds float32, else a narrowed copy.
func (m *Model) windows(t *scratch, from, to int) (x []float32, starts []int) {
	if m.batch.X32 != nil {
		return m.batch.X32, m.batch.Starts[from:to]
	}
	d := m.config.Window
	for i, start := range m.batch.Starts[from:to] {
		m.config.Impl.Narrow(t.x[i*d:(i+1)*d], m.batch.X64[start:start+d])
	}
	return t.x, t.starts[:to-from]
}
