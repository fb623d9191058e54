package main

import (
	"slices"
	"strings"
	"testing"
)

func TestSizesAreNumbersAndRanges(t *testing.T) {
	for text, want := range map[string][]int{
		"64": {64}, "16,64, 256": {16, 64, 256}, "64,16": {16, 64}, "16..128x2": {16, 32, 64, 128}, "16..100x2": {16, 32, 64},
		"5..5x3": {5}, "8096,1..100x10": {1, 10, 100, 8096},
	} {
		var got []int
		if err := (sizes{&got}).Set(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
}

func TestSizesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"":            `"" is no batch size`,
		"0":           "1 to",
		"-3":          "1 to",
		"x":           `"x" is no batch size`,
		"16,,64":      `"" is no batch size`,
		"64..16x2":    "ends below its beginning",
		"64..16":      "ends below its beginning",
		"16..64":      "has no factor",
		"16..8192x1":  `factor of "1"`,
		"16..8192x0":  `factor of "0"`,
		"16..xx2":     `"" is no batch size`,
		"16,16":       "16 is there twice",
		"16..64x2,64": "64 is there twice",
		"99999999999": "is no batch size",
	} {
		got := []int{7}
		err := sizes{&got}.Set(text)
		if err == nil || !strings.Contains(err.Error(), want) || !slices.Equal(got, []int{7}) {
			t.Errorf("%q: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}
