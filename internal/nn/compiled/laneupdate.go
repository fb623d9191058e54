package compiled

// publish copies a thread's sums to where the others read them, but for the ranges that this thread will most likely update itself.
func (l *lanes) publish(thread int) {
	if !l.shares || l.immoderate.Load() {
		return
	}
	held := l.threads[thread].branches.held
	for j := range held {
		b := &held[j]
		if b.sealed {
			continue
		}
		b.published = l.published[b.first]
		for i := range l.ranges() {
			if l.home(i) != thread {
				from, to := l.rangeOf(i)
				l.code.Stream(b.published[from:to], b.sum[from:to])
			}
		}
	}
}

// at is a range of a branch's sum.
func (l *lanes) at(b branch, i int) []float32 {
	from, to := l.rangeOf(i)
	if l.shares && l.home(i) != b.thread {
		return b.published[from:to]
	}
	return b.sum[from:to]
}

// collect finds what is left to add up to the root of the tree, and where the gradient will be then. It reads a few lines that the
// other threads write in each step, which is much less than any other way of telling would.
func (l *lanes) collect() {
	l.additions = l.additions[:0]
	l.rest.reset()
	for i := range l.threads {
		if t := &l.threads[i]; t.step == l.step {
			for _, b := range t.branches.held {
				b.sealed = false
				l.rest.add(b, l.parts, l.later)
			}
		}
	}
	l.root = l.rest.held[0]
	l.gradients = l.root.sum
	if l.shares {
		l.gradients = l.sum
	}
}

// ranges is the number of pieces of the update, and rangeOf the parameters [from, to) of one: the hidden layer's weights in pieces, and
// what lies before and behind them with the first and the last.
func (l *lanes) ranges() int { return (l.flat + rangeInputs - 1) / rangeInputs }

func (l *lanes) rangeOf(i int) (from, to int) {
	begin, h := l.layout.Dense1Kernel.Offset, l.config.Units
	from, to = begin+i*rangeInputs*h, begin+(i+1)*rangeInputs*h
	if i == 0 {
		from = 0
	}
	if i == l.ranges()-1 {
		to = l.layout.Size
	}
	return from, to
}

// homeInputs are the inputs of the hidden layer [from, to) whose weights that thread updates unless others are faster: none where there
// are more threads than ranges.
func (l *lanes) homeInputs(thread int) (home [2]int) {
	for i := range l.ranges() {
		if l.home(i) != thread {
			continue
		}
		if home[1] == 0 {
			home[0] = i * rangeInputs
		}
		home[1] = min((i+1)*rangeInputs, l.flat)
	}
	return home
}

// home is the thread that updates that range unless another is faster.
func (l *lanes) home(i int) int { return l.pool.Home(i, l.ranges()) }

// updateRange adds what is left to add of one range of parameters, and updates it.
func (l *lanes) updateRange(_, i int) {
	from, to := l.rangeOf(i)
	if !l.shares {
		l.update(from, to)
		return
	}
	l.addRange(l.gradients[from:to], i)
	l.code.AdamStream(l.adam, l.weights[from:to], l.m[from:to], l.v[from:to], l.gradients[from:to])
}

// addRange is g = the root's sum in that range. It adds up in place but for the last addition.
func (l *lanes) addRange(g []float32, i int) {
	accumulate, last := l.config.Impl.Accumulate, len(l.additions)-1
	if last < 0 {
		copy(g, l.at(l.root, i))
		return
	}
	for _, a := range l.additions[:last] {
		accumulate(l.at(a.dst, i), l.at(a.src, i))
	}
	copy(g, l.at(l.root, i))
	accumulate(g, l.at(l.additions[last].src, i))
}
