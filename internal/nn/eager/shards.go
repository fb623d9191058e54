package eager

// maxShards keeps the shards' sums of a reduction few; more threads than this find no work.
const maxShards = 16

// shardsOf is the number of shards for that many units of that cost: an operation whose work is large enough is cut, so that each
// shard has as much as is worth handing to a thread. The number depends on the shapes and the kernel alone, never on the threads, so
// the result does not depend on the threads either.
func (c *call) shardsOf(units, cost int) int {
	return max(1, min(units*cost/c.kernels.ShardWork, units, maxShards))
}

// bounds are the units [lo, hi) of one shard.
func bounds(units, shards, shard int) (lo, hi int) {
	return units * shard / shards, units * (shard + 1) / shards
}

// run does the work of the call.
func (m *Model) run(c *call) {
	c.shards = c.shardsOf(c.units, c.cost)
	work := computing
	if c.op.moves {
		work = casting
		m.counts.CopiedBytes += int64(c.out.size * c.out.dtype.size())
	}
	switch {
	case !c.sums:
		m.clock.to(work)
		m.pool.Run(c.shards, m.bodyTask)
	case c.shards == 1:
		m.clock.to(work)
		clear(c.out.f32())
		c.op.reduce(c, c.out.f32(), 0, c.units)
	default:
		m.runSums(c)
	}
	m.clock.to(dispatching)
}

// runSums gives each shard a sum of its own, then adds these in the shards' order.
func (m *Model) runSums(c *call) {
	m.clock.to(allocating)
	c.partial = m.memory.get(float32s, newShape(c.shards, c.out.size))
	m.clock.to(computing)
	m.pool.Run(c.shards, m.reduceTask)
	m.pool.Run(c.shardsOf(c.out.size, c.shards), m.addTask)
	m.release(c.partial)
	c.partial = nil
}

func (m *Model) runShard(_, shard int) {
	c := &m.call
	lo, hi := bounds(c.units, c.shards, shard)
	c.op.body(c, lo, hi)
}

func (m *Model) reduceShard(_, shard int) {
	c := &m.call
	lo, hi := bounds(c.units, c.shards, shard)
	sum := c.partialSum(shard)
	clear(sum)
	c.op.reduce(c, sum, lo, hi)
}

// addShard adds the sums for one range of the result's elements.
func (m *Model) addShard(_, shard int) {
	c := &m.call
	n := c.out.size
	lo, hi := bounds(n, c.shardsOf(n, c.shards), shard)
	out := c.out.f32()[lo:hi]
	copy(out, c.partialSum(0)[lo:hi])
	for s := 1; s < c.shards; s++ {
		c.kernels.Accumulate(out, c.partialSum(s)[lo:hi])
	}
}

// partialSum is one shard's sum, of the result's size.
func (c *call) partialSum(shard int) []float32 {
	n := c.out.size
	return c.partial.f32()[shard*n : (shard+1)*n : (shard+1)*n]
}
