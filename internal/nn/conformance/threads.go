package conformance

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

// meeting is a place in a step at which the first thread waits for a second, and which counts the rows worked on there.
type meeting struct {
	mu      sync.Mutex
	entered int
	rows    int
	second  chan struct{}
	alone   bool
}

// enter is called with the rows of one call of a loop, before them. It is for the inside of a synctest bubble, whose clock goes on
// only when every goroutine waits: so the time is up only where no second thread is ever going to come, however slow the machine is.
func (m *meeting) enter(rows int) {
	m.mu.Lock()
	m.entered++
	m.rows += rows
	order := m.entered
	m.mu.Unlock()
	switch order {
	case 1:
		select {
		case <-m.second:
		case <-time.After(time.Hour):
			m.alone = true
		}
	case 2:
		close(m.second)
	}
}

// aStepUsesItsThreads takes one step of 64 samples on two threads, with loops in which two threads must meet: the convolution, fused
// or not, and the product of the first dense layer, which are nearly all of a step's work.
func aStepUsesItsThreads(t *testing.T, s suite) {
	synctest.Test(t, func(t *testing.T) {
		const n = 64
		h := model.Default(104)
		weights, b := problem(h, n)
		convolution, product := meeting{second: make(chan struct{})}, meeting{second: make(chan struct{})}
		impl := *s.cutSmall().impl
		impl.ConvReLUPool = func(c kernel.Conv, starts []int, a []float32, pick []uint8, x, w, bias []float32) {
			convolution.enter(len(starts))
			s.impl.ConvReLUPool(c, starts, a, pick, x, w, bias)
		}
		impl.Conv1D = func(c kernel.Conv, rows int, y, x, w []float32) {
			convolution.enter(rows)
			s.impl.Conv1D(c, rows, y, x, w)
		}
		impl.MatMul = func(m, k, units int, c, a, b []float32) {
			if k == h.Flat() {
				product.enter(m)
			}
			s.impl.MatMul(m, k, units, c, a, b)
		}
		if s.impl.Lanes != nil {
			lanes := *s.impl.Lanes
			lanes.ConvReLUPool = func(c kernel.Conv, a []float32, picks []byte, x, taps []float32) {
				convolution.enter(kernel.LaneWidth)
				s.impl.Lanes.ConvReLUPool(c, a, picks, x, taps)
			}
			lanes.Dense = func(flat int, h, a, w, b []float32) {
				product.enter(kernel.LaneWidth)
				s.impl.Lanes.Dense(flat, h, a, w, b)
			}
			impl.Lanes = &lanes
		}
		step(t, suite{s.build, &impl}.execution(t, h, n, 2, weights), b)
		for name, m := range map[string]*meeting{"convolution": &convolution, "product of the first dense layer": &product} {
			if m.entered < 2 || m.alone {
				t.Errorf("no two threads were in the %s at once; it was entered %d times", name, m.entered)
			}
			if m.rows != n {
				t.Errorf("the %s went over %d rows, want %d", name, m.rows, n)
			}
		}
	})
}
