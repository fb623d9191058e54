package compare

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/footing"
	"fitbench/internal/record"
	"fitbench/internal/typeset"
)

// values are a figure's different values over runs, in the order of their text.
func (f exact) values(runs []record.Run) []string {
	var all []string
	for _, r := range runs {
		if v := f.of(r); v != "" && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all
}

// exact shows what is equal and what is not among the figures that are no measurements. Cells in which neither record has a figure
// do not count.
func (p *page) exact(c Comparison, a, b string) {
	var equal, different []string
	for _, f := range exacts() {
		if len(c.Obstacles[f.kind]) > 0 {
			continue
		}
		same := 0
		var others []string
		for _, cell := range c.Cells {
			base, head := f.values(cell.baseRuns), f.values(cell.headRuns)
			switch {
			case len(base) == 0 && len(head) == 0:
			case slices.Equal(base, head):
				same++
			default:
				others = append(others, fmt.Sprintf("%s %s in %s, %s in %s", cell.Name, orAbsent(f, base), a, orAbsent(f, head), b))
			}
		}
		switch {
		case len(others) > 0:
			different = append(different, f.title+": "+strings.Join(others, "; "))
		case same > 0:
			equal = append(equal, f.title)
		}
	}
	if len(equal)+len(different) > 0 {
		p.space()
	}
	if len(equal) > 0 {
		p.item("Equal", strings.Join(equal, ", "))
	}
	for _, text := range different {
		p.item("Different", text)
	}
}

func orAbsent(f exact, values []string) string {
	if len(values) == 0 {
		return typeset.Absent
	}
	shown := make([]string, len(values))
	for i, v := range values {
		shown[i] = v
		if f.kind == Orders || f.kind == Weights {
			shown[i] = footing.Shorten(v)
		}
	}
	return strings.Join(shown, " or ")
}
