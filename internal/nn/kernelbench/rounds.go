package main

import (
	"context"
	"time"
)

// contestant is measured once in every round.
type contestant struct {
	figures []figure
	measure func() ([]float64, error) // a value for each figure, in nanoseconds a sample
}

// minRounds are as many as a median with a spread needs.
const minRounds = 3

// rounds measures all contestants in turn, over and over until the time is used up. Each round begins with another one, so that
// none always follows the same: what came before is in the caches.
func rounds(ctx context.Context, duration time.Duration, contestants []contestant) (readings, int, error) {
	r, n := readings{}, 0
	for begin := time.Now(); n < minRounds || time.Since(begin) < duration; n++ {
		for i := range contestants {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			c := contestants[(n+i)%len(contestants)]
			values, err := c.measure()
			if err != nil {
				return nil, 0, err
			}
			for j, f := range c.figures {
				r[f] = append(r[f], values[j])
			}
		}
	}
	return r, n, nil
}
