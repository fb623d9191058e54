package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fitbench/internal/stats"
)

// figure names what is read once in every round, in nanoseconds a sample.
type figure struct {
	batch int
	who   string // a variant, or theYardstick
	what  string // inOneThread, inTwo, inTwoModels, or a part's name
}

const (
	theYardstick = "yardstick"
	inOneThread  = "whole step"
	// inTwo is the whole step on two threads, or what two yardsticks at once take together for a sample.
	inTwo = "on two cores"
	// inTwoModels is what two models at once take together for a sample, one thread and one core each. They share nothing, so what
	// two threads of one model lack to them is the price of working together, and what they lack to two yardsticks is the machine's.
	inTwoModels = "two models"
)

// readings hold one value a round for each figure.
type readings map[figure][]float64

// summary is the median over rounds, and half the range between the quartiles.
type summary struct {
	median, spread float64
	measured       bool
}

func summarise(values []float64) summary {
	median, ok := stats.Median(values)
	if !ok {
		return summary{}
	}
	sorted := slices.Sorted(slices.Values(values))
	quartile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, sorted, nil) }
	return summary{median: median, spread: (quartile(0.75) - quartile(0.25)) / 2, measured: true}
}

// ratios are a/b, round by round; none where either was not measured.
func ratios(a, b []float64) []float64 {
	if len(a) != len(b) {
		return nil
	}
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return r
}

// rest is what the whole step takes more than its parts, all as medians: what disturbs a round falls on one part here and on
// another there, and only its median forgets that.
func (r readings) rest(batch int, who string) (float64, bool) {
	rest, known := stats.Median(r[figure{batch, who, inOneThread}])
	for _, part := range partNames() {
		median, ok := stats.Median(r[figure{batch, who, part}])
		rest, known = rest-median, known && ok
	}
	return rest, known
}

// gains are how many times as much is done on two cores, in one of the two ways, as on one, round by round.
func (r readings) gains(batch int, who, how string) []float64 {
	return ratios(r[figure{batch, who, inOneThread}], r[figure{batch, who, how}])
}

// shares are the gains as a share of the yardstick's, of which no more than 2 counts.
func (r readings) shares(batch int, who, how string) []float64 {
	possible := slices.Clone(r.gains(batch, theYardstick, inTwo))
	for i := range possible {
		possible[i] = math.Min(possible[i], maxCores)
	}
	return ratios(r.gains(batch, who, how), possible)
}
