package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"fitbench/internal/plausible"
	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// JSON writes the record as indented JSON with a newline at the end. The same record gives the same bytes. A figure that is not
// finite cannot be written and is an error; nothing is written then.
func JSON(w io.Writer, rec record.Record) error {
	if rec.Runs == nil {
		rec.Runs = []record.Run{} // a list without entries, not null
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(rec); err != nil {
		return fmt.Errorf("record as JSON: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// maxRecordBytes is the size up to which a file is read: some 25,000 runs. It keeps a foreign file, or one without an end, from
// taking all memory.
const maxRecordBytes = 64e6

// Decode reads a record that JSON wrote. Fields that it does not know are ignored: they may be added without raising the version.
// The error says where the text is not JSON, that it is no record, or that it comes from a newer version.
func Decode(r io.Reader) (record.Record, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRecordBytes+1))
	if err != nil {
		return record.Record{}, fmt.Errorf("record: %w", err)
	}
	if len(text) > maxRecordBytes {
		return record.Record{}, fmt.Errorf("record: more than %s; this is no record of fitbench", typeset.Megabytes(maxRecordBytes))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return record.Record{}, errors.New("record: the file is empty; a JSON record of fitbench is needed")
	}
	if err := checkVersion(text); err != nil {
		return record.Record{}, fmt.Errorf("record: %w", err)
	}
	var rec record.Record
	if err := json.Unmarshal(text, &rec); err != nil {
		return record.Record{}, fmt.Errorf("record: %w", explain(text, err))
	}
	if size := slices.Min(rec.Plan.Sizes()); size < 1 || rec.Plan.Samples < 1 {
		return record.Record{}, fmt.Errorf("record: plan.samples is %d and plan.batch_size %d; "+
			"both are at least 1 in a record of fitbench", rec.Plan.Samples, size)
	}
	if rec.Plan.Rounds < 1 {
		return record.Record{}, fmt.Errorf("record: plan.rounds is %d; 1 or more in a record of fitbench", rec.Plan.Rounds)
	}
	if err := plausible.Figures(rec); err != nil {
		return record.Record{}, fmt.Errorf("record: %w, as no such figure can have been measured", err)
	}
	return rec, nil
}

// checkVersion comes before everything else is read: a newer version may give fields another type.
func checkVersion(text []byte) error {
	var v struct {
		Version *int `json:"schema_version"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return explain(text, err)
	}
	switch {
	case v.Version == nil:
		return errors.New("no schema_version; this is JSON, but not a record of fitbench")
	case *v.Version > record.SchemaVersion:
		return fmt.Errorf("schema_version is %d, and this fitbench reads up to %d; a newer fitbench is needed",
			*v.Version, record.SchemaVersion)
	case *v.Version < 1:
		return fmt.Errorf("schema_version is %d; 1 to %d are accepted", *v.Version, record.SchemaVersion)
	}
	return nil
}

// explain words an error of the JSON reader for somebody who has the file.
func explain(text []byte, err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && notFinite(text, syntax.Offset) != "":
		return fmt.Errorf("%s at byte %d: JSON has no such number, and a record only figures that were measured; "+
			"the program that wrote it must leave the figure out", notFinite(text, syntax.Offset), syntax.Offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON, or cut short: %w at byte %d", err, syntax.Offset)
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("a JSON %s; a JSON object is needed", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s holds a JSON %s; a record of fitbench has another type there", wrong.Field, wrong.Value)
	}
	return err
}

// notFinite is the word for a number that is none which some programs write, where the text has one at the offset of an error.
func notFinite(text []byte, offset int64) string {
	at := text[min(max(offset-1, 0), int64(len(text))):]
	for _, word := range []string{"NaN", "Infinity", "Inf", "nan", "inf"} {
		if bytes.HasPrefix(at, []byte(word)) {
			return word
		}
	}
	return ""
}
