package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fitbench/internal/recipe"
	"fitbench/internal/report"
	"fitbench/internal/typeset"

	"github.com/spf13/cobra"
)

func newRecipe(s streams) *cobra.Command {
	given := ""
	c := &cobra.Command{
		Use:   "recipe [MODE]",
		Short: "Print a way of feeding a training as code for your own script, or list those that there are",
		Long: `A recipe is how a mode is written with Keras, PyTorch or JAX: some lines for your own script, taken from the very source that
runs when the mode is measured with --engine. Their comments explain the names that are your script's, but for model,
batch_size, epochs, window, samples (how many windows there are), and the packages keras and tf (tensorflow). Without MODE the recipes are listed.`,
		Example: `  fitbench recipe
  fitbench recipe fit-windows --for keras
  fitbench recipe --for torch`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("%d arguments: the name of one mode is accepted, or none for the list", len(args))
			}
			return nil
		},
	}
	c.Flags().StringVar(&given, "for", given, "engine that the code is for: "+strings.Join(recipe.Engines(), ", "))
	c.ValidArgsFunction = completeRecipes
	c.RunE = func(c *cobra.Command, args []string) error {
		engine, known := recipe.EngineOf(given)
		if !known && c.Flags().Changed("for") {
			return usagef("--for %s is not known; accepted: %s", given, strings.Join(recipe.Engines(), ", "))
		}
		return showRecipes(args, engine, s)
	}
	return c
}

func completeRecipes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	book, err := recipe.Carried()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return book.Modes(""), cobra.ShellCompDirectiveNoFileComp
}

// showRecipes lists the recipes of one engine or, where it is empty, of all; with a mode it prints that one.
func showRecipes(mode []string, engine string, s streams) error {
	book, err := recipe.Carried()
	if err != nil {
		return err
	}
	defer catchBrokenPipes()()
	if len(mode) == 0 {
		return unlessClosed(listRecipes(s.out, book, engine, terminalWidth(s.out)))
	}
	r, err := chooseRecipe(book, mode[0], engine)
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.out, r.Code)
	return unlessClosed(err)
}

// chooseRecipe is the recipe that is meant; engine may be empty where only one has it. The error is a usageError that says what there is.
func chooseRecipe(book recipe.Book, mode, engine string) (recipe.Recipe, error) {
	having := book.EnginesOf(mode)
	switch {
	case len(having) == 0:
		return recipe.Recipe{}, usagef("mode %q has no recipe; those that have one: %s", mode, orNone(book.Modes("")))
	case engine == "" && len(having) > 1:
		return recipe.Recipe{}, usagef("several engines have a recipe %s: say which with --for; accepted: %s", mode, orNone(having))
	case engine == "":
		engine = having[0]
	}
	r, ok := book.Find(mode, engine)
	if !ok {
		return r, usagef("--for %s: there is no recipe %s for it, but for %s; its own recipes: %s",
			engine, mode, orNone(having), orNone(book.Modes(engine)))
	}
	return r, nil
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// listRecipes writes a line a mode, with the engines that have it and what it is; several where that is not the same for all of them.
func listRecipes(w io.Writer, book recipe.Book, engine string, width int) error {
	rows := recipeRows(book, engine)
	if len(rows) == 0 {
		_, err := fmt.Fprintln(w, "There are no recipes.")
		return err
	}
	modes, engines := 0, 0
	for _, r := range rows {
		modes, engines = max(modes, len(r.mode)), max(engines, len(strings.Join(r.engines, ", ")))
	}
	if width <= 0 || width > report.MaxWidth {
		width = report.MaxWidth
	}
	var lines []string
	for _, r := range rows {
		first := fmt.Sprintf("%-*s  %-*s  ", modes, r.mode, engines, strings.Join(r.engines, ", "))
		lines = append(lines, typeset.Wrap(typeset.ASCII(r.about), first, strings.Repeat(" ", len(first)), width)...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// recipeRow is a recipe with all engines of which it says the same.
type recipeRow struct {
	mode, about string
	engines     []string
}

// recipeRows are those of one engine or, where it is empty, of all, the rows of one mode below each other.
func recipeRows(book recipe.Book, engine string) []recipeRow {
	var rows []recipeRow
	for _, mode := range book.Modes(engine) {
		first := len(rows)
		for _, r := range book {
			if r.Mode != mode || engine != "" && r.Engine != engine {
				continue
			}
			same := slices.IndexFunc(rows[first:], func(row recipeRow) bool { return row.about == r.About })
			if same < 0 {
				rows = append(rows, recipeRow{mode: mode, about: r.About, engines: []string{r.Engine}})
				continue
			}
			rows[first+same].engines = append(rows[first+same].engines, r.Engine)
		}
	}
	return rows
}
