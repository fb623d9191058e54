package verdict_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/verdict"
)

func noise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }

func newCheck(t testing.TB, minChange float64, gates ...string) *verdict.Check {
	t.Helper()
	c, err := verdict.New(verdict.Options{Gates: gates, MinChange: minChange, FalseAlarm: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func add(t testing.TB, c *verdict.Check, round map[string]verdict.Figures) {
	t.Helper()
	if err := c.Add(round); err != nil {
		t.Fatal(err)
	}
}

// of repeats the ratios head/base in turn until there are so many rounds.
func of(t *testing.T, rounds int, twin float64, ratios ...float64) verdict.Result {
	t.Helper()
	c := newCheck(t, 0.05, "g")
	for i := range rounds {
		add(t, c, map[string]verdict.Figures{"g": {Base: 4, Twin: 4 * twin, Head: 4 * ratios[i%len(ratios)]}})
	}
	r := c.Results()[0]
	if c.Decided() != (r.Verdict != verdict.Inconclusive) {
		t.Errorf("decided is %v, the only gate %s", c.Decided(), r.Verdict)
	}
	return r
}

func TestVerdictsFollowTheRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds int
		twin   float64
		ratios []float64
		want   verdict.Verdict
	}{
		{"head 10 % slower", 20, 1, []float64{1.09, 1.10, 1.11}, verdict.Regressed},
		{"head a tenth slower by division", 20, 1, []float64{1 / 1.09, 1 / 1.10, 1 / 1.11}, verdict.Improved},
		{"no difference at all", 20, 1, []float64{1}, verdict.Same},
		{"a difference that does not matter", 20, 1, []float64{1.01, 1.02, 1.03}, verdict.Same},
		{"faster, but it does not matter", 20, 1, []float64{0.99, 0.98, 0.97}, verdict.Same},
		{"surely slower, but not by how much", 20, 1, []float64{1.01, 1.03, 1.07, 1.07}, verdict.Inconclusive},
		{"surely faster, but not by how much", 20, 1, []float64{1 / 1.01, 1 / 1.03, 1 / 1.07, 1 / 1.07}, verdict.Inconclusive},
		{"noise around 0", 20, 1, []float64{0.8, 1.25}, verdict.Inconclusive},
		{"noise around a change", 20, 1, []float64{0.8, 1.3, 1.2}, verdict.Inconclusive},
		{"too few rounds for one gate", 9, 1, []float64{1.1}, verdict.Inconclusive},
		{"just enough to be the same", 10, 1, []float64{1}, verdict.Same},
		{"one look alone that says slower", 12, 1, []float64{1.1}, verdict.Inconclusive},
		{"two looks that say slower", 13, 1, []float64{1.1}, verdict.Regressed},
		{"two looks that say faster", 13, 1, []float64{1 / 1.1}, verdict.Improved},
		{"twins within the least change", 20, 1.049, []float64{1.1}, verdict.Regressed},
		{"twin slower than base", 20, 1.06, []float64{1.1}, verdict.Inconclusive},
		{"twin faster than base", 20, 1 / 1.06, []float64{1}, verdict.Inconclusive},
	} {
		r := of(t, c.rounds, c.twin, c.ratios...)
		if r.Verdict != c.want {
			t.Errorf("%s: %s, want %s (%s)", c.name, r.Verdict, c.want, show(r))
		}
		if apart := math.Abs(c.twin-1) > 0.05; r.TwinsApart != apart {
			t.Errorf("%s: twins apart is %v", c.name, r.TwinsApart)
		}
	}
}

func show(r verdict.Result) string {
	if r.Interval == nil {
		return fmt.Sprintf("%d pairs, no interval", r.Pairs)
	}
	return fmt.Sprintf("%d pairs, %.4f in %.4f to %.4f, twins %.4f", r.Pairs, *r.Estimate, r.Interval.Low, r.Interval.High, *r.TwinEstimate)
}

func TestFiguresAreAbsentUntilTheyAreKnown(t *testing.T) {
	c := newCheck(t, 0.05, "g")
	r := c.Results()[0]
	if r.Gate != "g" || r.Verdict != verdict.Inconclusive || r.Pairs != 0 || r.Estimate != nil || r.Interval != nil || r.TwinEstimate != nil || c.Decided() {
		t.Errorf("without rounds: %+v", r)
	}
	add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 2, Head: 3}})
	r = c.Results()[0]
	if r.Pairs != 1 || r.Interval != nil || !(math.Abs(*r.Estimate-math.Log(3)) <= 1e-15) || !(math.Abs(*r.TwinEstimate-math.Log(2)) <= 1e-15) {
		t.Errorf("one round: %d pairs, estimate %v, twins %v, interval %v", r.Pairs, *r.Estimate, *r.TwinEstimate, r.Interval)
	}
}

