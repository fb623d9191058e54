package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The examples of every command must be command lines that it takes. They are parsed, not run: some take minutes.
func TestTheExamplesOfTheHelpAreCommandLinesThatAreTaken(t *testing.T) {
	n := 0
	each(newRoot(streams{}), func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			words := strings.Fields(strings.ReplaceAll(line, "'", ""))
			if len(words) == 0 {
				continue
			}
			n++
			if words[0] != "fitbench" {
				t.Errorf("%s: example %q begins with another program", c.CommandPath(), line)
				continue
			}
			root := newRoot(streams{})
			target, rest, err := root.Find(quoted(line))
			if err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), line, err)
				continue
			}
			if err := target.ParseFlags(rest); err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), line, err)
			}
			if err := target.ValidateArgs(target.Flags().Args()); err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), line, err)
			}
		}
		if c.Example == "" && c.Runnable() && !c.Hidden && c.Name() != "help" {
			t.Errorf("%s has no example", c.CommandPath())
		}
	})
	if n < 10 {
		t.Errorf("%d examples", n)
	}
}

// quoted splits a command line at blanks outside single quotes, without its program.
func quoted(line string) []string {
	var words []string
	for i, part := range strings.Split(strings.TrimSpace(line), "'") {
		switch {
		case i%2 == 1:
			words[len(words)-1] += part
		default:
			glued := i > 0 && !strings.HasPrefix(part, " ")
			for j, word := range strings.Fields(part) {
				if j == 0 && glued {
					words[len(words)-1] += word
					continue
				}
				words = append(words, word)
			}
			if strings.HasSuffix(part, " ") && i+1 < len(strings.Split(line, "'")) {
				words = append(words, "")
			}
		}
	}
	return words[1:]
}

func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		each(sub, do)
	}
}

func TestVersionTellsTheBuild(t *testing.T) {
	code, stdout, _ := fitbench("version")
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the version", stdout, "fitbench ", "go1.", "kernels here: ", "record schema 1, engine protocol 1")
}
