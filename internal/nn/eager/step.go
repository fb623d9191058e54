package eager

import (
	"fmt"

	"fitbench/internal/nn/model"
)

// Step trains on one batch. The error names a batch that does not fit, and then nothing has changed.
func (m *Model) Step(b *model.Batch) (model.Result, error) {
	if m.closed {
		return model.Result{}, model.ErrClosed
	}
	if timed(m.step + 1) {
		m.clock.start()
	}
	result, err := m.train(b)
	if m.clock.running {
		if split := m.clock.stop(); err == nil {
			m.split, m.timed = split, m.step
		}
	}
	return result, err
}

func (m *Model) train(b *model.Batch) (model.Result, error) {
	if err := m.config.CheckBatch(b); err != nil {
		return model.Result{}, err
	}
	m.pool.BeginStep()
	m.begin()
	x, target := m.windows(b), m.targets(b)

	m.watchVariables()
	m.probabilities = m.forward(x, b.Len())
	m.release(x)
	loss := m.loss(m.probabilities, target)
	m.backward(loss)
	for i := range m.variables {
		m.variables[i].gradient = m.take(m.variables[i].value)
	}
	m.applyGradients()
	correct := m.correct(m.probabilities, target)
	m.release(target)

	result := m.read(loss, correct)
	m.release(loss)
	m.release(correct)
	if m.err != nil {
		return model.Result{}, fmt.Errorf("step %d: %w", m.step, m.err)
	}
	return result, nil
}

// begin releases what was kept of the last step for its reader.
func (m *Model) begin() {
	m.step++
	m.err = nil
	m.release(m.probabilities)
	m.probabilities = nil
	for i := range m.variables {
		m.release(m.variables[i].gradient)
		m.variables[i].gradient = nil
	}
	m.counts = model.Counts{}
	m.memory.handedOut = 0
}

func (m *Model) watchVariables() {
	m.tape.start()
	for _, v := range m.variables {
		m.tape.watch(v.value)
	}
}

// read takes the step's figures out of their tensors.
func (m *Model) read(loss, correct *tensor) model.Result {
	m.counts.TensorBytes = m.memory.handedOut
	if m.err != nil {
		return model.Result{}
	}
	return model.Result{Loss: float64(loss.scalar()), Correct: int(correct.scalar())}
}