// undecidable is never decided: head is as often far faster as far slower.
func undecidable(round int) verdict.Figures {
	return verdict.Figures{Base: 1, Twin: 1, Head: math.Exp(math.Sin(float64(round)))}
}

func TestIntervalsRestOnTheLastLookAndTwinsOnAllRounds(t *testing.T) {
	c := newCheck(t, 0.05, "g")
	for i := range 13 {
		add(t, c, map[string]verdict.Figures{"g": undecidable(i)})
	}
	before := c.Results()[0]
	for range 2 {
		add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 1.2, Head: 7}})
	}
	after := c.Results()[0]
	if c.Rounds() != 15 || after.Pairs != 13 || *after.Estimate != *before.Estimate || *after.Interval != *before.Interval {
		t.Errorf("after 15 rounds: %s, want as after 13: %s", show(after), show(before))
	}
	for range 30 {
		add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 1.2, Head: 1.1}})
	}
	if r := c.Results()[0]; r.Verdict != verdict.Inconclusive || !r.TwinsApart || r.Pairs != 40 {
		t.Errorf("twins apart in 32 of 45 rounds: %s (%s)", r.Verdict, show(r))
	}
}

// By the look after 10 rounds the twins are 5.1 % apart in the middle; one more round would bring them below 5 %.
func TestBetweenLooksNothingIsDecided(t *testing.T) {
	c := newCheck(t, 0.05, "g")
	for range 10 {
		add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 1.051, Head: 1.1}})
	}
	for range 2 {
		if r := c.Results()[0]; r.Verdict != verdict.Inconclusive || len(c.Open()) != 1 || c.Decided() {
			t.Errorf("after %d rounds: %s (%s), open are %v", c.Rounds(), r.Verdict, show(r), c.Open())
		}
		for range 1 {
			add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 0.1, Head: 1.1}})
		}
	}
	add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: 1, Head: 1.1}}) // the 13th
	if r := c.Results()[0]; r.Verdict != verdict.Regressed && r.Verdict != verdict.Inconclusive || c.Decided() != (r.Verdict != verdict.Inconclusive) {
		t.Errorf("after %d rounds: %s, decided %v", c.Rounds(), r.Verdict, c.Decided())
	}
}

// The first of two gates is decided by the looks after 13 and 16 rounds: after 10, two gates have too little to spend.
func TestADecidedGateGetsNoFurtherRounds(t *testing.T) {
	c := newCheck(t, 0.05, "a", "b")
	if open := c.Open(); !slices.Equal(open, []string{"a", "b"}) {
		t.Fatalf("open are %v", open)
	}
	for i := range 16 {
		add(t, c, map[string]verdict.Figures{"a": {Base: 1, Twin: 1, Head: 1.1}, "b": undecidable(i)})
	}
	before := c.Results()[0]
	if open := c.Open(); !slices.Equal(open, []string{"b"}) || before.Verdict != verdict.Regressed {
		t.Fatalf("open are %v, a is %s (%s)", open, before.Verdict, show(before))
	}
	add(t, c, map[string]verdict.Figures{"a": {Base: 1, Twin: 9, Head: 1}, "b": undecidable(16)})
	for i := 17; i < 40; i++ {
		add(t, c, map[string]verdict.Figures{"b": undecidable(i)})
	}
	r := c.Results()
	if r[0].Verdict != before.Verdict || *r[0].TwinEstimate != 0 || *r[0].Interval != *before.Interval || r[0].Pairs != before.Pairs || r[1].Pairs != 40 {
		t.Errorf("a changed from %s to %s; b has %d pairs, want 40", show(before), show(r[0]), r[1].Pairs)
	}
}

