package kernel

import (
	"math"
	"testing"
	"unsafe"
)

// memory hands out the operands of a loop in places where a stray access is seen.
type memory interface {
	// place makes room for size bytes; the check looks whether anything around it was written to.
	place(t *testing.T, size int) (at unsafe.Pointer, intact func(t *testing.T, what string))
}

// memories are the kinds of memory there are here, by name.
func memories() map[string]memory {
	all := pagedMemories()
	all["between guards"] = guards{}
	return all
}

// guards is memory between guard words, of which a loop that reads one gets a NaN. It begins at an odd word.
type guards struct{}

func (guards) place(_ *testing.T, size int) (unsafe.Pointer, func(*testing.T, string)) {
	const around = guardWords + 1
	words := (size + 3) / 4
	all := make([]uint32, words+2*around)
	for i := range all {
		all[i] = guardBits
	}
	return unsafe.Pointer(&all[around]), func(t *testing.T, what string) {
		t.Helper()
		for i, v := range all {
			if (i < around || i >= around+words) && v != guardBits {
				t.Fatalf("%s: the word %d places from the operand's start was overwritten", what, i-around)
			}
		}
	}
}

// operands places operands in one memory and looks after them all.
type operands struct {
	t      *testing.T
	memory memory
	checks []func(t *testing.T, what string)
}

// intact fails the test if a loop wrote outside an operand.
func (o *operands) intact(what string) {
	o.t.Helper()
	for _, check := range o.checks {
		check(o.t, what)
	}
}

// placed is a copy of old in the operands' memory.
func placed[T any](o *operands, old []T) []T {
	o.t.Helper()
	if len(old) == 0 {
		return nil
	}
	at, check := o.memory.place(o.t, len(old)*int(unsafe.Sizeof(old[0])))
	o.checks = append(o.checks, check)
	x := unsafe.Slice((*T)(at), len(old))
	copy(x, old)
	return x
}

// inEveryMemory runs a test on the lanes of every variant that has them, with operands in every kind of memory.
func inEveryMemory(t *testing.T, test func(t *testing.T, l *Lanes, o *operands)) {
	for _, impl := range Available() {
		if impl.Lanes == nil {
			continue
		}
		for name, memory := range memories() {
			t.Run("impl="+impl.Name+"/"+name, func(t *testing.T) {
				test(t, impl.Lanes, &operands{t: t, memory: memory})
			})
		}
	}
}

// exactly compares with a float64 reference whose values are whole numbers.
func exactly(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	closely(t, what, 0, got, want)
}

// closely compares with a float64 reference, within a tolerance.
func closely(t *testing.T, what string, tolerance float64, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, v := range got {
		if !(math.Abs(float64(v)-want[i]) <= tolerance) {
			t.Fatalf("%s[%d] is %g, want %g", what, i, v, want[i])
		}
	}
}
