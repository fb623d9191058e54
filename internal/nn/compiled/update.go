package compiled

import "fitbench/internal/nn/kernel"

// updateSize is the number of parameters that one thread sums and updates at a time: 4 KB of each arena.
const updateSize = 1024

func updateRanges(parameters int) int { return (parameters + updateSize - 1) / updateSize }

// updateRange adds up the shards' gradients of one range of parameters, in the shards' order, and takes Adam's step on it while
// they are still in the cache.
func (m *Model) updateRange(i int) {
	from, to := i*updateSize, min((i+1)*updateSize, len(m.weights))
	g := m.gradients[from:to]
	copy(g, m.active[0].gradients[from:to])
	for j := range m.active[1:] {
		kernel.Accumulate(g, m.active[1+j].gradients[from:to])
	}
	m.config.Impl.Adam(m.adam, m.weights[from:to], m.m[from:to], m.v[from:to], g)
}