// Ten twins are 4.4 % apart in the middle, which three more lift to 9 % for the look after 13 rounds, and the next three lower again.
func TestAChangeTakesTwoLooksRunning(t *testing.T) {
	c := newCheck(t, 0.05, "g")
	after := map[int]verdict.Verdict{10: verdict.Regressed, 13: "", 16: verdict.Regressed, 19: verdict.Regressed}
	twins := []float64{1, 1.09, 1, 1.09, 1, 1.09, 1, 1.09, 1, 1.09, 9, 9, 9, 0.1, 0.1, 0.1, 1, 1, 1, 1}
	for i, twin := range twins {
		if want, looked := after[i]; looked {
			if r := c.Results()[0]; r.Verdict != verdict.Inconclusive || r.Unconfirmed != want {
				t.Errorf("after %d rounds: %s, the last look alone %q, want %q (%s)", i, r.Verdict, r.Unconfirmed, want, show(r))
			}
		}
		add(t, c, map[string]verdict.Figures{"g": {Base: 1, Twin: twin, Head: 1.1}})
	}
	if r := c.Results()[0]; r.Verdict != verdict.Regressed || r.Unconfirmed != "" || r.Pairs != 20 {
		t.Errorf("after 20 rounds: %s, unconfirmed %q (%s)", r.Verdict, r.Unconfirmed, show(r))
	}
}

func TestAllGatesMustBeDecided(t *testing.T) {
	c := newCheck(t, 0.05, "a", "b")
	for i := range 20 {
		add(t, c, map[string]verdict.Figures{"a": {Base: 1, Twin: 1, Head: 1.1}, "b": {Base: 1, Twin: 1, Head: []float64{0.7, 1.4}[i%2]}})
	}
	r := c.Results()
	if c.Decided() || r[0].Verdict != verdict.Regressed || r[1].Verdict != verdict.Inconclusive || r[0].Gate != "a" || r[1].Gate != "b" {
		t.Errorf("decided %v: %s %s, %s %s", c.Decided(), r[0].Gate, r[0].Verdict, r[1].Gate, r[1].Verdict)
	}
}

func TestNextLookIsTheNextThatCanTell(t *testing.T) {
	for gates, first := range map[int]int{1: 10, 4: 13, 5: 13} {
		c := newCheck(t, 0.05, []string{"a", "b", "c", "d", "e"}[:gates]...)
		if got, ok := c.NextLook(); got != first || !ok {
			t.Errorf("%d gates: the first look is after %d rounds, %v, want %d", gates, got, ok, first)
		}
	}
	c := newCheck(t, 0.05, "g")
	var seen []int
	for next, more := c.NextLook(); more; next, more = c.NextLook() {
		for c.Rounds() < next {
			if r := c.Results()[0]; r.Interval != nil && r.Pairs != seen[len(seen)-1] || r.Interval == nil && len(seen) > 0 {
				t.Fatalf("after %d rounds: %s, foretold was no look before %d", c.Rounds(), show(r), next)
			}
			add(t, c, map[string]verdict.Figures{"g": undecidable(c.Rounds())})
		}
		if r := c.Results()[0]; r.Interval == nil || r.Pairs != next {
			t.Fatalf("after %d rounds: %s, foretold was a look", next, show(r))
		}
		seen = append(seen, next)
	}
	if want := []int{10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400}; !slices.Equal(seen, want) {
		t.Errorf("looks after %v, want %v", seen, want)
	}
}

func TestEveryOtherLookOfAllGatesSpendsNoMoreThanTheFalseAlarm(t *testing.T) {
	for _, o := range []verdict.Options{
		{Gates: []string{"a"}, FalseAlarm: 0.01}, {Gates: []string{"a", "b", "c", "d"}, FalseAlarm: 0.01},
		{Gates: []string{"a", "b"}, FalseAlarm: 1e-9},
	} {
		o.MinChange = 0.05
		c, err := verdict.New(o)
		if err != nil {
			t.Fatal(err)
		}
		round := map[string]verdict.Figures{}
		var spent [2]float64 // by every other look
		looks := 0
		for next, more := c.NextLook(); more; next, more = c.NextLook() {
			for c.Rounds() < next {
				for _, g := range o.Gates {
					round[g] = undecidable(c.Rounds())
				}
				add(t, c, round)
			}
			for _, r := range c.Results() {
				spent[looks%2] += (1 - r.Interval.Confidence) / 2
			}
			looks++
		}
		for _, s := range spent {
			if !(s <= o.FalseAlarm*(1+1e-6)) || !(s >= 0.95*o.FalseAlarm) {
				t.Errorf("%d gates spend %v of %v, want nearly all and no more", len(o.Gates), spent, o.FalseAlarm)
			}
		}
	}
}

