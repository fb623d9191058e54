package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LineConfidence is the confidence of the intervals of a line's two terms.
const LineConfidence = 0.95

// Line is a cost of two terms: Intercept whatever the size, and Slope for every unit of it.
type Line struct {
	Intercept, Slope float64
	// Quality is nil for a line through two points: it meets both, which says nothing about it.
	Quality *LineQuality
}

// LineQuality is how well the points determine a line, and how well it fits them.
type LineQuality struct {
	// Intervals for the two terms at LineConfidence, each by itself, by Student's t with two degrees of freedom fewer than points.
	// They hold where the points scatter about a line, independently and by the same fraction of their values.
	InterceptLow, InterceptHigh float64
	SlopeLow, SlopeHigh         float64
	// LargestResidual is the largest distance of a point from the line, as a fraction of the point's value.
	LargestResidual float64
	// R2 is the share of the points' squared relative distances from one constant value, the best there is, that the line takes
	// away. It is nil where all the values are equal.
	R2 *float64
}

// At is the line's value at x.
func (l Line) At(x float64) float64 { return l.Intercept + l.Slope*x }

// FitLine lays the line through the points that makes the sum of their squared relative errors, ((y - line)/y)^2, smallest: every
// size counts the same, however large its value. It is false where x and y differ in length, where there are not two different x,
// and where a value is NaN or infinite or a y is not above 0.
func FitLine(x, y []float64) (Line, bool) {
	if len(x) != len(y) || !twoValues(x) || !finite(x) || !finite(y) || slices.Min(y) <= 0 {
		return Line{}, false
	}
	weights := relativeWeights(y)
	var l Line
	l.Intercept, l.Slope = stat.LinearRegression(x, y, weights, false)
	if !finite([]float64{l.Intercept, l.Slope}) {
		return Line{}, false
	}
	if len(x) > 2 {
		l.Quality = l.quality(x, y, weights)
	}
	return l, true
}

func twoValues(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// relativeWeights are in proportion to 1/y^2 and sum up to their number: gonum divides by their sum less one.
func relativeWeights(y []float64) []float64 {
	smallest := slices.Min(y)
	weights := make([]float64, len(y))
	sum := 0.0
	for i, v := range y {
		weights[i] = smallest / v * (smallest / v)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] *= float64(len(y)) / sum
	}
	return weights
}

func (l Line) quality(x, y, weights []float64) *LineQuality {
	var q LineQuality
	squares := 0.0 // of the weighted residuals
	for i := range x {
		residual := y[i] - l.At(x[i])
		squares += weights[i] * residual * residual
		q.LargestResidual = max(q.LargestResidual, math.Abs(residual)/y[i])
	}
	n := float64(len(x))
	middle, variance := stat.MeanVariance(x, weights)
	across := variance * (n - 1) // the weighted squares of x about its mean, as the weights sum up to n
	t := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile((1 + LineConfidence) / 2)
	reach := t * math.Sqrt(squares/(n-2))
	slope := reach / math.Sqrt(across)
	intercept := reach * math.Sqrt(1/n+middle*middle/across)
	q.SlopeLow, q.SlopeHigh = l.Slope-slope, l.Slope+slope
	q.InterceptLow, q.InterceptHigh = l.Intercept-intercept, l.Intercept+intercept
	if twoValues(y) {
		r2 := stat.RSquared(x, y, weights, l.Intercept, l.Slope)
		q.R2 = &r2
	}
	return &q
}
