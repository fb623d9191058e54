package baseline

import (
	"fmt"
	"strings"

	"fitbench/internal/compare"
	"fitbench/internal/footing"
	"fitbench/internal/record"
)

// sameWork is an error where digests differ: of the order of samples everywhere, and of the final weights where kernel, architecture
// and Go version are the same. A digest that is not in both, which only another engine may leave out, proves nothing and is noted.
func (c *check) sameWork() error {
	var differences []string
	for _, d := range []struct {
		kind compare.Kind
		of   func(record.Run) string
	}{
		{compare.Orders, func(r record.Run) string { return r.OrderDigest }},
		{compare.Weights, func(r record.Run) string { return r.WeightsDigest }},
	} {
		if c.obstructed(d.kind, d.kind.String()) {
			continue
		}
		for _, p := range c.cells {
			base, head := digest(p.baseRuns, d.of), digest(p.headRuns, d.of)
			switch {
			case base == "" || head == "":
				c.note("cannot compare %s of %s: %s does not show it in both", d.kind, p.name, p.base.Engine)
			case d.kind == compare.Weights && p.baseRuns[0].Kernel != p.headRuns[0].Kernel:
				c.note("cannot compare %s of %s: kernel %s in the baseline, %s here", d.kind, p.name, p.baseRuns[0].Kernel, p.headRuns[0].Kernel)
			case base != head:
				differences = append(differences, fmt.Sprintf("the %s of %s: digest %s there, %s here", d.kind, p.name, footing.Shorten(base), footing.Shorten(head)))
			}
		}
	}
	if len(differences) == 0 {
		return nil
	}
	return fmt.Errorf("not the same work as the baseline: %s; where that is meant to be, replace the baseline with --update-baseline",
		strings.Join(differences, "; "))
}

// digest is that of a cell's runs, which are on an equal footing, so that one stands for all; empty where none shows it.
func digest(runs []record.Run, of func(record.Run) string) string {
	for _, r := range runs {
		if d := of(r); d != "" {
			return d
		}
	}
	return ""
}
