package compiled

import "fitbench/internal/nn/kernel"

// trainPart takes the blocks of one part through all layers and back, and adds their summed gradient to the thread's branches.
func (l *lanes) trainPart(thread, part int) {
	t := &l.threads[thread]
	if t.step != l.step && !l.prepare(t) {
		l.immoderate.Store(true)
		return
	}
	t.found = tally{}
	clear(t.convSums)
	clear(t.headSums)
	g := t.branches.arena()
	dense1 := l.layout.Dense1Kernel.Of(g)
	begin, end := shardRange(blockCount(l.batch.Len()), l.parts, part)
	for from := begin; from < end; from += groupBlocks {
		blocks := min(groupBlocks, end-from)
		for place := range blocks {
			if !l.trainBlock(t, place, (from+place)*kernel.LaneWidth) {
				l.immoderate.Store(true)
				return
			}
		}
		l.code.DenseWeightGrad(l.flat, blocks, from > begin, dense1, t.a, t.dhs)
	}
	l.code.SumLanes(g[:l.layout.Dense1Kernel.Offset], t.convSums)
	l.code.SumLanes(g[l.layout.Dense1Bias.Offset:], t.headSums)
	l.found[part].tally = t.found
	t.branches.add(branch{first: part, thread: thread, sum: g}, l.parts, l.accumulate)
}

// ahead is how many values of each range of weights are asked for at a step's beginning: as much as the memory takes at once, and
// where a processor's own prefetching starts anew, which does not cross pages.
const ahead = 64

// prepare makes a thread ready for a step, and tells whether its weights can be had by lanes.
func (l *lanes) prepare(t *laneThread) bool {
	t.step = l.step
	t.branches.reset()
	l.code.Prefetch32(ahead, l.weights, l.starts)
	if !kernel.Moderate(l.views.convKernel) || !kernel.Moderate(l.views.convBias) {
		return false
	}
	l.code.ConvTaps(l.conv, t.taps, l.views.convKernel, l.views.convBias)
	return true
}

// trainBlock takes the block whose first sample is that one through all layers and back, all but the gradient of the hidden layer's
// weights, for which it leaves the operands in its place of the group. It returns false where there is a value that the lanes do
// not take.
func (l *lanes) trainBlock(t *laneThread, place, from int) bool {
	to := min(from+kernel.LaneWidth, l.batch.Len())
	if !l.pack(t, from, to) {
		return false
	}
	var (
		w, c = &l.views, l.config.Classes
		a    = t.a[place*l.flat*kernel.LaneWidth : (place+1)*l.flat*kernel.LaneWidth]
		rows = t.dhs[place*kernel.LaneWidth*2*l.config.Units : (place+1)*kernel.LaneWidth*2*l.config.Units]
	)
	l.code.ConvReLUPool(l.conv, a, t.picks, t.x, t.taps)
	l.code.Dense(l.flat, t.h, a, w.dense1Kernel, w.dense1Bias)
	l.code.Logits(c, t.z, t.h, w.dense2Kernel, w.dense2Bias)
	l.heads(t, from, to)
	l.code.HeadGrad(c, t.dh, rows, t.headSums, t.h, t.z, w.dense2Kernel)
	l.code.DenseInputGrad(l.conv, t.da, a, t.dh, w.dense1Kernel)
	l.code.ConvGrad(l.conv, t.convSums, t.x, t.da, t.picks)
	return true
}

// pack turns the windows of the samples [from, to) into lanes, and asks for those of the block behind.
func (l *lanes) pack(t *laneThread, from, to int) bool {
	d, b := l.config.Window, l.batch
	then := min(to+kernel.LaneWidth, b.Len())
	if b.X32 != nil {
		l.code.Prefetch32(d, b.X32, b.Starts[to:then])
		return l.code.Pack32(d, t.x, b.X32, b.Starts[from:to])
	}
	l.code.Prefetch64(d, b.X64, b.Starts[to:then])
	return l.code.Pack64(d, t.x, b.X64, b.Starts[from:to])
}

// heads turns the logits of the samples [from, to) into their gradients, in place. Lanes without a sample get 0 there and as hidden
// units: what the network makes of no sample could overflow, and must not meet a gradient.
func (l *lanes) heads(t *laneThread, from, to int) {
	n := to - from
	for s := range n {
		for j := range t.head.z {
			t.head.z[j] = float64(t.z[j*kernel.LaneWidth+s])
		}
		t.head.run(l.core, from+s, &t.found)
		for j, v := range t.head.z {
			t.z[j*kernel.LaneWidth+s] = float32(v)
		}
	}
	clearLanes(t.z, n)
	clearLanes(t.h, n)
}

// clearLanes makes the lanes from n on 0 in each row of x.
func clearLanes(x []float32, n int) {
	for row := 0; n < kernel.LaneWidth && row < len(x); row += kernel.LaneWidth {
		clear(x[row+n : row+kernel.LaneWidth])
	}
}
