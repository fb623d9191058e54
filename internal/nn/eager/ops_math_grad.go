package eager

// sumTo sums dx, which it consumes, over what was broadcast from shape s.
func (m *Model) sumTo(dx *tensor, s shape) *tensor {
	switch {
	case dx == nil || dx.shape == s:
	case s.rank == 0:
		m.replace(&dx, "Sum", attrs{axis: allAxes})
	default:
		m.replace(&dx, "Sum", attrs{axis: lastAxis, keepDims: true})
	}
	return dx
}

func gradAdd(m *Model, e *entry, dy *tensor) {
	for i := range 2 {
		if e.wants(i) {
			m.give(e, i, m.sumTo(retain(dy), e.shapes[i]))
		}
	}
}

func gradSub(m *Model, e *entry, dy *tensor) {
	if e.wants(0) {
		m.give(e, 0, m.sumTo(retain(dy), e.shapes[0]))
	}
	if e.wants(1) {
		m.give(e, 1, m.sumTo(m.dispatch("Neg", attrs{}, dy), e.shapes[1]))
	}
}

func gradMul(m *Model, e *entry, dy *tensor) {
	for i := range 2 {
		if e.wants(i) {
			m.give(e, i, m.sumTo(m.dispatch("Mul", attrs{}, dy, e.in[1-i]), e.shapes[i]))
		}
	}
}

// gradDiv: dy/b and dy * (-a/b)/b, with the division that the operation itself is.
func gradDiv(m *Model, e *entry, dy *tensor) {
	division := e.op.name
	if e.wants(0) {
		m.give(e, 0, m.sumTo(m.dispatch(division, attrs{}, dy, e.in[1]), e.shapes[0]))
	}
	if e.wants(1) {
		db := m.dispatch("Neg", attrs{}, e.in[0])
		m.replace(&db, division, attrs{}, e.in[1])
		m.replace(&db, division, attrs{}, e.in[1])
		m.replace(&db, "Mul", attrs{}, dy)
		m.give(e, 1, m.sumTo(db, e.shapes[1]))
	}
}

func gradMinimum(m *Model, e *entry, dy *tensor) { m.gradChoice(e, dy, "LessEqual") }

func gradMaximum(m *Model, e *entry, dy *tensor) { m.gradChoice(e, dy, "GreaterEqual") }

// gradChoice gives dy to the operand that was chosen, the first where both are equal, and zeros to the other.
func (m *Model) gradChoice(e *entry, dy *tensor, comparison string) {
	zeros := m.dispatch("Fill", attrs{shape: dy.shape})
	first := m.dispatch(comparison, attrs{}, e.in[0], e.in[1])
	if e.wants(0) {
		m.give(e, 0, m.sumTo(m.dispatch("Select", attrs{}, first, dy, zeros), e.shapes[0]))
	}
	if e.wants(1) {
		m.give(e, 1, m.sumTo(m.dispatch("Select", attrs{}, first, zeros, dy), e.shapes[1]))
	}
	m.release(first)
	m.release(zeros)
}
