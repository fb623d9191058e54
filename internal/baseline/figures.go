package baseline

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"fitbench/internal/record"
)

// finite is an error that names the first number of the record that is NaN or infinite, by its place in the JSON.
func finite(rec record.Record) error {
	if path, v, found := notFinite("", reflect.ValueOf(rec)); found {
		return fmt.Errorf("%s is %v; a finite number is needed", path, v)
	}
	return nil
}

// notFinite looks through plain data: structs, lists, pointers and numbers.
func notFinite(path string, v reflect.Value) (where string, value float64, found bool) {
	switch v.Kind() {
	case reflect.Float64:
		return path, v.Float(), math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)
	case reflect.Pointer:
		if !v.IsNil() {
			return notFinite(path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if where, value, found = notFinite(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); found {
				return where, value, found
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if where, value, found = notFinite(strings.TrimPrefix(path+"."+name, "."), v.Field(i)); found {
				return where, value, found
			}
		}
	}
	return "", 0, false
}

// measurable is an error where a figure that a check uses cannot have been measured.
func measurable(rec record.Record) error {
	for i, r := range rec.Runs {
		for _, f := range []struct {
			name     string
			value    *float64
			positive bool
		}{
			{"step_milliseconds", r.StepMilliseconds, true},
			{"reference_seconds", r.ReferenceSeconds, true},
			{"peak_rss_bytes", real(r.PeakRSSBytes), true},
			{"ops_per_step", real(r.OpsPerStep), false},
			{"tensor_bytes_per_step", real(r.TensorBytesPerStep), false},
			{"copied_bytes_per_step", real(r.CopiedBytesPerStep), false},
		} {
			switch {
			case f.value == nil:
			case *f.value < 0:
				return fmt.Errorf("runs[%d].%s is %v; a negative number cannot have been measured", i, f.name, *f.value)
			case *f.value == 0 && f.positive:
				return fmt.Errorf("runs[%d].%s is 0; it is positive where it was measured, and absent where not", i, f.name)
			}
		}
	}
	return nil
}

// real is a count as a real number, exact up to 2^53.
func real(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return record.Of(float64(*n))
}
