package check_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"fitbench/internal/check"
	"fitbench/internal/record"
)

// far makes fit's rounds lie so far apart that it is never decided; the generator's are, by the first look after 13 rounds.
func far(r *record.Run, role string) {
	if role == record.RoleHead && r.Cell() == fit {
		*r.StepMilliseconds *= math.Exp(math.Sin(float64(r.Round)))
	}
}

func TestRatiosAreTakenOverTheRoundsThatBothCellsHave(t *testing.T) {
	w := &world{edit: func(r *record.Run, role string, _ int) {
		if far(r, role); r.Round > 13 {
			*r.StepMilliseconds *= 100
		}
	}}
	f := found(t, w, nil, "fit@compiled", "generator@compiled")
	if f.Rounds <= 26 || len(f.Ratios) != 1 || f.Ratios[0].Base != 3 {
		t.Errorf("%d rounds, ratios %+v; want more than 26, and 6 over 2 ms in base", f.Rounds, f.Ratios)
	}
}

// A turn of fit takes 3 s and one of the generator 30: 13 rounds of both take 429 s, and up to the look after 16 rounds 9 s more are
// needed once the generator is decided.
func TestTheTimeThatIsNeededIsThatOfTheCellsThatAreNotDecided(t *testing.T) {
	for seconds, want := range map[int]int{437: 13, 438: 16} {
		w := &world{}
		w.edit = func(r *record.Run, role string, _ int) {
			far(r, role)
			took := time.Second
			if r.Cell() == generator {
				took = 10 * time.Second
			}
			w.now = w.now.Add(took - time.Second) // a second has passed already
			r.WallSeconds = record.Of(took.Seconds())
		}
		f := found(t, w, func(o *check.Options) { o.MaxTime = time.Duration(seconds) * time.Second }, "fit@compiled", "generator@compiled")
		if f.Rounds != want {
			t.Errorf("--max-time %d s: %d rounds, want %d", seconds, f.Rounds, want)
		}
	}
}

// The first turn takes 12 s and each other 3: the look after 10 rounds comes after 39 s.
func TestASlowFirstTurnEndsNothing(t *testing.T) {
	w := &world{}
	w.edit = func(_ *record.Run, _ string, n int) {
		if n <= 3 {
			w.now = w.now.Add(3 * time.Second)
		}
	}
	if f := found(t, w, func(o *check.Options) { o.MaxTime = 39 * time.Second }, "fit@compiled"); f.Rounds != 10 {
		t.Errorf("%d rounds, want 10", f.Rounds)
	}
}

func TestWhereOthersDisturbMostTurnsThatIsTheReason(t *testing.T) {
	w := &world{edit: func(r *record.Run, _ string, n int) { r.Disturbed = n > 3 }}
	f := found(t, w, func(o *check.Options) { o.MaxTime = 40 * time.Second }, "fit@compiled")
	warnings := f.Report("a", "b").Warnings
	if len(warnings) != 1 || !strings.Contains(warnings[0], "others used the machine during most turns (over 10 % of a core, 4 turns)") {
		t.Errorf("%d rounds, warnings %q", f.Rounds, warnings)
	}
}
