// Package plausible tells figures that cannot have been measured, in data that come from elsewhere: another program's result, a file
// that somebody edited. It knows the kinds of figures, not what they are for.
package plausible

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Largest bounds what is believed: more than the bytes of any machine, or its nanoseconds in thirty years.
const Largest = 1e18

// signed are the names of fields that may be below zero.
func signed(name string) bool {
	if strings.HasSuffix(name, "]") {
		name = name[:strings.LastIndex(name, "[")]
	}
	return strings.HasSuffix(name, "loss") || strings.HasSuffix(name, "losses") || strings.HasSuffix(name, "shift")
}

// Figures is an error that names the first number in v, plain data of structs, lists and pointers, that is none, below zero or absurdly
// large, by its place in the JSON form.
func Figures(v any) error { return check("", reflect.ValueOf(v)) }

func check(name string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return check(name, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := check(fmt.Sprintf("%s[%d]", name, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if err := check(strings.TrimPrefix(name+"."+field, "."), v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Int, reflect.Int64:
		return number(name, float64(v.Int()))
	case reflect.Float64:
		return number(name, v.Float())
	}
	return nil
}

func number(name string, v float64) error {
	switch {
	case !(math.Abs(v) <= Largest):
		return fmt.Errorf("%s is %v; a number up to %g is accepted", name, v, Largest)
	case v < 0 && !signed(name):
		return fmt.Errorf("%s is %v; 0 or more is accepted", name, v)
	}
	return nil
}
