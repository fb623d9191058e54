package verdict

import (
	"math"

	"fitbench/internal/stats"
)

// Result is what is known of one gate. Estimates and bounds are natural logarithms of ratios: math.Expm1 makes them a change as a
// fraction, positive where head is worse.
type Result struct {
	Gate    string
	Verdict Verdict
	// Pairs is the number of rounds that Estimate and Interval rest on: those up to the look that decided, or the last one that gave an
	// interval, or all where there has been none.
	Pairs int
	// Estimate is that of log(head/base); nil before the first round.
	Estimate *float64
	// Interval is nil before the first look that can give one.
	Interval *Interval
	// TwinEstimate is that of log(twin/base) over all the gate's rounds; nil before the first.
	TwinEstimate *float64
	// Unconfirmed is what the last look says of an inconclusive gate by itself, where it takes another to say the same; else empty.
	Unconfirmed Verdict
	// TwinsApart tells that TwinEstimate is beyond the least change, so that nothing is concluded.
	TwinsApart bool
}

// Interval bounds log(head/base).
type Interval struct {
	Low, High float64
	// Confidence is the interval's own, at this look alone. It is higher than 1 - 2 * Options.FalseAlarm, which every other look of all
	// gates reaches together.
	Confidence float64
}

// gate is one figure's rounds, and what the last look made of them.
type gate struct {
	name    string
	changes []float64 // log(head/base), a round each
	twins   []float64 // log(twin/base)
	seen    *sight    // nil before the first look that gave an interval
	said    Verdict   // what the last look says by itself
	decided Verdict   // Inconclusive until the gate is; then there are no further rounds
}

// sight is what a look saw.
type sight struct {
	pairs    int
	estimate float64
	interval Interval
}

func (g *gate) add(f Figures) {
	g.changes = append(g.changes, math.Log(f.Head)-math.Log(f.Base)) // the ratio itself may overflow
	g.twins = append(g.twins, math.Log(f.Twin)-math.Log(f.Base))
}

func (g *gate) look(l level) {
	estimate, estimated := stats.HodgesLehmann(g.changes)
	low, high, bounded := stats.WalshInterval(g.changes, l.cut)
	if !estimated || !bounded {
		panic("verdict: no estimate or interval of finite values")
	}
	g.seen = &sight{len(g.changes), estimate, Interval{Low: low, High: high, Confidence: 1 - 2*l.probability}}
}

// judge decides for good: a change where this look and the one before both say so, same at once. margin is the log of 1 + the least
// change.
func (g *gate) judge(margin float64) {
	before := g.said
	g.said = Inconclusive
	if !apart(estimate(g.twins), margin) {
		g.said = Judge(g.seen.estimate, g.seen.interval.Low, g.seen.interval.High, margin)
	}
	if g.said == before || g.said == Same {
		g.decided = g.said
	}
}

func (g *gate) result(margin float64) Result {
	r := Result{Gate: g.name, Verdict: g.decided, TwinEstimate: estimate(g.twins)}
	r.TwinsApart = apart(r.TwinEstimate, margin)
	if g.decided == Inconclusive && g.said != Inconclusive {
		r.Unconfirmed = g.said
	}
	if g.seen == nil {
		r.Pairs, r.Estimate = len(g.changes), estimate(g.changes)
		return r
	}
	seen := *g.seen
	r.Pairs, r.Estimate, r.Interval = seen.pairs, &seen.estimate, &seen.interval
	return r
}

// estimate is nil where there is no value.
func estimate(x []float64) *float64 {
	e, ok := stats.HodgesLehmann(x)
	if !ok {
		return nil
	}
	return &e
}

func apart(twins *float64, margin float64) bool { return twins != nil && math.Abs(*twins) > margin }
