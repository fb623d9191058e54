package compiled

import "fitbench/internal/nn/kernel"

// trainBlock takes the block in that place of the chunk through all layers and back.
func (l *lanes) trainBlock(place int) {
	t := <-l.scratch
	defer func() { l.scratch <- t }()
	p := &l.parts[place]
	if l.first == 0 {
		p.found = tally{}
		clear(p.conv)
		clear(p.head)
	}
	from := (l.first + place) * kernel.LaneWidth
	to := min(from+kernel.LaneWidth, l.batch.Len())
	if !l.pack(t, from, to) {
		l.immoderate.Store(true)
		return
	}
	var (
		w, c = &l.views, l.config.Classes
		a    = l.a[place*l.flat*kernel.LaneWidth : (place+1)*l.flat*kernel.LaneWidth]
		rows = l.dhs[place*kernel.LaneWidth*2*l.config.Units : (place+1)*kernel.LaneWidth*2*l.config.Units]
	)
	l.code.ConvReLUPool(l.conv, a, t.picks, t.x, l.taps)
	l.code.Dense(l.flat, t.h, a, w.dense1Kernel, w.dense1Bias)
	l.code.Logits(c, t.z, t.h, w.dense2Kernel, w.dense2Bias)
	l.heads(t, p, from, to)
	l.code.HeadGrad(c, t.dh, rows, p.head, t.h, t.z, w.dense2Kernel)
	l.code.DenseInputGrad(l.conv, t.da, a, t.dh, w.dense1Kernel)
	l.code.ConvGrad(l.conv, p.conv, t.x, t.da, t.picks)
}

// pack turns the windows of the samples [from, to) into lanes, and asks for those that the same thread will probably take next.
func (l *lanes) pack(t *laneScratch, from, to int) bool {
	d, b := l.config.Window, l.batch
	next := min(from+l.config.Threads*kernel.LaneWidth, b.Len())
	then := min(next+kernel.LaneWidth, b.Len())
	if b.X32 != nil {
		l.code.Prefetch32(d, b.X32, b.Starts[next:then])
		return l.code.Pack32(d, t.x, b.X32, b.Starts[from:to])
	}
	l.code.Prefetch64(d, b.X64, b.Starts[next:then])
	return l.code.Pack64(d, t.x, b.X64, b.Starts[from:to])
}

// heads turns the logits of the samples [from, to) into their gradients, in place; lanes without a sample get 0.
func (l *lanes) heads(t *laneScratch, p *part, from, to int) {
	for s := range to - from {
		for j := range t.head.z {
			t.head.z[j] = float64(t.z[j*kernel.LaneWidth+s])
		}
		t.head.run(l.core, from+s, &p.found)
		for j, v := range t.head.z {
			t.z[j*kernel.LaneWidth+s] = float32(v)
		}
	}
	for j := range t.head.z {
		clear(t.z[j*kernel.LaneWidth+to-from : (j+1)*kernel.LaneWidth])
	}
}

// ranges is the number of pieces of a chunk's second phase: of the hidden layer's weights, and one more, the first, for all other
// parameters, which has work to do after the last chunk only.
func (l *lanes) ranges() int { return 1 + (l.flat+updateInputs-1)/updateInputs }

// trainRange does one piece of the second phase.
func (l *lanes) trainRange(i int) {
	if i == 0 {
		if l.last {
			l.updateOthers()
		}
		return
	}
	h := l.config.Units
	from, to := (i-1)*updateInputs, min(i*updateInputs, l.flat)
	offset := l.layout.Dense1Kernel.Offset
	dw := l.layout.Dense1Kernel.Of(l.gradients)
	if l.first == 0 {
		clear(dw[from*h : to*h])
	}
	l.code.DenseWeightGrad(l.flat, l.blocks, from, to, dw, l.a, l.dhs)
	if l.last {
		l.update(offset+from*h, offset+to*h)
	}
}

// updateOthers sums the lanes of all parts and updates the parameters before and behind the hidden layer's weights: the arena has the
// convolution's first, and the biases and the last layer's behind.
func (l *lanes) updateOthers() {
	sum := &l.parts[0]
	for i := 1; i < min(len(l.parts), blockCount(l.batch.Len())); i++ {
		l.config.Impl.Accumulate(sum.conv, l.parts[i].conv)
		l.config.Impl.Accumulate(sum.head, l.parts[i].head)
	}
	conv, head := l.layout.Dense1Kernel.Offset, l.layout.Dense1Bias.Offset
	l.code.SumLanes(l.gradients[:conv], sum.conv)
	l.code.SumLanes(l.gradients[head:], sum.head)
	l.update(0, conv)
	l.update(head, l.layout.Size)
}
