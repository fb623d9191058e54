package report

import (
	"fmt"
	"io"

	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// Format is one way of writing records.
type Format struct {
	// Name is what a command line calls it.
	Name string
	// Single tells that it holds exactly one record: Write refuses any other number.
	Single bool
	// Write writes the records, one or more, in their order. Its error is w's, or says which figure cannot be written.
	Write func(w io.Writer, recs []record.Record, o Options) error
}

// Formats are all formats, the one for reading on a terminal first.
func Formats() []Format {
	return []Format{
		{Name: "table", Write: tables},
		{Name: "json", Single: true, Write: single("json", func(w io.Writer, rec record.Record, _ Options) error { return JSON(w, rec) })},
		{Name: "csv", Write: CSV},
		{Name: "markdown", Write: Markdown},
		{Name: "benchfmt", Write: Benchfmt},
		{Name: "html", Single: true, Write: single("html", HTML)},
	}
}

// FormatNames are the names of all formats, in the order of Formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// FormatNamed finds a format by its name.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// single makes a writer of one record refuse several.
func single(name string, write func(w io.Writer, rec record.Record, o Options) error) func(io.Writer, []record.Record, Options) error {
	return func(w io.Writer, recs []record.Record, o Options) error {
		if len(recs) != 1 {
			return fmt.Errorf("%s holds one record, not %d", name, len(recs))
		}
		return write(w, recs[0], o)
	}
}

// tables writes one table below the other, each under the name of its source where there are several.
func tables(w io.Writer, recs []record.Record, o Options) error {
	for i, rec := range recs {
		if len(recs) > 1 {
			gap := "\n\n"
			if i == 0 {
				gap = ""
			}
			if _, err := fmt.Fprintf(w, "%s=== %s\n", gap, typeset.ASCII(o.source(i))); err != nil {
				return err
			}
		}
		if err := Table(w, rec, o); err != nil {
			return err
		}
	}
	return nil
}

// source names where the record with that index comes from, so that a reader can tell several apart.
func (o Options) source(i int) string {
	if i < len(o.Sources) {
		return o.Sources[i]
	}
	return fmt.Sprintf("record %d", i+1)
}
