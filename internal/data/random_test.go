package data

import (
	"math"
	"slices"
	"testing"
)

// What NumPy's legacy generator gives, and, for seed 2^32-1, what a second implementation on another Mersenne Twister gives.
func TestRandomStateDrawsWhatNumPyDraws(t *testing.T) {
	for _, c := range []struct {
		seed        uint32
		normal      []float64
		permutation []int32
	}{
		{0, []float64{1.764052345967664, 0.4001572083672233, 0.9787379841057392, 2.240893199201458, 1.8675579901499675},
			[]int32{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}},
		{1, []float64{1.6243453636632417, -0.6117564136500754, -0.5281717522634557, -1.0729686221561705, 0.8654076293246785},
			[]int32{2, 9, 6, 4, 0, 3, 1, 7, 8, 5}},
		{42, []float64{0.4967141530112327, -0.13826430117118466, 0.6476885381006925, 1.5230298564080254, -0.23415337472333597},
			[]int32{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}},
		{math.MaxUint32, []float64{0.6484086742306527, 0.6693235306338161, -1.0805437227474493, 0.2845010447986309, 0.11388773652167104},
			[]int32{6, 9, 5, 1, 8, 0, 7, 4, 2, 3}},
	} {
		r := NewRandomState(c.seed)
		for i, want := range c.normal {
			if got := r.Normal(0, 1); !near(got, want) {
				t.Errorf("seed %d, normal value %d: %v, want %v", c.seed, i, got, want)
			}
		}
		if got := permute(t, NewRandomState(c.seed), 10); !slices.Equal(got, c.permutation) {
			t.Errorf("seed %d: permutation %v, want %v", c.seed, got, c.permutation)
		}
	}
}

func TestNormalScalesAndShifts(t *testing.T) {
	if got, want := NewRandomState(0).Normal(10, 2), 10+2*1.764052345967664; !near(got, want) {
		t.Errorf("normal(10, 2) is %v, want %v", got, want)
	}
}

// A permutation uses none of the pair's second value and leaves it waiting: as NumPy does, not as a fresh generator would.
func TestSecondNormalOfAPairSurvivesAPermutation(t *testing.T) {
	r := NewRandomState(0)
	r.Normal(0, 1)
	permute(t, r, 10)
	if got, want := r.Normal(0, 1), 0.4001572083672233; !near(got, want) {
		t.Errorf("second normal value is %v, want %v", got, want)
	}
}

func TestChoiceIsTheBeginningOfThePermutation(t *testing.T) {
	for _, m := range []int{0, 1, 4, 10} {
		want := []int32{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}[:m]
		if got := choose(t, NewRandomState(0), 10, m); !slices.Equal(got, want) {
			t.Errorf("choice(10, %d) is %v, want %v", m, got, want)
		}
	}
}

func TestChoiceOfMoreThanThereArePanics(t *testing.T) {
	for _, m := range []int{-1, 11} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("choice(10, %d) did not panic", m)
				}
			}()
			choose(t, NewRandomState(0), 10, m)
		}()
	}
}

func TestShortPermutations(t *testing.T) {
	for _, want := range [][]int32{{}, {0}, {1, 0}} {
		if got := permute(t, NewRandomState(0), len(want)); !slices.Equal(got, want) {
			t.Errorf("permutation(%d) is %v, want %v", len(want), got, want)
		}
	}
}

// permute is RandomState.permutation(n).
func permute(t *testing.T, r *RandomState, n int) []int32 {
	t.Helper()
	dst := make([]int32, n)
	if err := r.Permutation(t.Context(), dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

// choose is RandomState.choice(n, m, replace=False).
func choose(t *testing.T, r *RandomState, n, m int) []int32 {
	t.Helper()
	chosen, err := r.Choice(t.Context(), n, m)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

// near holds where two reals are within 1e-12 of each other, relative to the second.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }
