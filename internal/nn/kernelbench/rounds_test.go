package main

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestEachRoundMeasuresEverythingOnceAndBeginsWithAnother(t *testing.T) {
	var order []string
	enter := func(who string) contestant {
		return contestant{[]figure{{64, who, "a"}, {64, who, "b"}}, func() ([]float64, error) {
			order = append(order, who)
			return []float64{float64(len(order)), 0}, nil
		}}
	}
	r, n, err := rounds(context.Background(), 0, []contestant{enter("x"), enter("y")})
	if err != nil || n != minRounds || !slices.Equal(order, []string{"x", "y", "y", "x", "x", "y"}) {
		t.Errorf("%d rounds went %v (%v)", n, order, err)
	}
	if got := r[figure{64, "y", "a"}]; !slices.Equal(got, []float64{2, 3, 6}) {
		t.Errorf("y's readings are %v, want 2, 3, 6", got)
	}
	if got := r[figure{64, "x", "b"}]; !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("x's second readings are %v, want three", got)
	}
}

func TestRoundsEndWithTheirContextAndWithAFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	interrupted := contestant{nil, func() ([]float64, error) { calls++; cancel(); return nil, nil }}
	if _, _, err := rounds(ctx, 0, []contestant{interrupted}); !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("after the interrupt there were %d calls and the error %v", calls, err)
	}
	broken := errors.New("broken")
	if _, _, err := rounds(context.Background(), 0, []contestant{{nil, func() ([]float64, error) { return nil, broken }}}); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}
