package record

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestTheSteadyStateBeginsAfter100StepsOrHalfOfThem(t *testing.T) {
	for steps, want := range map[int]int{0: 0, 1: 0, 199: 99, 200: 100, 2000: 100} {
		if got := SteadyFrom(steps); got != want {
			t.Errorf("of %d steps from %d on, want %d", steps, got, want)
		}
	}
}

func TestTheStepsOfARunAreThoseOfItsEpochs(t *testing.T) {
	p := Plan{Samples: 103, BatchSize: 10, Steps: 7}
	if p.StepsPerEpoch() != 10 || p.TotalSteps() != 7 {
		t.Errorf("%d steps an epoch, %d in all; want 10 and 7", p.StepsPerEpoch(), p.TotalSteps())
	}
	p.Steps, p.Epochs = 0, 3
	if p.TotalSteps() != 30 {
		t.Errorf("3 epochs have %d steps, want 30", p.TotalSteps())
	}
}

func TestASweepsRunsTakeFewerStepsAtLargeSizes(t *testing.T) {
	sweep := Plan{BatchSizes: []int{16, 64, 1000, 8096}, Steps: 2000, SamplesPerRun: 100_000, Engines: []string{"native"}}
	for i, want := range []int{2000, 1562, 100, MinSweepSteps} {
		p := sweep.At(sweep.Sizes()[i])
		if p.Steps != want || p.BatchSize != sweep.BatchSizes[i] || p.BatchSizes != nil || p.SamplesPerRun != 0 || p.Engines != nil {
			t.Errorf("%+v, want %d steps", p, want)
		}
	}
	one := Plan{BatchSize: 64, Steps: 10}
	if sizes := one.Sizes(); len(sizes) != 1 || sizes[0] != 64 || one.At(64).Steps != 10 {
		t.Errorf("sizes %v, %+v", sizes, one.At(64))
	}
	if few := (Plan{BatchSizes: []int{8096}, Steps: 7, SamplesPerRun: 1}).At(8096); few.Steps != 7 {
		t.Errorf("%d steps of a plan with 7", few.Steps)
	}
	if whole := (Plan{BatchSizes: []int{8096}, Epochs: 2, SamplesPerRun: 1}).At(8096); whole.Epochs != 2 || whole.Steps != 0 {
		t.Errorf("%+v of a plan in epochs", whole)
	}
}

// jsonNames are all names of the JSON form, a dot between levels and [] where a list's elements follow. Other programs read them:
// one that changes or goes away is a new SchemaVersion.
const jsonNames = `
schema_version

plan
plan.samples plan.window plan.anomalies plan.noise plan.shift plan.seed
plan.batch_size plan.batch_sizes plan.samples_per_run plan.steps plan.epochs plan.rounds plan.threads plan.kernel plan.workers plan.queue_size plan.jit_compile plan.chunk_size
plan.cells plan.cells[].mode plan.cells[].execution plan.cells[].steps_per_execution plan.engines plan.inject

environment
environment.cpu_model environment.usable_cores environment.online_cores environment.kernel
environment.os environment.arch environment.os_version environment.go environment.revision
environment.gogc environment.godebug

runs
runs[].mode runs[].feed runs[].execution runs[].steps_per_execution runs[].op_by_op runs[].engine runs[].engine_version runs[].role runs[].kernel runs[].threads runs[].round
runs[].batch_size runs[].steps runs[].samples_trained
runs[].wall_seconds runs[].user_seconds runs[].system_seconds runs[].cpu_percent
runs[].phases
runs[].phases.generate runs[].phases.build runs[].phases.model runs[].phases.shuffle runs[].phases.train
runs[].epochs
runs[].epochs[].steps runs[].epochs[].wall_seconds runs[].epochs[].loss runs[].epochs[].accuracy
runs[].steady_steps runs[].step_milliseconds runs[].input_wait_milliseconds
runs[].input_wait_seconds runs[].step_seconds runs[].steady_cpu_percent runs[].first_step_seconds runs[].import_seconds
runs[].peak_rss_bytes runs[].feed_bytes
runs[].tensor_bytes_per_step runs[].copied_bytes_per_step runs[].ops_per_step
runs[].step_split_milliseconds
runs[].step_split_milliseconds.dispatch runs[].step_split_milliseconds.allocation
runs[].step_split_milliseconds.casts runs[].step_split_milliseconds.arithmetic
runs[].go_allocated_bytes runs[].go_collections
runs[].other_cpu_percent runs[].steal_percent runs[].cpu_pressure_percent runs[].disturbed
runs[].reference_seconds runs[].injected
runs[].order_digest runs[].weights_digest runs[].step_losses runs[].series_difference runs[].loss runs[].accuracy runs[].class_one_share runs[].error
`

func TestTheNamesOfTheJSONForm(t *testing.T) {
	var full Record
	fill(t, reflect.ValueOf(&full).Elem())
	got := map[string]bool{}
	collect(toJSON(t, full), "", got)
	want := map[string]bool{}
	for _, name := range strings.Fields(jsonNames) {
		want[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !got[name] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !want[name] {
			t.Errorf("%s is not in the list", name)
		}
	}
}

// What is never absent, by contrast, tells a reader that nothing was measured elsewhere.
func TestWhatWasNotMeasuredIsAbsent(t *testing.T) {
	got := map[string]bool{}
	collect(toJSON(t, Run{}), "", got)
	want := []string{
		"batch_size", "disturbed", "engine", "execution", "feed", "mode", "phases", "round", "samples_trained", "steps", "threads",
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("an empty run has %v, want %v", names, want)
	}
}

func TestAMeasuredZeroIsThere(t *testing.T) {
	got := map[string]bool{}
	collect(toJSON(t, Run{FeedBytes: Of(int64(0)), StealPercent: Of(0.0), Phases: Phases{Shuffle: Of(0.0)}}), "", got)
	for _, name := range []string{"feed_bytes", "steal_percent", "phases.shuffle"} {
		if !got[name] {
			t.Errorf("%s is absent", name)
		}
	}
}

// fill gives every field below v a value that is not its zero, and every list one element.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint32:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		t.Fatalf("a %v has no value here", v.Type())
	}
}

func toJSON(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// collect notes the names below a JSON value.
func collect(tree any, path string, into map[string]bool) {
	switch node := tree.(type) {
	case map[string]any:
		for name, value := range node {
			below := strings.TrimPrefix(path+"."+name, ".")
			into[below] = true
			collect(value, below, into)
		}
	case []any:
		for _, value := range node {
			collect(value, path+"[]", into)
		}
	}
}
