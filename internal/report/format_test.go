package report_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// write is records in one format.
func write(t *testing.T, format string, o report.Options, recs ...record.Record) string {
	t.Helper()
	var out bytes.Buffer
	if err := named(t, format).Write(&out, recs, o); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return out.String()
}

func named(t *testing.T, format string) report.Format {
	t.Helper()
	f, ok := report.FormatNamed(format)
	if !ok {
		t.Fatalf("no format %q among %v", format, report.FormatNames())
	}
	return f
}

func TestEveryFormatWritesEveryRecordWholeAndAlikeEachTime(t *testing.T) {
	for name, rec := range cases() {
		for _, f := range report.FormatNames() {
			first := write(t, f, report.Options{}, rec)
			if !strings.HasSuffix(first, "\n") {
				t.Errorf("%s, %s: no newline at the end", name, f)
			}
			if again := write(t, f, report.Options{}, rec); again != first {
				t.Errorf("%s, %s: another text the second time", name, f)
			}
		}
	}
}

func TestSeveralRecordsAreToldApartOrRefused(t *testing.T) {
	recs := []record.Record{recordOf(experiment(64, 1)), recordOf(experiment(512, 2))}
	o := report.Options{Sources: []string{"old.json", "dir/new.json"}}
	for _, f := range report.Formats() {
		if f.Single {
			var out bytes.Buffer
			if err := f.Write(&out, recs, o); err == nil || out.Len() > 0 || !strings.Contains(err.Error(), f.Name) {
				t.Errorf("%s wrote %d bytes of two records, %v", f.Name, out.Len(), err)
			}
			continue
		}
		text := write(t, f.Name, o, recs...)
		first, second := strings.Index(text, "old.json"), strings.Index(text, "dir/new.json")
		if first < 0 || second < first {
			t.Errorf("%s does not name both sources in their order:\n%s", f.Name, text)
		}
	}
}

func TestOneRecordIsNotPutUnderItsSourceExceptInCSV(t *testing.T) {
	for _, f := range report.FormatNames() {
		text := write(t, f, report.Options{Sources: []string{"the-file.json"}}, recordOf(experiment(64, 1)))
		if strings.Contains(text, "the-file.json") != (f == "csv") {
			t.Errorf("%s:\n%s", f, text)
		}
	}
}

func TestFormatsAreFoundByName(t *testing.T) {
	for _, want := range []string{"table", "json", "csv", "markdown", "benchfmt", "html"} {
		if f := named(t, want); f.Name != want || f.Write == nil {
			t.Errorf("%q is %+v", want, f)
		}
	}
	names := report.FormatNames()
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("a name twice in %v", names)
	}
	if _, ok := report.FormatNamed("yaml"); ok {
		t.Error("yaml is a format")
	}
}

// full refuses everything, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestTheWritersErrorIsToldByEveryFormat(t *testing.T) {
	for _, f := range report.Formats() {
		if err := f.Write(full{}, []record.Record{recordOf(experiment(64, 1))}, report.Options{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
