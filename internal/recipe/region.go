package recipe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// region is a marked part of a module.
type region struct {
	module string
	line   int      // of its first mark, from 1
	modes  []string // one at least
	engine string   // empty where it is for all engines of its module
	lines  []string // without the marks, as they stand in the module
}

// place names the region's first mark.
func (r region) place() string { return fmt.Sprintf("module %s, line %d", r.module, r.line) }

// mark matches a line that begins or ends a region: what is behind "recipe:", or nothing.
func mark() *regexp.Regexp { return regexp.MustCompile(`^\s*# *(?:recipe: *(.*?)|end recipe)\s*$`) }

// regions finds those of a module, in their order.
func regions(module, source string) ([]region, error) {
	var all []region
	var open *region
	marked := mark()
	for i, line := range strings.Split(source, "\n") {
		at := region{module: module, line: i + 1}
		found := marked.FindStringSubmatch(line)
		switch begins := found != nil && strings.Contains(line, "recipe:"); {
		case found == nil && open != nil:
			open.lines = append(open.lines, line)
		case found == nil:
		case begins && open != nil:
			return nil, fmt.Errorf("%s: a recipe begins in one that has not ended, see line %d", at.place(), open.line)
		case begins:
			if err := at.name(found[1]); err != nil {
				return nil, err
			}
			open = &at
		case open == nil:
			return nil, fmt.Errorf("%s: a recipe ends that has not begun", at.place())
		default:
			if err := open.trim(); err != nil {
				return nil, err
			}
			all, open = append(all, *open), nil
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s: the recipe does not end", open.place())
	}
	return all, nil
}

// name takes what is behind "recipe:", modes and maybe an engine, and holds it against the module.
func (r *region) name(words string) error {
	var here []string // the engines of the module
	for _, e := range engines() {
		if strings.HasPrefix(r.module, e.prefix) {
			here = append(here, e.name)
		}
	}
	if len(here) == 0 {
		return fmt.Errorf("%s: a recipe is in a module of no engine", r.place())
	}
	named := behind().FindStringSubmatch(words)
	if named == nil {
		return fmt.Errorf("%s: %q behind \"recipe:\"; a mode is accepted, or several with commas between, and an engine behind them", r.place(), words)
	}
	r.modes, r.engine = strings.FieldsFunc(named[1], func(c rune) bool { return c == ',' || c == ' ' }), named[2]
	if r.engine != "" && !slices.Contains(here, r.engine) {
		return fmt.Errorf("%s: engine %q; accepted in this module: %s", r.place(), r.engine, strings.Join(here, ", "))
	}
	return nil
}

// behind matches what stands behind "recipe:": the modes, and the engine.
func behind() *regexp.Regexp { return regexp.MustCompile(`^([^\s,]+(?:, *[^\s,]+)*)(?: +([^\s,]+))?$`) }

// trim takes blank lines from both ends and the common indentation from the rest.
func (r *region) trim() error {
	lines := r.lines
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 || !strings.HasPrefix(strings.TrimSpace(lines[0]), "#") {
		return fmt.Errorf("%s: the recipe does not begin with a comment that says what it is", r.place())
	}
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	r.lines = nil
	for _, line := range lines {
		rest, ok := strings.CutPrefix(line, indent)
		if !ok && strings.TrimSpace(line) != "" {
			return fmt.Errorf("%s: the line %q is indented less than the recipe's first", r.place(), line)
		}
		r.lines = append(r.lines, strings.TrimRight(rest, " \t\r"))
	}
	return nil
}

func (r region) about() string { return strings.TrimSpace(strings.TrimLeft(r.lines[0], "#")) }
