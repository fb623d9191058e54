package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The flag types below say what would be accepted when they refuse a value.

// whole is a flag that takes a whole number in a range.
type whole struct {
	target   *int
	min, max int
}

func (f whole) String() string {
	if f.target == nil { // the flag library asks a zero value
		return "0"
	}
	return strconv.Itoa(*f.target)
}

func (whole) Type() string { return "int" }

func (f whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < f.min || n > f.max {
		return fmt.Errorf("a whole number from %d to %d is accepted", f.min, f.max)
	}
	*f.target = n
	return nil
}

// wholes is a flag that takes different whole numbers in a range, as in 1,16.
type wholes struct {
	target   *[]int
	min, max int
}

func (f wholes) String() string {
	if f.target == nil {
		return ""
	}
	words := make([]string, len(*f.target))
	for i, n := range *f.target {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

func (wholes) Type() string { return "list" }

func (f wholes) Set(s string) error {
	var all []int
	for _, item := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || n < f.min || n > f.max {
			return fmt.Errorf("%q: whole numbers from %d to %d are accepted, as in 1,16", item, f.min, f.max)
		}
		if slices.Contains(all, n) {
			return fmt.Errorf("%d is there twice; each number is accepted once", n)
		}
		all = append(all, n)
	}
	*f.target = all
	return nil
}

// truth is a flag that takes true or false.
type truth struct{ target *bool }

func (f truth) String() string {
	if f.target == nil {
		return "false"
	}
	return strconv.FormatBool(*f.target)
}

func (truth) Type() string { return "bool" }

func (f truth) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("true and false are accepted, as in --jit-compile=false")
	}
	*f.target = v
	return nil
}

// seedFlag takes NumPy's range of seeds.
type seedFlag struct{ target *uint32 }

func (f seedFlag) String() string {
	if f.target == nil {
		return "0"
	}
	return strconv.FormatUint(uint64(*f.target), 10)
}

func (seedFlag) Type() string { return "int" }

func (f seedFlag) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return fmt.Errorf("a whole number from 0 to %d is accepted", uint32(math.MaxUint32))
	}
	*f.target = uint32(n)
	return nil
}

// real is a flag that takes a finite number, not below min.
type real struct {
	target *float64
	min    float64
}

func (f real) String() string {
	if f.target == nil {
		return "0"
	}
	return strconv.FormatFloat(*f.target, 'g', -1, 64)
}

func (real) Type() string { return "float" }

func (f real) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < f.min {
		if f.min == 0 {
			return fmt.Errorf("a finite number, 0 or larger, is accepted")
		}
		return fmt.Errorf("a finite number is accepted")
	}
	*f.target = v
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	target *string
	words  []string
}

func (f choice) String() string {
	if f.target == nil {
		return ""
	}
	return *f.target
}

func (f choice) Type() string { return strings.Join(f.words, "|") }

func (f choice) Set(s string) error {
	if !slices.Contains(f.words, s) {
		return fmt.Errorf("accepted: %s", strings.Join(f.words, ", "))
	}
	*f.target = s
	return nil
}

// list is a flag that takes words with commas between them, and may be given more than once; what each may be is the business of
// whoever reads them.
type list struct {
	target *[]string
	given  bool // what target has is not the default any more
}

func listOf(target *[]string) *list { return &list{target: target} }

func (f *list) String() string {
	if f.target == nil {
		return ""
	}
	return strings.Join(*f.target, ",")
}

func (*list) Type() string { return "list" }

func (f *list) Set(s string) error {
	if !f.given {
		*f.target, f.given = nil, true
	}
	*f.target = append(*f.target, strings.Split(s, ",")...)
	return nil
}
