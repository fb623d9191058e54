package data

import (
	"errors"
	"testing"
)

func TestAFieldErrorIsToldInTheNamesOfItsReader(t *testing.T) {
	err := Config{Samples: 100, Window: 101}.Validate()
	if want := "window is 101; 1 to 100 (samples) is accepted"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	var field *FieldError
	if !errors.As(err, &field) {
		t.Fatalf("%T is no FieldError", err)
	}
	flags := func(field string) string { return "--" + field }
	if got, want := field.Describe(flags), "--window is 101; 1 to 100 (--samples) is accepted"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	size := &FieldError{Field: "batch_size", Value: 0, Accepted: "1 or more"}
	if want := "batch size is 0; 1 or more is accepted"; size.Error() != want {
		t.Errorf("%q, want %q", size, want)
	}
}
