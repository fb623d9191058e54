// Package recipe hands out code for a user's own script: how a way of feeding a training is written with Keras, PyTorch or JAX. A
// recipe is a marked region of the very modules that measure it, so it is what was measured and cannot rot. It runs nothing.
//
// A region stands between the comments "# recipe: MODE" and "# end recipe"; its first line is a comment that says what it is. It is
// for every engine that its module's name begins with. Where the recipes of two such engines differ, "# recipe: MODE ENGINE" is the
// one's own. Modes that are one code, used in different ways that its comments tell, are "# recipe: MODE, MODE".
package recipe

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/engine/python"
)

// Recipe is the code of one mode for one engine.
type Recipe struct {
	Mode, Engine string
	// About says in one line what it is, as its first comment does.
	About string
	// Code is Python: the region without the indentation that it has in its module, with those of the module's imports that it needs
	// behind its first comments. It ends with a line break.
	Code string
}

// Book is the recipes that there are: engine by engine in the order of Engines, each engine's as they stand in its modules.
type Book []Recipe

// engine is a row of the table of engines.
type engine struct {
	name string
	// prefix is what the names of its modules begin with.
	prefix string
}

func engines() []engine {
	return []engine{{"keras", "keras_"}, {"tf-keras", "keras_"}, {"torch", "torch_"}, {"jax", "jax_"}}
}

// Engines are the names of the engines that recipes can be for.
func Engines() []string {
	var names []string
	for _, e := range engines() {
		names = append(names, e.name)
	}
	return names
}

// EngineOf is the one of Engines that an engine belongs to, as runs and the command line name it: "keras" for "keras@jax:/opt/bin/python".
// It is false for any other engine.
func EngineOf(name string) (string, bool) {
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "@")
	return name, slices.Contains(Engines(), name)
}

// Carried are the recipes in the modules that this program carries. The error is a region that is not well marked.
func Carried() (Book, error) {
	modules := map[string]string{}
	for _, name := range python.Modules() {
		modules[name], _ = python.Source(name)
	}
	return Read(modules)
}

// Read finds the recipes in modules, name to source. The error names the module and the line of a region that is not well marked, or
// that is for an engine and a mode that have one already.
func Read(modules map[string]string) (Book, error) {
	names := sorted(modules)
	var all []region
	for _, module := range names {
		found, err := regions(module, modules[module])
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	var book Book
	for _, e := range engines() {
		chosen, err := e.choose(all)
		if err != nil {
			return nil, err
		}
		for _, c := range chosen {
			code := withImports(c.lines, imports(c.lines, bindings(modules[c.module], names)))
			book = append(book, Recipe{Mode: c.mode, Engine: e.name, About: c.about(), Code: strings.Join(code, "\n") + "\n"})
		}
	}
	return book, nil
}

// sorted are the modules' names, so that what is made of them is the same each time.
func sorted(modules map[string]string) []string {
	var names []string
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// choice is a region as the recipe of one of its modes.
type choice struct {
	mode string
	region
}

// choose picks the engine's regions: its own, and of those for all engines of its modules the ones in whose place it has none.
func (e engine) choose(all []region) ([]choice, error) {
	var chosen []choice
	for _, r := range all {
		if !strings.HasPrefix(r.module, e.prefix) || r.engine != "" && r.engine != e.name {
			continue
		}
		for _, mode := range r.modes {
			i := slices.IndexFunc(chosen, func(other choice) bool { return other.mode == mode })
			switch {
			case i < 0:
				chosen = append(chosen, choice{mode, r})
			case chosen[i].engine == r.engine:
				return nil, fmt.Errorf("%s: %s for %s has a recipe already, in %s", r.place(), mode, e.name, chosen[i].place())
			case r.engine != "":
				chosen[i].region = r
			}
		}
	}
	return chosen, nil
}

// Find is the recipe of a mode for an engine, false where there is none.
func (b Book) Find(mode, engine string) (Recipe, bool) {
	i := slices.IndexFunc(b, func(r Recipe) bool { return r.Mode == mode && r.Engine == engine })
	if i < 0 {
		return Recipe{}, false
	}
	return b[i], true
}

// Modes are the modes that have a recipe, for that engine or, where it is empty, for any.
func (b Book) Modes(engine string) []string {
	return b.distinct(func(r Recipe) (string, bool) { return r.Mode, engine == "" || r.Engine == engine })
}

// EnginesOf are the engines that have a recipe of the mode.
func (b Book) EnginesOf(mode string) []string {
	return b.distinct(func(r Recipe) (string, bool) { return r.Engine, r.Mode == mode })
}

// distinct are the names of the recipes that count, each once.
func (b Book) distinct(name func(Recipe) (string, bool)) []string {
	var names []string
	for _, r := range b {
		if n, counts := name(r); counts && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
