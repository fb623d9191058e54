package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// forEach runs a test on every variant that this CPU has.
func forEach(t *testing.T, test func(t *testing.T, impl *Impl)) {
	for _, impl := range Available() {
		t.Run("impl="+impl.Name, func(t *testing.T) { test(t, impl) })
	}
}

// numbers draws n values, the same for the same seed.
func numbers(seed uint64, n int) []float32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// integers draws n whole numbers of -3 to 3. Sums of their products are exact in float32 in any order, so results can be compared
// exactly, and equal candidates are frequent. They begin at an odd place of their memory, as rows of a series do.
func integers(seed uint64, n int) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float32, n+3)[1+seed%3:][:n:n]
	for i := range x {
		x[i] = float32(rng.IntN(7) - 3)
	}
	return x
}

func widened(x []float32) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = float64(x[i])
	}
	return y
}

// guardWords is how many words before and behind a destination must stay as they are.
const guardWords = 16

// guarded is a destination between guard words.
type guarded struct {
	all    []float32
	offset int
	n      int
}

const guardBits = 0x7fa5a5a5 // a NaN: a loop that reads a guard spoils its result

// destination makes a guarded destination that holds the values of old.
func destination(old []float32) *guarded {
	g := &guarded{all: make([]float32, len(old)+2*guardWords+1), offset: guardWords + len(old)%2, n: len(old)}
	for i := range g.all {
		g.all[i] = math.Float32frombits(guardBits)
	}
	copy(g.values(), old)
	return g
}

// values is the destination itself, long is as loops may get it: longer than needed.
func (g *guarded) values() []float32 { return g.all[g.offset : g.offset+g.n] }
func (g *guarded) long() []float32   { return g.all[g.offset:] }

// equals compares exactly with what a float64 reference found, and looks at the guards.
func (g *guarded) equals(t *testing.T, what string, want []float64) {
	t.Helper()
	if len(want) != g.n {
		t.Fatalf("%s: %d values expected of a destination of %d", what, len(want), g.n)
	}
	for i, v := range g.values() {
		if !(float64(v) == want[i]) {
			t.Fatalf("%s[%d] is %g, want %g", what, i, v, want[i])
		}
	}
	g.intact(t, what)
}

func (g *guarded) intact(t *testing.T, what string) {
	t.Helper()
	for i, v := range g.all {
		if (i < g.offset || i >= g.offset+g.n) && math.Float32bits(v) != guardBits {
			t.Fatalf("%s: the word %d places from the destination's start was overwritten with %g", what, i-g.offset, v)
		}
	}
}

func zeros(n int) []float32 { return make([]float32, n) }

// sameBits compares two results bit by bit.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s[%d] is %g, want the bits of %g", what, i, got[i], want[i])
		}
	}
}

func isNaN(x float32) bool { return x != x }

var (
	inf = float32(math.Inf(1))
	nan = float32(math.NaN())
)
