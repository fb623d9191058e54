package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"fitbench/internal/engine"
	"fitbench/internal/meter"
)

// listEngines prints how engines are named and what the interpreters have.
func listEngines(ctx context.Context, interpreters []string, s streams) error {
	defer catchBrokenPipes()()
	ctx, _, stop := interruptible(ctx)
	defer stop()
	found, err := engine.Discover(ctx, interpreters)
	if err != nil {
		return err
	}
	var text strings.Builder
	describeForms(&text)
	describeCores(&text, meter.ReadMachine().UsableCores)
	for _, p := range found {
		describeInterpreter(&text, p)
	}
	if len(found) == 0 {
		fmt.Fprint(&text, "\nno Python was found; --python PATH names one\n")
	}
	_, err = fmt.Fprint(s.out, text.String())
	return unlessClosed(err)
}

func describeCores(text *strings.Builder, n int) {
	if n == 1 {
		fmt.Fprint(text, "\n1 usable core\n")
		return
	}
	fmt.Fprintf(text, "\n%d usable cores\n", n)
}

func describeForms(text *strings.Builder) {
	var rows [][2]string
	for _, f := range engine.Forms() {
		rows = append(rows, [2]string{f.Name, f.Title})
	}
	align(text, rows)
	fmt.Fprint(text, "PYTHON is the path of an interpreter or a program in $PATH; without it: $VIRTUAL_ENV's, else python3, else python\n")
}

// describeInterpreter is a line of the interpreter itself and one for each engine that it could be.
func describeInterpreter(text *strings.Builder, p engine.Interpreter) {
	if p.Err != nil {
		fmt.Fprintf(text, "\n%v\n", p.Err)
		return
	}
	fmt.Fprintf(text, "\n%s is Python %s\n", p.Path, p.Version)
	var rows [][2]string
	for _, f := range p.Frameworks {
		rows = append(rows, [2]string{"  " + f.Name, describeFramework(f)})
	}
	align(text, rows)
}

func describeFramework(f engine.Framework) string {
	var parts []string
	if f.Versions != "" {
		parts = append(parts, f.Versions)
	}
	if f.Backend != "" {
		parts = append(parts, fmt.Sprintf("backend %s (%s)", f.Backend, f.BackendBy))
	}
	if f.Missing != "" {
		parts = append(parts, "missing: "+f.Missing)
	}
	return strings.Join(parts, ", ")
}

// align writes rows of two columns.
func align(text *strings.Builder, rows [][2]string) {
	w := tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
	}
	// A builder takes all that is written to it.
	_ = w.Flush()
}
