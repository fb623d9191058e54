package recipe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/engine"
	"fitbench/internal/engine/python"
	"fitbench/internal/recipe"
)

// carried are the recipes of the modules that the program carries.
func carried(t *testing.T) recipe.Book {
	t.Helper()
	book, err := recipe.Carried()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestARecipeIsShortEnoughToBeReadAndLongEnoughToBeUsed(t *testing.T) {
	for _, r := range carried(t) {
		if n := strings.Count(r.Code, "\n"); n < 10 || n > 30 {
			t.Errorf("%s for %s has %d lines; 10 to 30 are wanted", r.Mode, r.Engine, n)
		}
		for _, line := range strings.Split(r.Code, "\n") {
			if len(line) > 140 || strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > '~' }) {
				t.Errorf("%s for %s: %q is longer than 140 characters, or not ASCII", r.Mode, r.Engine, line)
			}
		}
		if len(r.About) < 10 {
			t.Errorf("%s for %s says of itself only %q", r.Mode, r.Engine, r.About)
		}
	}
}

// checker reads recipes as JSON, a list of texts, and writes for each what Python says against it and the names that it takes from elsewhere.
const checker = `
import builtins, json, symtable, sys

def used(table):
    names = {s.get_name() for s in table.get_symbols() if s.is_global() or table.get_type() == "module" and s.is_referenced()}
    for child in table.get_children():
        names |= used(child)
    return names

def checked(code):
    try:
        compile(code, "recipe", "exec")
        table = symtable.symtable(code, "recipe", "exec")
    except (SyntaxError, ValueError) as e:
        return {"error": str(e), "free": []}
    own = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    return {"error": "", "free": sorted(n for n in used(table) - own if not hasattr(builtins, n) and n != "__class__")}

json.dump([checked(code) for code in json.load(sys.stdin)], sys.stdout)
`

// verdict is what the checker says of one recipe.
type verdict struct {
	Error string
	Free  []string
}

// check has Python check texts.
func check(t *testing.T, codes []string) []verdict {
	t.Helper()
	if err := exec.Command("python3", "-c", "import symtable").Run(); err != nil {
		t.Skip("there is no python3 to check recipes with: ", err)
	}
	in, err := json.Marshal(codes)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-c", checker)
	c.Stdin = bytes.NewReader(in)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []verdict
	if err := json.Unmarshal(out, &all); err != nil || len(all) != len(codes) {
		t.Fatalf("%d verdicts on %d recipes, %v, in %s", len(all), len(codes), err, out)
	}
	return all
}

// conventional are the names that everyone gives to these modules and things.
func conventional() []string {
	return []string{"keras", "tf", "model", "batch_size", "epochs", "window"}
}

// explained tells whether a comment of the recipe has the name, or everyone knows it.
func explained(r recipe.Recipe, name string) bool {
	word := regexp.MustCompile(`#.*\b` + regexp.QuoteMeta(name) + `\b`)
	return word.MatchString(r.Code) || slices.Contains(conventional(), name)
}

func TestARecipeIsPythonAndExplainsTheNamesThatItTakesFromElsewhere(t *testing.T) {
	book := carried(t)
	codes := make([]string, len(book))
	for i, r := range book {
		codes[i] = r.Code
	}
	for i, v := range check(t, codes) {
		r := book[i]
		if v.Error != "" {
			t.Errorf("%s for %s is no Python: %s, in\n%s", r.Mode, r.Engine, v.Error, r.Code)
		}
		for _, name := range v.Free {
			if !explained(r, name) {
				t.Errorf("%s for %s takes %s from elsewhere, and no comment explains it, in\n%s", r.Mode, r.Engine, name, r.Code)
			}
		}
	}
}

func TestTheCheckerTellsWhatIsNoPythonAndWhatComesFromElsewhere(t *testing.T) {
	got := check(t, []string{
		"import numpy as np\n\ndef f(a, *b):\n    c = a + d\n    return [e for e in np.zeros(c)]\n\nfor g in f(h):\n    print(g)\n",
		"class A(B):\n    x = 1\n    def f(self):\n        super().__init__()\n        return lambda y: self.x + y + z\n",
		"return 1\n", "def f(:\n",
	})
	if free := fmt.Sprint(got[0].Free, got[1].Free); free != "[d h] [B z]" || got[0].Error != "" || got[1].Error != "" {
		t.Errorf("from elsewhere %s; said %q, %q", free, got[0].Error, got[1].Error)
	}
	if got[2].Error == "" || got[3].Error == "" {
		t.Errorf("said %q and %q", got[2].Error, got[3].Error)
	}
}

func TestEveryModeHasARecipe(t *testing.T) {
	book := carried(t)
	for _, name := range recipe.Engines() {
		has := book.Modes(name)
		for _, cell := range python.Cells(name) {
			if mode, _, _ := strings.Cut(cell, "@"); !slices.Contains(has, mode) {
				t.Errorf("%s has no recipe %s; it has %s", name, mode, strings.Join(has, ", "))
			}
		}
	}
}

func TestARecipeIsOfAModeThatItsEngineHas(t *testing.T) {
	for _, r := range carried(t) {
		if r.Mode == "several-steps" && len(python.Several(r.Engine)) > 0 {
			continue // no mode of its own, but a way of running some
		}
		has := func(cell string) bool { return strings.HasPrefix(cell, r.Mode+"@") }
		if cells := python.Cells(r.Engine); len(cells) > 0 && !slices.ContainsFunc(cells, has) {
			t.Errorf("%s has a recipe %s; its cells are %s", r.Engine, r.Mode, strings.Join(cells, ", "))
		}
	}
}

func TestTheEnginesOfRecipesAreTheFrameworksThatCanBeNamed(t *testing.T) {
	for _, form := range engine.Forms() {
		for _, word := range form.Words {
			if _, ok := recipe.EngineOf(word); ok != engine.IsFramework(word) {
				t.Errorf("%s: an engine of recipes %v, a framework %v", word, ok, !ok)
			}
		}
	}
	for _, name := range recipe.Engines() {
		if !engine.IsFramework(name) {
			t.Errorf("%s is no engine", name)
		}
	}
}
