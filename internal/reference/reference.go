// Package reference is a loop that never changes: a fixed amount of plain work whose time serves as the unit in which times are kept.
// A kept time that is a multiple of it moves less when the same machine is a little faster or slower on another day.
//
// It is frozen. Whoever makes it faster, or changes the work in any way, makes every kept baseline say that training became slower
// or faster. It is therefore plain Go on one thread, without assembly, unrolling or hints, and shares no code with the kernels that
// it is held against; its test pins what it computes. It does not tell machines apart and ranks none: half of it is bound by
// arithmetic, half by memory, in proportions that are right for no program.
package reference

import "time"

// The fixed work, about 40 ms in all on a CPU of 3 GHz.
const (
	values = 4096    // float32 in the array, 16 KiB: it stays in the first cache
	passes = 3000    // multiply-adds of each value
	copied = 1 << 20 // bytes of the buffer: it does not stay in the first cache
	copies = 200
)

// Loop is the work with its memory, 2 MiB, which is claimed and touched once so that no time is spent on that. It is not safe for
// several goroutines at once.
type Loop struct {
	array    []float32 // [values]
	from, to []byte    // [copied]
}

// New claims the memory.
func New() *Loop {
	l := &Loop{array: make([]float32, values), from: make([]byte, copied), to: make([]byte, copied)}
	for i := range l.from {
		l.from[i], l.to[i] = byte(7*i), byte(i)
	}
	return l
}

// Seconds does the work once and returns the wall time that it took, some tens of milliseconds.
func (l *Loop) Seconds() float64 {
	start := time.Now()
	l.multiplyAdd()
	l.copy()
	return time.Since(start).Seconds()
}

// multiplyAdd starts from the same values, -0.5 to 0.5, each time. Under x*x-1.8 they wander in [-1.8, 1.44] without settling, so
// that the result tells how often it was done. The conversion keeps the product from being fused with the sum where a CPU could: the
// work is the same everywhere, and so is the result, bit for bit.
func (l *Loop) multiplyAdd() {
	for i := range l.array {
		l.array[i] = float32(i)/values - 0.5
	}
	for range passes {
		for i, x := range l.array {
			l.array[i] = float32(x*x) - 1.8
		}
	}
}

// copy copies the buffer to and fro, each time after a change, so that no copy repeats the one before.
func (l *Loop) copy() {
	for i := range copies {
		l.from[i]++
		copy(l.to, l.from)
		l.from, l.to = l.to, l.from
	}
}
