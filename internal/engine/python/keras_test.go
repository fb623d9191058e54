package python

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryModeOfKerasHasItsFeed(t *testing.T) {
	source, _ := Source("keras_engine")
	_, table, _ := strings.Cut(source, "\nMODES = {")
	var want, got []string
	for _, cell := range Cells("keras") {
		mode, _, _ := strings.Cut(cell, "@")
		want = append(want, mode)
	}
	for _, row := range regexp.MustCompile(`(?m)^    "([a-z-]+)": keras_[a-z]+\.[a-z_]+,$`).FindAllStringSubmatch(table, -1) {
		got = append(got, row[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if want = slices.Compact(want); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("feeds %v, modes %v", got, want)
	}
}

// watch plays what Keras gives out to keras_watch, without Keras. Each case: steps of an epoch, of the run, of an execution and of a piece,
// the figures that come as each batch's own, and the losses that come; "own" takes them as own from there on.
const watch = `
import json, sys, types
keras_watch = types.ModuleType("keras_watch")
exec(sys.stdin.read(), keras_watch.__dict__)

class Clock:
    def __init__(self, per_epoch, total, execution):
        self.per_epoch, self.total, self.steps = per_epoch, total, 0
        self.job, self.at_once, self.last = {"parity": True}, execution, 0.0
        self.losses, self.executions, self.epochs, self.worked, self.flushed = [], [], [], [], []

    def begin_epoch(self):
        pass

    def flush(self):
        self.flushed.append(self.steps)

    def counted(self):
        return self.steps

    def step_ended(self, steps, wait, worked):
        self.steps += steps
        self.worked.append(worked)
        self.executions.append(steps)

    def end_epoch(self, loss, accuracy):
        self.epochs.append([loss, accuracy])

def played(per_epoch, total, execution, piece, own, told):
    clock = Clock(per_epoch, total, execution)
    record = keras_watch.Record(clock, own)
    record.piece = piece
    for value in told:
        if value == "own":
            record.take_as_own()
            continue
        record.begin_epoch()
        record.executed({"loss": value, "accuracy": value / 8})
        if record.done % piece == 0 or record.done == per_epoch:
            record.fold()
    record.end_epoch()
    return {"losses": clock.losses, "executions": clock.executions, "epochs": clock.epochs, "worked": clock.worked, "flushed": clock.flushed}

print(json.dumps([played(*case) for case in json.loads(sys.argv[1])]))
`

type told struct {
	Losses     []float64    `json:"losses"`
	Executions []int        `json:"executions"`
	Epochs     [][2]float64 `json:"epochs"`
	Worked     []int        `json:"worked"`  // steps of each execution in truth; compared where a case has them
	Flushed    []int        `json:"flushed"` // after which steps the clock was to wait; compared where a case has them
}

// Of losses 4, 2 and 0 the running means are 4, 3 and 2, and the mean is 2. The accuracies are an eighth of what is played as losses.
func TestKerasFiguresBecomeStepsLossesAndEpochsMeans(t *testing.T) {
	losses, ones, epoch := []float64{4, 2, 0}, []int{1, 1, 1}, [][2]float64{{2, 0.25}}
	cases := []struct {
		name, played string
		want         told
	}{
		{"running means", `[3, 3, 1, 3, [], [4, 3, 2]]`, told{Losses: losses, Executions: ones, Epochs: epoch}},
		{"each batch's own", `[3, 3, 1, 3, ["loss", "accuracy"], [4, 2, 0]]`, told{Losses: losses, Executions: ones, Epochs: epoch}},
		{"found to be own after the first", `[3, 3, 1, 3, [], [4, "own", 2, 0]]`, told{Losses: losses, Executions: ones, Epochs: epoch}},
		{"own losses beside running accuracies", `[3, 3, 1, 3, ["loss"], [4, 2, 0]]`, told{Losses: losses, Executions: ones, Epochs: [][2]float64{{2, 0}}}},
		{"pieces of two steps", `[3, 3, 1, 2, [], [4, 3, 0]]`, told{Losses: losses, Executions: ones, Epochs: epoch}},
		{"two steps an execution", `[3, 3, 2, 3, [], [3, 2]]`, told{Losses: []float64{3, 2}, Executions: []int{2, 1}, Epochs: epoch}},
		{"two steps an execution, pieces of three", `[5, 5, 2, 3, [], [3, 2, 7]]`,
			told{Losses: []float64{3, 2, 4}, Executions: []int{2, 1, 2}, Epochs: [][2]float64{{4, 0.5}}, Worked: []int{2, 1, 2}, Flushed: []int{3, 5}}},
		{"a run that ends within an execution", `[8, 3, 2, 8, [], [3, 2]]`, told{Losses: []float64{3, 2}, Executions: []int{2, 1}, Epochs: epoch, Worked: []int{2, 2}}},
		{"two epochs", `[3, 4, 1, 3, [], [4, 3, 2, 1]]`,
			told{Losses: []float64{4, 2, 0, 1}, Executions: []int{1, 1, 1, 1}, Epochs: [][2]float64{{2, 0.25}, {1, 0.125}}}},
	}
	var played []string
	for _, c := range cases {
		played = append(played, c.played)
	}
	got := plays(t, "["+strings.Join(played, ",")+"]")
	if len(got) != len(cases) {
		t.Fatalf("%d cases were played, want %d", len(got), len(cases))
	}
	for i, c := range cases {
		if !slices.Equal(got[i].Losses, c.want.Losses) || !slices.Equal(got[i].Executions, c.want.Executions) || !slices.Equal(got[i].Epochs, c.want.Epochs) ||
			c.want.Worked != nil && !slices.Equal(got[i].Worked, c.want.Worked) ||
			c.want.Flushed != nil && !slices.Equal(got[i].Flushed, c.want.Flushed) {
			t.Errorf("%s: %+v, want %+v", c.name, got[i], c.want)
		}
	}
}

// plays returns what the clock was told in each of the cases.
func plays(t *testing.T, cases string) []told {
	t.Helper()
	source, _ := Source("keras_watch")
	cmd := exec.Command(interpreter(t), "-c", watch, cases)
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []told
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return all
}

// ask has the interpreter load keras_package in front of made-up packages, and prints what loading an engine gives.
const ask = `
import sys, types
fakes = {"keras": "2.15.0", "tensorflow": "2.15.1"}
for name, version in fakes.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__version__ = version
sys.modules["tensorflow"].keras = "the keras of TensorFlow"
package = types.ModuleType("keras_package")
exec(sys.stdin.read(), package.__dict__)
print(package.load("tf-keras").keras)
print(package.load("tf-keras").release)
try:
    package.load("keras")
except ImportError as e:
    print(e)
`

func TestAKerasOlderThan3IsNamedWithTheEngineThatTakesIt(t *testing.T) {
	source, _ := Source("keras_package")
	cmd := exec.Command(interpreter(t), "-c", ask)
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.CombinedOutput()
	want := "the keras of TensorFlow\n(2, 15)\nkeras 2.15.0 is installed, and this engine needs Keras 3; for that one take the engine tf-keras\n"
	if string(out) != want || err != nil {
		t.Errorf("error %v\n%s\nwant\n%s", err, out, want)
	}
}
