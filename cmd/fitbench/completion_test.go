package main

import (
	"slices"
	"strings"
	"testing"
)

func completions(args ...string) []string {
	_, stdout, _ := fitbench(append([]string{"__complete"}, args...)...)
	return strings.Split(stdout, "\n")
}

func TestFlagsWithFewValuesAreCompleted(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--output", ""}, "markdown"},
		{[]string{"run", "--kernel", ""}, "go"},
		{[]string{"run", "--modes", "fit,gen"}, "fit,generator@eager"},
		{[]string{"sweep", "--executions", "compiled,"}, "compiled,eager"},
		{[]string{"check", "--gate", ""}, "cpu:fit@compiled"},
		{[]string{"check", "--base", ""}, "native:"},
		{[]string{"run", "--engine", "ker"}, "keras@torch"},
		{[]string{"run", "--modes", "fit,time"}, "fit,timeseries-helper"},
		{[]string{"engines", "test", "--cell", ""}, "fit-windows@eager"},
		{[]string{"report", "-o", ""}, "csv"},
	} {
		if got := completions(c.args...); !slices.Contains(got, c.want) {
			t.Errorf("%v: %q lacks %q", c.args, got, c.want)
		}
	}
}
