package recipe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/recipe"
)

// keras is a module with regions as they stand in one.
const keras = `import numpy as np

def windows(series):
    # recipe: fit-windows
    # The windows are gathered in the model. Names: series.

    class Windows:
        def call(self, x):

            return x
    # end recipe
    return Windows()

# recipe: generator
# A Sequence.
class Feed: pass

# end recipe

# recipe: generator tf-keras
# A Sequence of tf-keras.
class Other: pass
# end recipe
`

func read(t *testing.T, modules map[string]string) recipe.Book {
	t.Helper()
	book, err := recipe.Read(modules)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func names(book recipe.Book) string {
	var all []string
	for _, r := range book {
		all = append(all, r.Mode+" for "+r.Engine)
	}
	return strings.Join(all, ", ")
}

func TestARegionIsPrintedWithoutItsIndentation(t *testing.T) {
	r, ok := read(t, map[string]string{"keras_feeds": keras}).Find("fit-windows", "keras")
	want := "# The windows are gathered in the model. Names: series.\n\nclass Windows:\n    def call(self, x):\n\n        return x\n"
	if !ok || r.Code != want || r.About != "The windows are gathered in the model. Names: series." {
		t.Errorf("%v, about %q, code\n%s\nwant\n%s", ok, r.About, r.Code, want)
	}
	for what, changed := range map[string]string{
		"line ends of Windows": strings.ReplaceAll(keras, "\n", "\r\n"), "tabs": strings.ReplaceAll(keras, "    ", "\t"),
	} {
		book := read(t, map[string]string{"keras_feeds": changed})
		if r, _ := book.Find("fit-windows", "keras"); strings.ReplaceAll(r.Code, "\t", "    ") != want {
			t.Errorf("%s: code\n%q", what, r.Code)
		}
	}
}

func TestARecipeHasThoseOfItsModulesImportsThatItNeeds(t *testing.T) {
	const source = `"""A module."""
import json, time
import numpy as np
import os.path  # comment
from torch.utils.data import BatchSampler, DataLoader as Loader, Dataset

import torch_model

def f():
    # recipe: pipeline
    # One gather a batch, in time.
    # Names: series.
    for x in Loader(Dataset(np.zeros(1)), time.time(), os.path.sep):
        torch_model.step(x.json)  # BatchSampler
    # end recipe
`
	got := read(t, map[string]string{"torch_feeds": source, "torch_model": ""})[0]
	want := `# One gather a batch, in time.
# Names: series.
import time
import numpy as np
import os.path
from torch.utils.data import DataLoader as Loader, Dataset

for x in Loader(Dataset(np.zeros(1)), time.time(), os.path.sep):
    torch_model.step(x.json)  # BatchSampler
`
	if got.Code != want {
		t.Errorf("got\n%s\nwant\n%s", got.Code, want)
	}
}

func TestTfKerasHasTheRegionsOfKerasButForThoseOfItsOwn(t *testing.T) {
	book := read(t, map[string]string{"keras_feeds": keras})
	if got, want := names(book), "fit-windows for keras, generator for keras, fit-windows for tf-keras, generator for tf-keras"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for engine, want := range map[string]string{"keras": "A Sequence.", "tf-keras": "A Sequence of tf-keras."} {
		if r, _ := book.Find("generator", engine); r.About != want {
			t.Errorf("%s: %q, want %q", engine, r.About, want)
		}
	}
	own := "# recipe: pipeline tf-keras\n# One.\n# end recipe"
	for _, modules := range []map[string]string{ // whichever comes first
		{"keras_a": own, "keras_b": strings.Replace(own, " tf-keras", "", 1)},
		{"keras_b": own, "keras_a": strings.Replace(own, " tf-keras", "", 1)},
	} {
		if got := names(read(t, modules)); got != "pipeline for keras, pipeline for tf-keras" {
			t.Errorf("%v: %s", modules, got)
		}
	}
	if got := names(read(t, map[string]string{"keras_a": own})); got != "pipeline for tf-keras" {
		t.Errorf("tf-keras alone: %s", got)
	}
}

func TestARegionIsTheRecipeOfEachModeThatItNames(t *testing.T) {
	const both = "# recipe: generator, fit-sequence\n# A Sequence.\n# end recipe\n"
	const own = "# recipe: pipeline,fit-sequence tf-keras\n# One.\n# end recipe\n"
	book := read(t, map[string]string{"keras_feeds": both, "keras_other": own})
	want := "generator for keras, fit-sequence for keras, generator for tf-keras, fit-sequence for tf-keras, pipeline for tf-keras"
	if got := names(book); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, r := range book {
		own := r.Engine == "tf-keras" && r.Mode != "generator"
		if want := map[bool]string{false: "# A Sequence.\n", true: "# One.\n"}[own]; r.Code != want {
			t.Errorf("%s for %s: %q, want %q", r.Mode, r.Engine, r.Code, want)
		}
	}
}

func TestAModulesNameSaysWhoseItsRegionsAre(t *testing.T) {
	const one = "# recipe: pipeline\n# Indices.\n# end recipe\n"
	book := read(t, map[string]string{"torch_feeds": one, "jax_engine": one, "worker_main": "import sys\n", "boot": ""})
	if got := names(book); got != "pipeline for torch, pipeline for jax" {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(book.EnginesOf("pipeline"), book.Modes("jax"), book.Modes("keras"), book.Modes("")); got != "[torch jax] [pipeline] [] [pipeline]" {
		t.Errorf("got %s", got)
	}
	if _, ok := book.Find("pipeline", "keras"); ok {
		t.Error("keras has torch's recipe")
	}
}

func TestARegionThatIsNotWellMarkedIsAnErrorThatNamesThePlace(t *testing.T) {
	for name, c := range map[string]struct {
		module, source string
		says           []string
	}{
		"no end":             {"jax_engine", "x = 1\n# recipe: fit\n# It.\n", []string{"module jax_engine, line 2", "does not end"}},
		"no beginning":       {"jax_engine", "# end recipe\n", []string{"module jax_engine, line 1", "has not begun"}},
		"one in another":     {"jax_engine", "# recipe: fit\n# It.\n# recipe: pipeline\n", []string{"line 3", "line 1"}},
		"no mode":            {"jax_engine", "# recipe:\n# It.\n# end recipe\n", []string{"line 1", `""`, "a mode"}},
		"too many words":     {"jax_engine", "# recipe: fit jax now\n# It.\n# end recipe\n", []string{"line 1", `"fit jax now"`}},
		"no mode in a list":  {"jax_engine", "# recipe: fit,, pipeline\n# It.\n# end recipe\n", []string{"line 1", `"fit,, pipeline"`, "a mode"}},
		"no mode at its end": {"jax_engine", "# recipe: fit,\n# It.\n# end recipe\n", []string{"line 1", `"fit,"`, "a mode"}},
		"twice in a list":    {"jax_engine", "# recipe: fit, fit\n# It.\n# end recipe\n", []string{"line 1", "fit for jax"}},
		"another's engine":   {"jax_engine", "# recipe: fit torch\n# It.\n# end recipe\n", []string{`"torch"`, "accepted", "jax"}},
		"no engine's module": {"worker_main", "# recipe: fit\n# It.\n# end recipe\n", []string{"worker_main", "no engine"}},
		"no comment first":   {"jax_engine", "# recipe: fit\nx = 1\n# end recipe\n", []string{"line 1", "comment"}},
		"empty":              {"jax_engine", "# recipe: fit\n\n# end recipe\n", []string{"line 1", "comment"}},
		"less indentation":   {"jax_engine", "# recipe: fit\n    # It.\n  x = 1\n# end recipe\n", []string{"line 1", `"  x = 1"`}},
		"twice":              {"jax_engine", "# recipe: fit\n# It.\n# end recipe\n# recipe: fit\n# It.\n# end recipe\n", []string{"line 4", "line 1", "fit for jax"}},
	} {
		book, err := recipe.Read(map[string]string{c.module: c.source})
		if err == nil {
			t.Errorf("%s: no error, but %s", name, names(book))
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

func TestAnEngineIsKnownByTheNameThatRunsHave(t *testing.T) {
	for name, want := range map[string]string{
		"keras": "keras", "keras@jax": "keras", "keras:/opt/my env/bin/python": "keras", "keras@torch:python3": "keras",
		"tf-keras:/a@b/python": "tf-keras", "torch": "torch", "jax:python": "jax",
	} {
		if got, ok := recipe.EngineOf(name); !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{"fitbench", "native", "native:./keras", "exec:keras", "", "kerasx", "fitbench (base)"} {
		if got, ok := recipe.EngineOf(name); ok {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := recipe.Engines(); !slices.Equal(got, []string{"keras", "tf-keras", "torch", "jax"}) {
		t.Errorf("engines %v", got)
	}
}
