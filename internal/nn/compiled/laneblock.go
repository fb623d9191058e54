package compiled

import "fitbench/internal/nn/kernel"

// updateInputs is the number of inputs of the hidden layer whose weights one thread adds up and updates at a time.
const updateInputs = 48

// trainPart takes the blocks of one part through all layers and back, and leaves their summed gradient in its arenas.
func (l *lanes) trainPart(i int) {
	t := <-l.scratch
	defer func() { l.scratch <- t }()
	p := &l.active[i]
	t.found = tally{}
	clear(p.conv)
	clear(p.dense1)
	clear(p.head)
	from, to := shardRange(blockCount(l.batch.Len()), len(l.active), i)
	for ; from < to; from += groupBlocks {
		blocks := min(groupBlocks, to-from)
		for place := range blocks {
			if !l.trainBlock(t, p, place, (from+place)*kernel.LaneWidth) {
				l.immoderate.Store(true)
				return
			}
		}
		l.code.DenseWeightGrad(l.flat, blocks, 0, l.flat, p.dense1, t.a, t.dhs)
	}
	p.found = t.found
}

// trainBlock takes the block whose first sample is that one through all layers and back, all but the gradient of the hidden layer's
// weights, for which it leaves the operands in its place of the group. It returns false where there is a value that the lanes do
// not take.
func (l *lanes) trainBlock(t *laneScratch, p *part, place, from int) bool {
	to := min(from+kernel.LaneWidth, l.batch.Len())
	if !l.pack(t, from, to) {
		return false
	}
	var (
		w, c = &l.views, l.config.Classes
		a    = t.a[place*l.flat*kernel.LaneWidth : (place+1)*l.flat*kernel.LaneWidth]
		rows = t.dhs[place*kernel.LaneWidth*2*l.config.Units : (place+1)*kernel.LaneWidth*2*l.config.Units]
	)
	l.code.ConvReLUPool(l.conv, a, t.picks, t.x, l.taps)
	l.code.Dense(l.flat, t.h, a, w.dense1Kernel, w.dense1Bias)
	l.code.Logits(c, t.z, t.h, w.dense2Kernel, w.dense2Bias)
	l.heads(t, from, to)
	l.code.HeadGrad(c, t.dh, rows, p.head, t.h, t.z, w.dense2Kernel)
	l.code.DenseInputGrad(l.conv, t.da, a, t.dh, w.dense1Kernel)
	l.code.ConvGrad(l.conv, p.conv, t.x, t.da, t.picks)
	return true
}

// pack turns the windows of the samples [from, to) into lanes, and asks for those of the block behind.
func (l *lanes) pack(t *laneScratch, from, to int) bool {
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
func (l *lanes) heads(t *laneScratch, from, to int) {
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

// ranges is the number of pieces of the update: of the hidden layer's weights, and one more, the first, for all other parameters.
func (l *lanes) ranges() int { return 1 + (l.flat+updateInputs-1)/updateInputs }

// updateRange adds up the parts' gradients of one range of parameters, in the parts' order, and updates it.
func (l *lanes) updateRange(i int) {
	if i == 0 {
		l.updateOthers()
		return
	}
	h, offset := l.config.Units, l.layout.Dense1Kernel.Offset
	from, to := (i-1)*updateInputs*h, min(i*updateInputs, l.flat)*h
	g := l.gradients[offset+from : offset+to]
	copy(g, l.active[0].dense1[from:to])
	for j := range l.active[1:] {
		l.config.Impl.Accumulate(g, l.active[1+j].dense1[from:to])
	}
	l.update(offset+from, offset+to)
}

// updateOthers sums the lanes of all parts and updates the parameters before and behind the hidden layer's weights: the arena has the
// convolution's first, and the biases and the last layer's behind.
func (l *lanes) updateOthers() {
	sum := &l.active[0]
	for i := range l.active[1:] {
		l.config.Impl.Accumulate(sum.conv, l.active[1+i].conv)
		l.config.Impl.Accumulate(sum.head, l.active[1+i].head)
	}
	conv, head := l.layout.Dense1Kernel.Offset, l.layout.Dense1Bias.Offset
	l.code.SumLanes(l.gradients[:conv], sum.conv)
	l.code.SumLanes(l.gradients[head:], sum.head)
	l.update(0, conv)
	l.update(head, l.layout.Size)
}
