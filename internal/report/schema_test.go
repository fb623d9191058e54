package report_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// schema is the checked-in description of the JSON form.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/record.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// against tells what the schema has against a text.
func against(t *testing.T, text string) error {
	t.Helper()
	resolved, err := schema(t).Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	return resolved.Validate(tree)
}

func TestRecordsAreAsTheSchemaSays(t *testing.T) {
	all := cases()
	all["sweep"] = severalSizes(2, 16, 64)
	all["sweep"].Runs[0].Injected, all["sweep"].Runs[0].ReferenceSeconds = "fit@compiled=10%", record.Of(0.03)
	for name, rec := range all {
		if err := against(t, write(t, "json", report.Options{}, rec)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSchemaIgnoresNewFieldsAndRefusesWhatIsNoRecord(t *testing.T) {
	good := write(t, "json", report.Options{}, recordOf(experiment(64, 1)))
	if err := against(t, strings.Replace(good, `"plan": {`, `"new": {}, "plan": { "new": 1,`, 1)); err != nil {
		t.Errorf("a new field: %v", err)
	}
	for _, c := range []struct{ old, new string }{
		{`"schema_version": 1`, `"schema_version": 2`},
		{`"batch_size": 64`, `"batch_size": "64"`},
		{`"round": 1`, `"round": 1.5`},
		{`"samples": 1049344`, `"samples": 0`},
		{`"feed_bytes": 0`, `"feed_bytes": -1`},
		{`"disturbed": false`, `"disturbed": null`},
		{`"cells": [`, `"cell": [`},
		{`"step_milliseconds": 0.`, `"step_milliseconds": -0.`},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("the record has no %s", c.old)
		}
		if err := against(t, strings.Replace(good, c.old, c.new, 1)); err == nil {
			t.Errorf("%s is accepted", c.new)
		}
	}
	for _, foreign := range []string{`{}`, `[]`, `{"schema_version": 1, "runs": []}`} {
		if against(t, foreign) == nil {
			t.Errorf("%s is accepted", foreign)
		}
	}
}

// Every name of the Go types is in the schema with its type, and the reverse; required are those that are never absent.
func TestTheSchemaDescribesTheTypes(t *testing.T) {
	s := schema(t)
	for _, difference := range differences(reflect.TypeFor[record.Record](), s, "record") {
		t.Error(difference)
	}
	if version := *s.Properties["schema_version"].Const; version != float64(record.SchemaVersion) {
		t.Errorf("the schema is of version %v, records of %d", version, record.SchemaVersion)
	}
	if want := fmt.Sprintf("urn:fitbench:record:%d", record.SchemaVersion); s.ID != want {
		t.Errorf("the schema's id is %q, want %q", s.ID, want)
	}
}

// differences compares a Go type with its description, down to the last field.
func differences(of reflect.Type, s *jsonschema.Schema, path string) []string {
	switch of.Kind() {
	case reflect.Pointer:
		return differences(of.Elem(), s, path)
	case reflect.Slice:
		if s.Type != "array" || s.Items == nil {
			return []string{path + " is a list"}
		}
		return differences(of.Elem(), s.Items, path+"[]")
	case reflect.Struct:
		return fieldDifferences(of, s, path)
	}
	want := map[reflect.Kind]string{
		reflect.Int: "integer", reflect.Int64: "integer", reflect.Uint32: "integer", reflect.Float64: "number",
		reflect.String: "string", reflect.Bool: "boolean",
	}[of.Kind()]
	if s.Type != want || want == "" {
		return []string{fmt.Sprintf("%s is %q in the schema, %v in Go", path, s.Type, of)}
	}
	return nil
}

func fieldDifferences(of reflect.Type, s *jsonschema.Schema, path string) []string {
	var all, names, required []string
	for i := range of.NumField() {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
		below, ok := s.Properties[name]
		if !ok {
			all = append(all, fmt.Sprintf("%s.%s is not in the schema", path, name))
			continue
		}
		all = append(all, differences(of.Field(i).Type, below, path+"."+name)...)
	}
	for name := range s.Properties {
		if !slices.Contains(names, name) {
			all = append(all, fmt.Sprintf("%s.%s is in the schema alone", path, name))
		}
	}
	if slices.Sort(required); !slices.Equal(required, slices.Sorted(slices.Values(s.Required))) {
		all = append(all, fmt.Sprintf("%s requires %v, always there are %v", path, s.Required, required))
	}
	if s.Type != "object" {
		all = append(all, fmt.Sprintf("%s is %q, want an object", path, s.Type))
	}
	return all
}