func TestExchangingBaseAndHeadMirrorsTheResult(t *testing.T) {
	there, back := newCheck(t, 0.05, "g"), newCheck(t, 0.05, "g")
	random := noise(5)
	for range 40 {
		base, head := math.Exp(0.03*random.NormFloat64()), 1.1*math.Exp(0.03*random.NormFloat64())
		add(t, there, map[string]verdict.Figures{"g": {Base: base, Twin: base, Head: head}})
		add(t, back, map[string]verdict.Figures{"g": {Base: head, Twin: head, Head: base}})
	}
	a, b := there.Results()[0], back.Results()[0]
	if a.Verdict != verdict.Regressed || b.Verdict != verdict.Improved || *a.Estimate != -*b.Estimate || a.Interval.Low != -b.Interval.High || a.Interval.High != -b.Interval.Low {
		t.Errorf("%s %s, exchanged %s %s", a.Verdict, show(a), b.Verdict, show(b))
	}
}

func TestBadRoundsAreErrorsAndLeaveTheCheckAsItWas(t *testing.T) {
	good := verdict.Figures{Base: 1, Twin: 1, Head: 1}
	for _, c := range []struct {
		name, want string
		round      map[string]verdict.Figures
	}{
		{"no figures", `lacks gate "a"`, nil},
		{"a gate is missing", `lacks gate "b"`, map[string]verdict.Figures{"a": good}},
		{"an unknown gate", `has gate "c"`, map[string]verdict.Figures{"a": good, "b": good, "c": good}},
		{"NaN head", "the figure of head is NaN", map[string]verdict.Figures{"a": good, "b": {Base: 1, Twin: 1, Head: math.NaN()}}},
		{"infinite base", "the figure of base is +Inf", map[string]verdict.Figures{"a": good, "b": {Base: math.Inf(1), Twin: 1, Head: 1}}},
		{"twin of 0", "the figure of base's twin is 0", map[string]verdict.Figures{"a": good, "b": {Base: 1, Head: 1}}},
		{"negative head", "the figure of head is -1", map[string]verdict.Figures{"a": good, "b": {Base: 1, Twin: 1, Head: -1}}},
	} {
		check := newCheck(t, 0.05, "a", "b")
		if err := check.Add(c.round); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "round 1") {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if r := check.Results()[0]; check.Rounds() != 0 || r.Pairs != 0 {
			t.Errorf("%s: %d rounds, %d pairs were kept", c.name, check.Rounds(), r.Pairs)
		}
	}
}

func TestExtremeFiguresStayFinite(t *testing.T) {
	c := newCheck(t, 0.05, "g")
	for range 13 {
		add(t, c, map[string]verdict.Figures{"g": {Base: math.SmallestNonzeroFloat64, Twin: math.SmallestNonzeroFloat64, Head: math.MaxFloat64}})
	}
	if r := c.Results()[0]; r.Verdict != verdict.Regressed {
		t.Errorf("%s: %s", r.Verdict, show(r))
	}
}

func TestOptionsOutOfBoundsAreErrors(t *testing.T) {
	good := verdict.Options{Gates: []string{"a"}, MinChange: 0.05, FalseAlarm: 0.01}
	for want, change := range map[string]func(*verdict.Options){
		"0 gates":            func(o *verdict.Options) { o.Gates = nil },
		"6 gates":            func(o *verdict.Options) { o.Gates = strings.Split("abcdef", "") },
		"gate 2 has no name": func(o *verdict.Options) { o.Gates = []string{"a", ""} },
		`"a" is named twice`: func(o *verdict.Options) { o.Gates = []string{"a", "b", "a"} },
		"least change 0":     func(o *verdict.Options) { o.MinChange = 0 },
		"least change -0.1":  func(o *verdict.Options) { o.MinChange = -0.1 },
		"least change NaN":   func(o *verdict.Options) { o.MinChange = math.NaN() },
		"least change +Inf":  func(o *verdict.Options) { o.MinChange = math.Inf(1) },
		"false alarm 0:":     func(o *verdict.Options) { o.FalseAlarm = 0 },
		"false alarm 0.5":    func(o *verdict.Options) { o.FalseAlarm = 0.5 },
		"false alarm NaN":    func(o *verdict.Options) { o.FalseAlarm = math.NaN() },
	} {
		o := good
		change(&o)
		if c, err := verdict.New(o); err == nil || c != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
