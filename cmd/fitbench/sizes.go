package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fitbench/internal/data"
)

// sizes is a flag that takes batch sizes, as in 16,64,256 and 16..8192x2, which is 16, 32, 64 and so on up to 8192.
type sizes struct{ target *[]int }

func (f sizes) String() string {
	return wholes{target: f.target}.String()
}

func (sizes) Type() string { return "list" }

func (f sizes) Set(s string) error {
	var all []int
	for _, item := range strings.Split(s, ",") {
		some, err := parseSizes(strings.TrimSpace(item))
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return fmt.Errorf("%d is there twice; each size is accepted once", all[i])
		}
	}
	*f.target = all
	return nil
}

// parseSizes is one item of the list.
func parseSizes(item string) ([]int, error) {
	first, rest, isRange := strings.Cut(item, "..")
	if !isRange {
		n, err := parseSize(item)
		return []int{n}, err
	}
	last, by, hasFactor := strings.Cut(rest, "x")
	from, err := parseSize(first)
	if err != nil {
		return nil, err
	}
	to, err := parseSize(last)
	if err != nil {
		return nil, err
	}
	if to < from {
		return nil, fmt.Errorf("%q ends below its beginning; a range is accepted as in %d..%dx2", item, to, from)
	}
	if !hasFactor {
		return nil, fmt.Errorf("%q has no factor; a range is accepted as in %d..%dx2", item, from, to)
	}
	factor, err := strconv.Atoi(by)
	if err != nil || factor < 2 {
		return nil, fmt.Errorf("%q goes on by a factor of %q; a whole number of 2 or more is accepted", item, by)
	}
	var all []int
	for ; from <= to; from *= factor {
		all = append(all, from)
	}
	return all, nil
}

func parseSize(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 || n > data.MaxSamples {
		return 0, fmt.Errorf("%q is no batch size; whole numbers from 1 to %d are accepted, and ranges as in 16..8192x2", s, data.MaxSamples)
	}
	return n, nil
}
