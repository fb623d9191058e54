package report_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

func TestDecodeReadsWhatJSONWrote(t *testing.T) {
	want := recordOf(experiment(64, 2))
	want.Runs[0].Error = "a < b & c"
	var out bytes.Buffer
	if err := report.JSON(&out, want); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "a < b & c") || !strings.HasSuffix(out.String(), "}\n") {
		t.Error("not written as plain text with a newline at the end")
	}
	got, err := report.Decode(&out)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDecodeIgnoresFieldsThatItDoesNotKnow(t *testing.T) {
	rec, err := report.Decode(strings.NewReader(`{"schema_version": 1, "new": {"x": 1},
		"plan": {"samples": 5, "batch_size": 2, "rounds": 1, "new": []}, "runs": [{"mode": "fit", "new": 1}]}`))
	if err != nil || rec.Plan.Samples != 5 || rec.Runs[0].Mode != "fit" {
		t.Errorf("got %+v, %v", rec, err)
	}
}

func TestDecodeSaysWhatIsWrongWithAForeignFile(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{" \n", "empty"},
		{"mode,ms\nfit,1\n", "not JSON"},
		{`{"schema_version": 1, "plan": {`, "cut short"},
		{`{"schema_version": 1} {}`, "not JSON"},
		{`[1, 2]`, "a JSON array; a JSON object is needed"},
		{`{"version": 3}`, "no schema_version"},
		{`{"schema_version": 2, "runs": 5}`, "schema_version is 2, and this fitbench reads up to 1"},
		{`{"schema_version": 0}`, "schema_version is 0; 1 to 1 are accepted"},
		{`{"schema_version": "1"}`, "schema_version holds a JSON string"},
		{`{"schema_version": 1, "plan": {"samples": 5, "batch_size": "64"}}`, "plan.batch_size holds a JSON string"},
		{`{"schema_version": 1, "plan": {"samples": 5}}`, "plan.batch_size 0"},
		{`{"schema_version": 1}`, "plan.samples is 0"},
		{`{"schema_version": 1, "plan": {"samples": 5, "batch_size": 2, "rounds": -5}}`, "plan.rounds is -5"},
		{`{"schema_version": 1, "plan": {"samples": 5, "batch_size": 2, "rounds": 1}, "runs": [{"step_milliseconds": -1}]}`, "runs[0].step_milliseconds is -1"},
		{`{"schema_version": 1, "plan": {"samples": 5, "batch_size": 2, "rounds": 1}, "runs": [{"wall_seconds": 1e308}]}`, "runs[0].wall_seconds is 1e+308"},
	} {
		_, err := report.Decode(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := report.Decode(iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("reader's error: %v", err)
	}
}

// endless is white space without an end, as a foreign file or a device may be.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestDecodeStopsAtWhatIsTooLargeForARecord(t *testing.T) {
	if _, err := report.Decode(endless{}); err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("got %v", err)
	}
}

func TestARecordWithoutRunsHasAnEmptyList(t *testing.T) {
	var out bytes.Buffer
	if err := report.JSON(&out, record.Record{}); err != nil || !strings.Contains(out.String(), `"runs": []`) {
		t.Errorf("got %s, %v", out.String(), err)
	}
}

func TestAFigureThatIsNotFiniteIsNotWritten(t *testing.T) {
	rec := recordOf(experiment(64, 1))
	rec.Runs[0].Loss = record.Of(math.NaN())
	var out bytes.Buffer
	if err := report.JSON(&out, rec); err == nil || out.Len() > 0 {
		t.Errorf("wrote %d bytes, %v", out.Len(), err)
	}
}
