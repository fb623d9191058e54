package recipe

import (
	"regexp"
	"slices"
	"strings"
)

// binding is a name that a module's import gives it.
type binding struct {
	name string
	// from is the module that the name is in, empty where it is one itself; what is the name there, with what it is renamed to.
	from, what string
}

// bindings are the names that a module's own imports give it, those of house modules left out: lines at its outermost level with
// no parentheses.
func bindings(source string, house []string) []binding {
	var all []binding
	for _, line := range strings.Split(source, "\n") {
		line, _, _ = strings.Cut(line, "#")
		from, list := "", ""
		if words := strings.Fields(line); strings.HasPrefix(line, "import ") {
			list = strings.TrimPrefix(strings.TrimSpace(line), "import ")
		} else if strings.HasPrefix(line, "from ") && len(words) > 3 && words[2] == "import" {
			from, list = words[1], strings.Join(words[3:], " ")
		} else {
			continue
		}
		for _, what := range strings.Split(list, ",") {
			words := strings.Fields(what)
			if len(words) == 0 || slices.Contains(house, from) || slices.Contains(house, words[0]) {
				continue
			}
			name := words[len(words)-1] // as renamed, or as it is
			if from == "" {
				name, _, _ = strings.Cut(name, ".")
			}
			all = append(all, binding{name, from, strings.Join(words, " ")})
		}
	}
	return all
}

// imports are the lines that a code needs of its module's imports, one for each module. Names in its comments do not count.
func imports(code []string, of []binding) []string {
	var bare strings.Builder
	for _, line := range code {
		line, _, _ = strings.Cut(line, "#")
		bare.WriteString(line + "\n")
	}
	var lines []string
	for _, b := range of {
		if !regexp.MustCompile(`(?m)(^|[^.\w])` + regexp.QuoteMeta(b.name) + `\b`).MatchString(bare.String()) {
			continue
		}
		if b.from == "" {
			lines = append(lines, "import "+b.what)
			continue
		}
		first := "from " + b.from + " import "
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, first) })
		if i < 0 {
			lines = append(lines, first+b.what)
			continue
		}
		lines[i] += ", " + b.what
	}
	return lines
}

// withImports puts imports behind the comments that a code begins with.
func withImports(code, lines []string) []string {
	if len(lines) == 0 {
		return code
	}
	body := slices.IndexFunc(code, func(line string) bool { return !strings.HasPrefix(line, "#") })
	if body < 0 {
		return code
	}
	whole := slices.Concat(code[:body], lines)
	if code[body] != "" {
		whole = append(whole, "")
	}
	return append(whole, code[body:]...)
}
