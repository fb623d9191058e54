package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// document is docs/protocol.md.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// examples are the blocks of JSON lines in it.
func examples(t *testing.T) (blocks []string) {
	t.Helper()
	for _, match := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(document(t), -1) {
		blocks = append(blocks, match[1])
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of JSON, want the job, a whole run and a failed one", len(blocks))
	}
	return blocks
}

// strictly decodes one line, of which every field has to be known.
func strictly(t *testing.T, line string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("%v in %s", err, line)
	}
}

func documentedJob(t *testing.T) Job {
	t.Helper()
	var o order
	strictly(t, examples(t)[0], &o)
	if o.Protocol != ProtocolVersion {
		t.Errorf("the job is of protocol %d", o.Protocol)
	}
	if again, err := json.Marshal(orderOf(o.job())); err != nil || string(again)+"\n" != examples(t)[0] {
		t.Errorf("this program would write the job as %s, %v", again, err)
	}
	return o.job()
}

func TestTheDocumentsExamplesAreWholeConversations(t *testing.T) {
	job := documentedJob(t)
	for i, block := range examples(t)[1:] {
		for line := range strings.Lines(block) {
			strictly(t, line, new(message))
		}
		ear := newListener(job, "exec:example", limitsOf(job.Plan), nil)
		if _, err := ear.Write([]byte(block)); err != nil || ear.result == nil {
			t.Fatalf("example %d: %v, result %v", i, err, ear.result)
		}
		if failed := i == 1; (ear.result.Error != "") != failed {
			t.Errorf("example %d: error %q", i, ear.result.Error)
		}
	}
}

func TestTheDocumentsRunPassesTheConformanceChecksAndIsTrue(t *testing.T) {
	job := documentedJob(t)
	var events []modes.Event
	ear := newListener(job, "exec:example", limitsOf(job.Plan), func(e modes.Event) { events = append(events, e) })
	if _, err := ear.Write([]byte(examples(t)[1])); err != nil {
		t.Fatal(err)
	}
	run := *ear.result
	trained := modes.Train(t.Context(), modes.Job{Plan: job.Plan, Cell: job.Cell, Round: job.Round}, nil)
	for _, err := range []error{
		checkEvents(job.Plan, events), checkCounts(job.Plan, run), checkTimes(run, 0.0033), checkOrder(run, trained.OrderDigest),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if *run.ClassOneShare != *trained.ClassOneShare {
		t.Errorf("a share of %v; trained: %v", *run.ClassOneShare, *trained.ClassOneShare)
	}
}

// jsonNames collects the names of all fields.
func jsonNames(of reflect.Type, into map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		jsonNames(of.Elem(), into)
	case reflect.Struct:
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			into[name] = true
			jsonNames(of.Field(i).Type, into)
		}
	}
}

func TestTheDocumentDescribesEveryFieldAndNoOther(t *testing.T) {
	text := document(t)
	fields := map[string]bool{}
	for _, part := range []any{order{}, message{}} {
		jsonNames(reflect.TypeOf(part), fields)
	}
	for name := range fields {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("%s is not described", name)
		}
	}
	// In tables of fields the first column has names of fields alone.
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+`(?:, `[a-z_]+`)*) \\|").FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile("[a-z_]+").FindAllString(row[1], -1) {
			if !fields[name] && !slices.Contains([]string{"native", "hello", "progress", "result"}, name) {
				t.Errorf("%s is described, but no field", name)
			}
		}
	}
}

func TestTheDocumentsFiguresAreTheProgramsOwn(t *testing.T) {
	text := document(t)
	unit := record.Plan{Samples: 1, BatchSize: 1, Steps: 1}
	base := limitsOf(record.Plan{Samples: 1, BatchSize: 1})
	for _, figure := range []string{
		fmt.Sprintf("version %d\n", ProtocolVersion),
		fmt.Sprintf("for %d s while", int(DefaultSilence.Seconds())),
		fmt.Sprintf("(%d s for a framework", int(frameworkSilence.Seconds())),
		fmt.Sprintf("%d us more for each sample, %d ns for each value of samples x window and %d ms for each sample of a batch",
			silencePerSample.Microseconds(), silencePerValue.Nanoseconds(), silencePerTrained.Milliseconds()),
		fmt.Sprintf("within %d s", int(stopGrace.Seconds())),
		fmt.Sprintf("up to %d characters", lineLength),
		fmt.Sprintf("%d KiB at most", (headBytes+2*tailBytes)>>10),
		fmt.Sprintf("%d bytes for each epoch", limitsOf(unit).lineBytes-base.lineBytes),
	} {
		if !strings.Contains(text, figure) {
			t.Errorf("it does not say %q", figure)
		}
	}
	for _, f := range Forms() {
		if !strings.Contains(text, "`"+f.Name+"`") {
			t.Errorf("it does not name %s", f.Name)
		}
	}
}
