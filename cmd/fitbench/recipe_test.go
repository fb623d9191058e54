package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"fitbench/internal/recipe"
)

// shelf is a book of the test's own: the recipes of the engines come and go with their modules.
func shelf() recipe.Book {
	const gather, long = "One gather for a batch.", "Sample numbers are fed, and the model gathers their windows from a series that it holds as a constant."
	return recipe.Book{
		{Mode: "pipeline", Engine: "keras", About: gather}, {Mode: "fit-windows", Engine: "keras", About: long},
		{Mode: "pipeline", Engine: "tf-keras", About: gather}, {Mode: "fit-chunked", Engine: "tf-keras", About: "Pieces."},
		{Mode: "pipeline", Engine: "torch", About: "A gather in collate."},
	}
}

func TestRecipesAreListedByModeWithTheirEnginesAndWhatTheyAre(t *testing.T) {
	const all = `pipeline     keras, tf-keras  One gather for a batch.
pipeline     torch            A gather in collate.
fit-windows  keras            Sample numbers are fed, and the model gathers their windows from a series that
                              it holds as a constant.
fit-chunked  tf-keras         Pieces.
`
	const torch = "pipeline  torch  A gather in collate.\n"
	for engine, want := range map[string]string{"": all, "torch": torch, "jax": "There are no recipes.\n"} {
		var got bytes.Buffer
		if err := listRecipes(&got, shelf(), engine, 0); err != nil || got.String() != want {
			t.Errorf("%q: %v, got\n%s\nwant\n%s", engine, err, got.String(), want)
		}
	}
	var narrow bytes.Buffer
	if err := listRecipes(&narrow, shelf(), "", 80); err != nil || strings.Count(narrow.String(), "\n") != 6 {
		t.Errorf("at 80: %v\n%s", err, narrow.String())
	}
}

func TestARecipeIsChosenByModeAndEngine(t *testing.T) {
	for _, c := range []struct{ mode, engine, want string }{
		{"pipeline", "torch", "torch"}, {"pipeline", "tf-keras", "tf-keras"}, {"fit-windows", "", "keras"}, {"fit-chunked", "tf-keras", "tf-keras"},
	} {
		if r, err := chooseRecipe(shelf(), c.mode, c.engine); err != nil || r.Mode != c.mode || r.Engine != c.want {
			t.Errorf("%s for %q: %s for %s, %v", c.mode, c.engine, r.Mode, r.Engine, err)
		}
	}
}

func TestARecipeThatIsNotThereIsWrongUsageThatSaysWhichThereAre(t *testing.T) {
	for _, c := range []struct {
		mode, engine string
		book         recipe.Book
		says         []string
	}{
		{"fast", "keras", shelf(), []string{`mode "fast"`, "pipeline, fit-windows, fit-chunked"}},
		{"pipeline", "", shelf(), []string{"pipeline", "--for", "accepted: keras, tf-keras, torch"}},
		{"fit-windows", "torch", shelf(), []string{"--for torch", "fit-windows", "but for keras;", "its own recipes: pipeline"}},
		{"fit-windows", "jax", shelf(), []string{"--for jax", "its own recipes: none"}},
		{"fit-windows", "", nil, []string{"fit-windows", "none"}},
	} {
		_, err := chooseRecipe(c.book, c.mode, c.engine)
		if wrong := new(usageError); !errors.As(err, wrong) {
			t.Errorf("%s for %q: %v", c.mode, c.engine, err)
			continue
		}
		wantContains(t, c.mode+" for "+c.engine, err.Error(), c.says...)
	}
}

func TestWrongUseOfRecipeNamesTheValueAndWhatIsAccepted(t *testing.T) {
	for _, c := range []struct {
		args, says []string
	}{
		{[]string{"fast"}, []string{`"fast"`}},
		{[]string{"fit-windows", "pipeline"}, []string{"2 arguments", "one mode"}},
		{[]string{"--for", "mxnet"}, []string{"--for mxnet", "keras, tf-keras, torch, jax"}},
		{[]string{"--for", "native:keras"}, []string{"--for native:keras", "keras, tf-keras, torch, jax"}},
		{[]string{"--for", ""}, []string{"--for", "keras, tf-keras, torch, jax"}},
	} {
		code, stdout, stderr := fitbench(append([]string{"recipe"}, c.args...)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%v: exit code %d, want %d; standard output %q", c.args, code, exitUsage, stdout)
		}
		wantContains(t, "standard error", stderr, append(c.says, "Usage:")...)
	}
}

func TestEveryRecipeThatIsCarriedIsListedAndPrinted(t *testing.T) {
	book, err := recipe.Carried()
	if err != nil {
		t.Fatal(err)
	}
	code, listed, stderr := fitbench("recipe")
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	for _, r := range book {
		wantContains(t, "the list", listed, r.Mode, r.Engine)
		for _, engine := range []string{r.Engine, r.Engine + ":/opt/bin/python"} { // as runs name it, too
			if code, stdout, stderr := fitbench("recipe", r.Mode, "--for", engine); code != exitOK || stdout != r.Code || stderr != "" {
				t.Errorf("%s for %s: exit code %d, standard error %q, output\n%s", r.Mode, engine, code, stderr, stdout)
			}
		}
	}
	if got := completions("recipe", ""); len(book) > 0 && !slices.Contains(got, book[0].Mode) {
		t.Errorf("completions of a mode: %q", got)
	}
	if got := completions("recipe", "--for", ""); !slices.Contains(got, "tf-keras") {
		t.Errorf("completions of --for: %q", got)
	}
}
