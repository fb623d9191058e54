package modes

import (
	"slices"
	"strings"
	"testing"

	"fitbench/internal/record"
)

var both = []string{"compiled", "eager"}

func TestCellsOfAList(t *testing.T) {
	for _, c := range []struct {
		modes, executions []string
		want              string
	}{
		{[]string{"fit"}, both, "fit@compiled fit@eager"},
		{[]string{"fit"}, []string{"eager", "compiled"}, "fit@eager fit@compiled"},
		{[]string{"fit-windows", "fit"}, []string{"eager"}, "fit-windows@eager fit@eager"},
		{[]string{"fit@compiled", "generator", "train-on-batch", "fit-windows@compiled"}, both,
			"fit@compiled generator@compiled generator@eager train-on-batch@compiled train-on-batch@eager fit-windows@compiled"},
		{[]string{" fit @ eager ", " generator"}, []string{" compiled "}, "fit@eager generator@compiled"},
		{[]string{"fit@eager", "fit"}, []string{"compiled"}, "fit@eager fit@compiled"},
		{[]string{"fit@eager", "fit@compiled"}, both, "fit@eager fit@compiled"},
	} {
		cells, err := ParseCells(c.modes, c.executions)
		if err != nil {
			t.Errorf("%q, %q: %v", c.modes, c.executions, err)
		}
		if got := joined(cells); got != c.want {
			t.Errorf("%q, %q: got %s, want %s", c.modes, c.executions, got, c.want)
		}
	}
}

func TestCellsRefuse(t *testing.T) {
	const everyMode = "fit, generator, train-on-batch, fit-windows"
	for name, c := range map[string]struct {
		modes, executions []string
		says              []string
	}{
		"no mode":                     {nil, both, []string{"no mode", everyMode}},
		"empty item":                  {[]string{"fit", ""}, both, []string{`""`, everyMode}},
		"blank item":                  {[]string{"  "}, both, []string{`""`, everyMode}},
		"unknown mode":                {[]string{"fit_generator"}, both, []string{`"fit_generator"`, everyMode}},
		"another case":                {[]string{"Fit"}, both, []string{`"Fit"`, everyMode}},
		"no mode before @":            {[]string{"@eager"}, both, []string{`"@eager"`, everyMode}},
		"no execution behind @":       {[]string{"fit@"}, both, []string{`"fit@"`, "compiled, eager"}},
		"two executions":              {[]string{"fit@compiled@x"}, both, []string{`"fit@compiled@x"`, "compiled, eager"}},
		"unknown execution":           {[]string{"fit@graph"}, both, []string{`"graph"`, "compiled, eager"}},
		"no executions":               {[]string{"fit"}, nil, []string{"no execution", "compiled, eager"}},
		"an empty execution":          {[]string{"fit@eager"}, []string{""}, []string{"empty", "compiled, eager"}},
		"unknown in executions":       {[]string{"fit@eager"}, []string{"compiled", "jit"}, []string{`"jit"`, "compiled, eager"}},
		"same pair":                   {[]string{"fit@eager", "fit@eager"}, both, []string{"fit@eager is given twice"}},
		"same mode":                   {[]string{"fit", "fit"}, both, []string{"fit@compiled is given twice"}},
		"bare and named":              {[]string{"fit", "fit@compiled"}, both, []string{"fit@compiled is given twice"}},
		"named and bare":              {[]string{"fit@compiled", "fit"}, []string{"compiled"}, []string{"fit@compiled is given twice"}},
		"same execution, a bare mode": {[]string{"fit"}, []string{"eager", "eager"}, []string{"fit@eager is given twice"}},
	} {
		cells, err := ParseCells(c.modes, c.executions)
		if err == nil {
			t.Errorf("%s: accepted as %s", name, joined(cells))
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", name, err, part)
			}
		}
	}
}

func TestModesAreFoundByName(t *testing.T) {
	want := []string{"fit array", "generator queue", "train-on-batch inline", "fit-windows windows",
		"pipeline pipeline", "fit-chunked chunks"}
	var got []string
	for _, m := range All() {
		found, err := Lookup(m.Name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, found.Name+" "+found.Feed)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func joined(cells []record.Cell) string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}
