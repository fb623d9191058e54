package meter

import "testing"

func TestMachineTicksAreTheSumsOfTheColumns(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want machineTicks
	}{
		// guest 9 and guest_nice 8 are already in user and nice
		"all columns":    {"cpu  100 20 30 400 50 6 7 80 9 8\ncpu0 1 2 3 4\ncpu1 1 2 3 4\nintr 5 6\nctxt 7\n", machineTicks{cores: 2, all: 693, idle: 450, steal: 80}},
		"no guest":       {"cpu 1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n", machineTicks{cores: 1, all: 36, idle: 9, steal: 8}},
		"no steal":       {"cpu 1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7\n", machineTicks{cores: 1, all: 28, idle: 9, steal: -1}},
		"four columns":   {"cpu 1 2 3 4\ncpu0 1 2 3 4\n", machineTicks{cores: 1, all: 10, idle: 4, steal: -1}},
		"no end of line": {"cpu 1 2 3 4\ncpu0 1 2 3 4", machineTicks{cores: 1, all: 10, idle: 4, steal: -1}},
	} {
		if got, ok := parseMachine(c.text); !ok || got != c.want {
			t.Errorf("%s: got %+v %v, want %+v", name, got, ok, c.want)
		}
	}
}

func TestProcessTicksAreCountedFromTheLastParenthesis(t *testing.T) {
	const after = " S 1 2 3 4 5 6 7 8 9 10 111 222 13 14 15\n"
	for _, name := range []string{"fitbench", "a b", "a) R 1 2 (b", "))", ""} {
		if got, ok := parseProcess("42 (" + name + ")" + after); !ok || got != 333 {
			t.Errorf("name %q: got %d %v, want 333", name, got, ok)
		}
	}
	for _, cut := range []string{"42 (x", "42 (x)", "42 (x) S 1 2 3 4 5 6 7 8 9 10 111", "42 (x) S 1 2 3 4 5 6 7 8 9 10 111 -2"} {
		if got, ok := parseProcess(cut); ok {
			t.Errorf("%q: got %d", cut, got)
		}
	}
}

func TestPressureIsTheTotalOfSome(t *testing.T) {
	text := "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\nsome avg10=5.02 avg60=1.50 avg300=0.79 total=7190198\n"
	if got, ok := parsePressure(text); !ok || got != 7190198 {
		t.Errorf("got %d %v, want 7190198", got, ok)
	}
}

func TestGarbageCountersAreNotMeasured(t *testing.T) {
	for _, text := range garbage {
		if got, ok := parseMachine(text); ok {
			t.Errorf("machine %q: got %+v", text, got)
		}
		if got, ok := parseProcess(text); ok {
			t.Errorf("process %q: got %d", text, got)
		}
		if got, ok := parsePressure(text); ok {
			t.Errorf("pressure %q: got %d", text, got)
		}
	}
}
