// Package footing proves that the runs of a record were compared on an equal footing: that all of them trained on the same samples
// in the same order, and that those which compute alike arrived at the same weights, bit for bit. It compares digests that the
// runs report; it does not judge times or losses.
package footing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/record"
)

// OwnEngine is the name of this program's own engine in a record. It reports every digest, as another build of it does, so that one
// that is missing there is an error of the program; another engine may be unable to keep the order, or to show its weights.
const OwnEngine = "fitbench"

// otherBuild begins the names of other builds of this program.
const otherBuild = "native:"

func native(r record.Run) bool {
	return r.Engine == OwnEngine || strings.HasPrefix(r.Engine, otherBuild)
}

// rule says which runs must agree, and in what.
type rule struct {
	// what completes "runs ... differ in their".
	what string
	// group names the runs of one batch size among which the value must be equal.
	group func(record.Run) string
	// value is what must be equal; where it is empty, a run of another engine than the native one is exempt.
	value func(record.Run) string
}

// rules is the table of what equal footing means. Between kernels, engines and executions weights may differ, as they round
// differently, and so may those of a check's head from those of its base.
func rules() []rule {
	return []rule{
		{
			what:  "number of steps",
			group: func(record.Run) string { return "" },
			value: func(r record.Run) string { return fmt.Sprint(r.Steps) },
		},
		{
			what:  "order of samples",
			group: func(record.Run) string { return "" },
			value: func(r record.Run) string { return r.OrderDigest },
		},
		{
			what:  "final weights",
			group: alike,
			value: func(r record.Run) string { return r.WeightsDigest },
		},
	}
}

// Check compares the runs of each batch size: the same number of steps and the same order digest among all of them, equal weights
// among runs of the same program, kernel and execution. Failed runs are left out, and so is a run of another engine than the native
// one without the digest in question; without it, a native run proves nothing and counts as a difference. Each difference is one error that names the values and
// the runs that have them; no error means an equal footing.
func Check(runs []record.Run) []error {
	finished := slices.DeleteFunc(slices.Clone(runs), func(r record.Run) bool { return r.Error != "" })
	var sizes []int
	for _, r := range finished {
		if !slices.Contains(sizes, r.BatchSize) {
			sizes = append(sizes, r.BatchSize)
		}
	}
	var differences []error
	for _, rule := range rules() {
		for _, size := range sizes {
			name := ""
			if len(sizes) > 1 {
				name = fmt.Sprintf("batch size %d", size)
			}
			same := slices.DeleteFunc(slices.Clone(finished), func(r record.Run) bool { return r.BatchSize != size })
			differences = append(differences, rule.check(name, same)...)
		}
	}
	return differences
}

// check returns one error for each group of runs whose values differ, in the order of the groups' first runs. name is what they have
// in common, which may be nothing.
func (r rule) check(name string, runs []record.Run) []error {
	var groups []string
	members := map[string][]record.Run{}
	for _, run := range runs {
		if r.value(run) == "" && !native(run) {
			continue
		}
		group := r.group(run)
		if members[group] == nil {
			groups = append(groups, group)
		}
		members[group] = append(members[group], run)
	}
	var differences []error
	for _, group := range groups {
		if err := r.compare(strings.Trim(name+", "+group, ", "), members[group]); err != nil {
			differences = append(differences, err)
		}
	}
	return differences
}

// compare returns an error that lists the values that occur among the runs, the most frequent first, where there are several or
// one is missing.
func (r rule) compare(group string, runs []record.Run) error {
	var values []string
	names := map[string][]string{}
	for _, run := range runs {
		value := r.value(run)
		if names[value] == nil {
			values = append(values, value)
		}
		names[value] = append(names[value], name(run))
	}
	if group != "" {
		group = " of " + group
	}
	if len(values) == 1 && values[0] == "" {
		return fmt.Errorf("runs%s do not show their %s: %s", group, r.what, strings.Join(names[""], ", "))
	}
	if len(values) < 2 {
		return nil
	}
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(names[b]), len(names[a])) })
	parts := make([]string, len(values))
	for i, value := range values {
		shown := cmp.Or(Shorten(value), "not shown")
		parts[i] = shown + " in " + strings.Join(names[value], ", ")
	}
	return fmt.Errorf("runs%s differ in their %s: %s", group, r.what, strings.Join(parts, "; "))
}

// name is how a difference names a run.
func name(r record.Run) string {
	text := fmt.Sprintf("%s round %d", r.Cell(), r.Round)
	if r.Role != "" {
		text += " of " + r.Role
	}
	return text
}

// alike names what runs must share for their arithmetic to be the same. Base and its twin in a check are one program, head another.
func alike(r record.Run) string {
	program := r.Engine
	if r.Role == record.RoleHead {
		program = r.By()
	}
	return fmt.Sprintf("engine %s, kernel %s, execution %s", program, r.Kernel, r.Execution)
}

// shownDigits of a digest tell two of them apart for a reader; what is compared is the whole.
const shownDigits = 12

// Shorten cuts a digest for showing; a number of steps is short enough.
func Shorten(value string) string { return value[:min(len(value), shownDigits)] }
