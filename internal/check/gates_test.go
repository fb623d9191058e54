package check_test

import (
	"slices"
	"strings"
	"testing"

	"fitbench/internal/check"
)

func TestGatesAreFiguresOfCells(t *testing.T) {
	gates, err := check.ParseGates([]string{"fit@compiled", "cpu:fit@compiled", " memory:generator@eager"})
	if err != nil || len(gates) != 3 {
		t.Fatalf("%+v, %v", gates, err)
	}
	titles := []string{"fit@compiled, ms a step", "fit@compiled, CPU seconds", "generator@eager, peak memory, MB"}
	for i, g := range gates {
		if g.Title() != titles[i] {
			t.Errorf("%q, want %q", g.Title(), titles[i])
		}
	}
	if gates[2].Name != "memory:generator@eager" {
		t.Error(gates[2].Name)
	}
	if cells := check.Cells(gates); len(cells) != 2 || cells[0] != fit {
		t.Errorf("cells %v, want fit@compiled and generator@eager once each", cells)
	}
	if got := check.GatePrefixes(); !slices.Equal(got, []string{"", "cpu:", "memory:"}) {
		t.Errorf("prefixes %q", got)
	}
}

func TestGatesThatAreNoneAreErrors(t *testing.T) {
	for want, names := range map[string]string{
		`"fit": a mode with its execution`:      "fit",
		"fit@eager is given twice":              "fit@eager,fit@eager",
		"6 gates; 1 to 5 are accepted":          "a,b,c,d,e,f",
		`"cpu:x@compiled": "x@compiled" names `: "cpu:x@compiled",
		`"fit@quick": `:                         "fit@quick",
		`"": a mode with`:                       "",
	} {
		if _, err := check.ParseGates(strings.Split(names, ",")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", names, err, want)
		}
	}
}
