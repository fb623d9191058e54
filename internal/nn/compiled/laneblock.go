package compiled

import "fitbench/internal/nn/kernel"

// trainPart takes the blocks of one part through all layers and back, and adds their summed gradient to the thread's branches.
func (l *lanes) trainPart(thread, part int) {
	t := &l.threads[thread]
	if l.immoderate.Load() || t.step != l.step && !l.prepare(t) {
		l.immoderate.Store(true)
		return
	}
	t.found = tally{}
	clear(t.convSums)
	clear(t.headSums)
	begin, end := partRange(blockCount(l.batch.Len()), l.parts, part)
	a := branch{first: part, thread: thread}
	var before, soFar []float32 // the sums that the part is added to, and those with the part's groups so far; nil where there are none
	for from := begin; from < end; from += groupBlocks {
		blocks := min(groupBlocks, end-from)
		for place := range blocks {
			if !l.trainBlock(t, place, (from+place)*kernel.LaneWidth) {
				l.immoderate.Store(true)
				return
			}
		}
		if from == begin {
			a, before = l.begin(t, a, end-begin)
			soFar = before
		}
		if from+blocks < end {
			l.weightGrad(t, blocks, 0, l.flat, a.sum, soFar, false)
			soFar = a.sum
			continue
		}
		a = l.finish(t, blocks, a, before, soFar)
	}
	l.found[part].tally = t.found
	t.branches.add(a, l.parts, l.accumulate)
}

// begin finds an arena for the part a of so many blocks. A part of a single group is added to its sibling's sum right where it is
// summed itself, where this thread has that.
func (l *lanes) begin(t *laneThread, a branch, blocks int) (sum branch, before []float32) {
	if up, i := t.branches.sibling(a, l.parts); i >= 0 && blocks <= groupBlocks {
		other := t.branches.take(i)
		up.sum = other.sum
		return up.parent(other), other.sum
	}
	a.sum = t.branches.arena()
	return a, nil
}

// finish sums the gradient of a part's last group, onto soFar, and what its lanes have summed of the other gradients, onto before. What
// is likely to be the thread's last sum goes to where the others read it at once.
func (l *lanes) finish(t *laneThread, blocks int, a branch, before, soFar []float32) branch {
	lo, hi := 0, l.flat
	if _, i := t.branches.sibling(a, l.parts); i < 0 && l.shares && !l.pool.HasOwn(a.thread) {
		a.sealed, a.published = true, l.published[a.first]
		lo, hi = t.home[0], t.home[1]
	}
	l.weightGrad(t, blocks, lo, hi, a.sum, soFar, false)
	l.weightGrad(t, blocks, 0, lo, a.published, soFar, true)
	l.weightGrad(t, blocks, hi, l.flat, a.published, soFar, true)
	conv, head := l.layout.Dense1Kernel.Offset, l.layout.Dense1Bias.Offset
	l.sumLanes(t, a, 0, conv, before, t.convSums, a.sealed && l.home(0) != a.thread)
	l.sumLanes(t, a, head, l.layout.Size, before, t.headSums, a.sealed && l.home(l.ranges()-1) != a.thread)
	return a
}

// weightGrad is the gradient of the hidden layer's weights for the inputs [from, to) over a group of blocks, plus that in old.
func (l *lanes) weightGrad(t *laneThread, blocks, from, to int, sum, old []float32, stream bool) {
	if from < to {
		w := l.layout.Dense1Kernel
		if old != nil {
			old = w.Of(old)
		}
		l.code.DenseWeightGrad(l.flat, blocks, from, to, w.Of(sum), old, t.a, t.dhs, stream)
	}
}

// sumLanes is the gradient of the parameters [from, to) from what the lanes have summed, plus that in old.
func (l *lanes) sumLanes(t *laneThread, a branch, from, to int, old, sums []float32, stream bool) {
	g := t.small[:to-from]
	l.code.SumLanes(g, sums)
	if old != nil {
		l.config.Impl.Accumulate(g, old[from:to])
	}
	if stream {
		l.code.Stream(a.published[from:to], g)
		return
	}
	copy(a.sum[from:to], g)
}

// prepare makes a thread ready for a step, and tells whether its weights can be had by lanes.
func (l *lanes) prepare(t *laneThread) bool {
	t.step = l.step
	t.branches.reset()
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
