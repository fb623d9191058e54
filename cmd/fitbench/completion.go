package main

import (
	"strings"

	"fitbench/internal/check"
	"fitbench/internal/engine"
	"fitbench/internal/modes"
	"fitbench/internal/nn"
	"fitbench/internal/recipe"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeFlags lets a shell complete the values of the flags that take one of few words, or lists of them, in c and all its commands.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		words, isList := valuesOf(f)
		if words == nil {
			return
		}
		complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			done := ""
			if at := strings.LastIndex(typed, ","); isList && at >= 0 {
				done = typed[:at+1]
			}
			var all []string
			for _, word := range words {
				all = append(all, done+word)
			}
			return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic("completion: a flag that was just visited is not there")
		}
	})
	for _, sub := range c.Commands() {
		completeFlags(sub)
	}
}

// valuesOf are the words that a flag takes; nil where they are not known.
func valuesOf(f *pflag.Flag) (words []string, isList bool) {
	if c, ok := f.Value.(choice); ok {
		return c.words, false
	}
	switch f.Name {
	case "modes":
		return append(modes.Names(), cellNames()...), true
	case "executions":
		return nn.Names(), true
	case "gate":
		for _, prefix := range check.GatePrefixes() {
			for _, cell := range cellNames() {
				words = append(words, prefix+cell)
			}
		}
		return words, true
	case "cell":
		return cellNames(), false
	case "for":
		return recipe.Engines(), false
	case "engine", "base", "head":
		for _, form := range engine.Forms() {
			words = append(words, form.Words...)
		}
		return words, false
	}
	return nil, false
}

// cellNames are all modes with all executions.
func cellNames() []string {
	var names []string
	for _, mode := range modes.Names() {
		for _, execution := range nn.Names() {
			names = append(names, mode+"@"+execution)
		}
	}
	return names
}
