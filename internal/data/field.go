package data

import (
	"fmt"
	"strings"
)

// FieldError says that a figure is out of its range.
type FieldError struct {
	// Field is the figure's name as JSON has it, as in batch_size.
	Field string
	Value any
	// Accepted is the range that would do, as in "1 to 1000".
	Accepted string
	// LimitedBy is the JSON name of the figure that the range ends at; empty where no other one limits it.
	LimitedBy string
}

// Error calls figures by their names in words, as in "batch size".
func (e *FieldError) Error() string {
	return e.Describe(func(field string) string { return strings.ReplaceAll(field, "_", " ") })
}

// Describe is the error with figures called as name calls them, by their flags for example.
func (e *FieldError) Describe(name func(field string) string) string {
	limit := ""
	if e.LimitedBy != "" {
		limit = fmt.Sprintf(" (%s)", name(e.LimitedBy))
	}
	return fmt.Sprintf("%s is %v; %s%s is accepted", name(e.Field), e.Value, e.Accepted, limit)
}
